#include "jobs/urls/url_setter.h"

#include <algorithm>
#include <utility>

#include "formats/rows/settle_rows.h"
#include "formats/rows/some_columns.h"
#include "formats/url/key.h"
#include "runtime/tables/merge_scan.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// Keys from <= key < to of one slot.
struct SlotKeys {
  uint32_t slot = 0;
  KeyRange keys;
};

// The prefixes' keys within `slots`, in the order of the table, none within or across another.
std::vector<SlotKeys> KeysWithin(const std::vector<KeyRange>& prefixes, SlotRange slots) {
  std::vector<SlotKeys> all;
  for (const KeyRange& range : prefixes) {
    const uint32_t slot = SlotOfKey(range.from);
    if (slot >= slots.begin && slot < slots.end) all.push_back({slot, range});
  }
  std::sort(all.begin(), all.end(), [](const SlotKeys& a, const SlotKeys& b) {
    return a.slot != b.slot ? a.slot < b.slot : a.keys.from < b.keys.from;
  });
  std::vector<SlotKeys> out;
  for (SlotKeys& one : all) {
    if (!out.empty() && out.back().slot == one.slot && one.keys.from < out.back().keys.to) {
      out.back().keys.to = std::max(out.back().keys.to, one.keys.to);
    } else {
      out.push_back(std::move(one));
    }
  }
  return out;
}

}  // namespace

Json ToJson(const UrlOrder& order) {
  return {{"selection", ToJson(order.selection)}, {"change", ToJson(order.change)}};
}

Result<UrlOrder> UrlOrderFromJson(const Json& json) {
  UrlOrder order;
  ARROW_ASSIGN_OR_RAISE(const Json* selection, GetObject(json, "selection"));
  ARROW_ASSIGN_OR_RAISE(order.selection, UrlSelectionFromJson(*selection));
  ARROW_ASSIGN_OR_RAISE(const Json* change, GetObject(json, "change"));
  ARROW_ASSIGN_OR_RAISE(order.change, UrlChangeFromJson(*change));
  return order;
}

Result<std::unique_ptr<UrlSetter>> UrlSetter::Open(Store* store, const Manifest& snapshot, UrlOrder order,
                                                   const ScoringOptions& scoring, TimeMs now_ms, UrlRuns runs,
                                                   Counters* counters, Samples* samples) {
  ARROW_ASSIGN_OR_RAISE(const auto urls, Table::Open<UrlRow>(store, snapshot));
  ARROW_ASSIGN_OR_RAISE(const auto robots, Table::Open<RobotsRow>(store, snapshot));
  ARROW_ASSIGN_OR_RAISE(const auto patterns, Table::Open<PatternRow>(store, snapshot));
  ARROW_ASSIGN_OR_RAISE(auto standings, ScoreStandings::Open(store, snapshot, scoring.priorities));
  return std::unique_ptr<UrlSetter>(new UrlSetter(std::move(order), scoring, now_ms, runs, counters, samples, urls,
                                                  robots, !patterns->runs().empty(), std::move(standings)));
}

Status UrlSetter::Take(RowPlace place, const UrlChange& change) {
  ARROW_ASSIGN_OR_RAISE(const bool found, urls_.Find(place, &row_));
  if (!found) {
    ++counters_["not_known"];
    const std::string key(place.key);
    samples_.Add({UrlOfKey(key).ValueOr(key), 0, "not in the crawl; trawl inject adds it", ""});
    return Status::OK();
  }
  if (order_.selection.Has(row_.key, row_.state, row_.outcome)) return Change(change);
  ++counters_["not_selected"];
  return Status::OK();
}

Status UrlSetter::TakeAll(SlotRange slots, const StopToken& stop) {
  int64_t rows = 0;
  // A few columns tell which rows are meant; those alone are read whole.
  const auto take = [&](const UrlRow& row) -> Status {
    if (++rows % 1024 == 0) ARROW_RETURN_NOT_OK(stop.Check());
    if (!order_.selection.Has(row.key, row.state, row.outcome)) return Status::OK();
    ARROW_ASSIGN_OR_RAISE(const bool found, urls_.Find({SlotOfKey(row.key), row.key}, &row_));
    return found ? Change(order_.change) : Status::OK();
  };
  ScanOptions scan = {.slots = slots, .wanted = Columns<UrlRow>({"key", "state", "outcome"}).Flags()};
  if (order_.selection.prefixes.empty()) return ForEachRow<UrlRow>(table_, scan, take);
  for (const SlotKeys& range : KeysWithin(order_.selection.prefixes, slots)) {
    scan.slots = {range.slot, range.slot + 1};
    scan.from_key = range.keys.from;
    scan.to_key = range.keys.to;
    ARROW_RETURN_NOT_OK(ForEachRow<UrlRow>(table_, scan, take));
  }
  return Status::OK();
}

Status UrlSetter::Change(const UrlChange& change) {
  ++counters_["matched"];
  const UrlRow before = row_;
  ScoreStanding standing;
  if (change.score == UrlChange::kByRule) {
    ARROW_ASSIGN_OR_RAISE(standing, standings_->Of({SlotOfKey(row_.key), row_.key}));
  }
  const ChangeEffect effect = ApplyChange(change, now_ms_, &row_, has_budgets_, standing);
  if (change.score) LeaveTop(scoring_.refresh, before.score, &row_);
  switch (effect) {
    case ChangeEffect::kNone:
      return Status::OK();
    case ChangeEffect::kIsDropped:
      ++counters_["dropped"];
      return Status::OK();
    case ChangeEffect::kPutBack:
      ++counters_["put_back"];
      break;
    case ChangeEffect::kChanged:
      break;
  }
  ++counters_["changed"];
  tally_.Replace(before, row_);
  if (runs_.urls != nullptr) ARROW_RETURN_NOT_OK(runs_.urls->Append(row_));
  return row_.due_set_ms == now_ms_ && row_.due_ms <= now_ms_ ? AskRobotsAgain(before) : Status::OK();
}

Status UrlSetter::AskRobotsAgain(const UrlRow& before) {
  const std::string_view origin = OriginPartOfKey(row_.key);
  if (origin != origin_) {
    origin_.assign(origin);
    ARROW_ASSIGN_OR_RAISE(const bool found, robots_.Find({SlotOfKey(row_.key), origin_}, &robots_row_));
    if (!found) robots_row_ = RobotsRow();
  }
  const bool is_reason = robots_row_.failures > 0 || before.state == UrlState::kDenied;
  if (robots_row_.key != origin_ || robots_row_.due_ms <= now_ms_ || !is_reason) return Status::OK();
  robots_row_.due_ms = now_ms_;
  ++counters_["robots"];
  return runs_.robots == nullptr ? Status::OK() : runs_.robots->Append(robots_row_);
}

}  // namespace trawl
