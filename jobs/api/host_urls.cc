#include "jobs/api/host_urls.h"

#include <array>
#include <charconv>
#include <map>

#include "formats/rows/some_columns.h"
#include "formats/rows/url_row.h"
#include "formats/url/key.h"
#include "jobs/api/endpoints.h"
#include "runtime/tables/merge_scan.h"

namespace trawl {

using arrow::Result;

namespace {

constexpr size_t kMostRules = 20;

struct HostUrls {
  std::map<std::string, int64_t> states;
  std::map<std::string, int64_t> denied_by;
  int64_t rows = 0;
  bool is_cut = false;

  void Add(const UrlRow& row) {
    ++states[TextOf(row.state)];
    if (row.state != UrlState::kDenied || row.reason.empty()) return;
    if (denied_by.size() < kMostRules || denied_by.contains(row.reason)) ++denied_by[row.reason];
  }
};

// The number in "line 2: Disallow: /private/"; 0 where no line decided.
int64_t LineOf(std::string_view reason) {
  constexpr std::string_view kBefore = "line ";
  int64_t line = 0;
  if (reason.starts_with(kBefore)) std::from_chars(reason.data() + kBefore.size(), reason.data() + reason.size(), line);
  return line;
}

Result<HostUrls> ReadHostUrls(const ApiCall& call, const std::string& host_part) {
  // A host with more URLs is told in part: a page about it must not take seconds.
  constexpr int64_t kMostRows = 200'000;
  ARROW_ASSIGN_OR_RAISE(const auto table, call.view->Open<UrlRow>());
  ARROW_ASSIGN_OR_RAISE(const KeyRange keys, KeyRangeOfHost(HostOfKey(host_part)));
  ScanOptions range = RangeOfKeys(keys);
  const uint32_t slot = SlotOfKey(host_part);
  range.slots = {slot, slot + 1};
  range.wanted = Columns<UrlRow>({"key", "state", "reason"}).Flags();
  ARROW_ASSIGN_OR_RAISE(const auto share, call.surroundings.memory->Take(BytesOfScan(*table, range.wanted), call.stop));
  ARROW_ASSIGN_OR_RAISE(const auto scan, MergeScan::Open(table, range));
  ScanBudget budget(call);
  HostUrls urls;
  RowSpan span;
  UrlRow row;
  while (!urls.is_cut) {
    ARROW_RETURN_NOT_OK(call.stop.Check());
    ARROW_ASSIGN_OR_RAISE(const bool more, scan->Next(&span));
    if (!more) break;
    for (int64_t i = span.begin; i < span.end && !urls.is_cut; ++i) {
      ReadFromBatch(*span.batch, i, &row);
      urls.Add(row);
      urls.is_cut = ++urls.rows == kMostRows || budget.IsUsedUp();
    }
  }
  return urls;
}

}  // namespace

Result<Json> HostUrlsJson(const ApiCall& call, const std::string& host_part) {
  ARROW_ASSIGN_OR_RAISE(const HostUrls urls, ReadHostUrls(call, host_part));
  Json denied = Json::array();
  for (const auto& [reason, count] : urls.denied_by) {
    denied.push_back({{"text", reason}, {"line", LineOf(reason)}, {"count", count}});
  }
  return Json{{"states", urls.states}, {"denied_by", std::move(denied)}, {"states_are_cut", urls.is_cut}};
}

}  // namespace trawl
