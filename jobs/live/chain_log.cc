#include "jobs/live/chain_log.h"

#include <algorithm>
#include <utility>

#include "formats/documents/sealed_json.h"
#include "runtime/root/layout.h"
#include "runtime/store/status.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr int64_t kMostEntryBytes = int64_t{64} << 20;
// Rates are of five minutes; a part may be a minute long.
constexpr int64_t kSpansMs = 7 * 60'000;
// An attempt cannot begin so often: whoever writes such a chain gets no memory for it.
constexpr size_t kMostAttempts = 1'000;

LiveSpan SpanOf(TimeMs from_ms, TimeMs at_ms, const LiveSums& sums) {
  return {from_ms, at_ms, sums.pages, sums.bytes, sums.asked, sums.errors()};
}

// What the gauges tell beyond the parts: of the time since the last one.
LiveSpan TailOf(const SeenAttempt& attempt) {
  const TimeMs from_ms = attempt.spans.empty() ? attempt.since_ms : attempt.spans.back().at_ms;
  if (!attempt.gauges || attempt.gauges_ms <= from_ms) return {from_ms, from_ms, 0, 0, 0, 0};
  const FetchGauges& now = *attempt.gauges;
  const auto beyond = [](int64_t gauge, int64_t sum) { return std::max<int64_t>(gauge - sum, 0); };
  const auto fetched = attempt.sums.outcomes.find("fetched");
  const int64_t pages = beyond(now.pages, fetched == attempt.sums.outcomes.end() ? 0 : fetched->second);
  const int64_t errors = beyond(now.errors, attempt.sums.errors());
  return {from_ms, attempt.gauges_ms, pages, beyond(now.bytes, attempt.sums.bytes), pages + errors, errors};
}

}  // namespace

Status ChainLog::Find(Store* store) {
  ARROW_ASSIGN_OR_RAISE(const auto entries, store->List(AttemptFolder(segment_, task_), /*recursive=*/false));
  count_ = 0;
  for (const StoreEntry& entry : entries) {
    const std::optional<Place> place = ParsePath(entry.path);
    if (place && place->kind == PlaceKind::kAttempt) count_ = std::max(count_, place->number + 1);
  }
  return Status::OK();
}

// Nothing where there is no such entry.
Result<std::optional<AttemptEntry>> ChainLog::ReadEntry(Store* store, int64_t number) {
  const std::string path = AttemptPath(segment_, task_, number);
  const Result<std::string> text = store->ReadWhole(path, kMostEntryBytes);
  if (!text.ok() && IsNotFound(text.status())) return std::nullopt;
  ARROW_RETURN_NOT_OK(text.status());
  ++read_;
  ARROW_ASSIGN_OR_RAISE(const Json json, OpenSealedJson(*text, path));
  Result<AttemptEntry> entry = AttemptEntryFromJson(json);
  if (!entry.ok()) return Status::IOError(path, ": ", entry.status().message());
  return *std::move(entry);
}

Status ChainLog::Update(Store* store, int64_t most) {
  read_ = 0;
  const Status status = ReadNew(store, most);
  is_torn_ = !status.ok();
  return status;
}

Status ChainLog::ReadNew(Store* store, int64_t most) {
  if (count_ < 0) {
    ARROW_RETURN_NOT_OK(Find(store));
    if (count_ > most) {
      ARROW_ASSIGN_OR_RAISE(const std::optional<AttemptEntry> newest, ReadEntry(store, count_ - 1));
      if (newest) TakeHead(*newest, count_ - 1);
    }
  }
  while (read_ < most && !is_done_) {
    ARROW_ASSIGN_OR_RAISE(const std::optional<AttemptEntry> entry, ReadEntry(store, next_));
    if (!entry) {
      count_ = next_;  // the end, or a chain that is being removed
      return Status::OK();
    }
    Take(*entry, next_);
    ++next_;
    count_ = std::max(count_, next_);
  }
  return Status::OK();
}

// The attempt that an entry belongs to. Entries of an attempt that never began are of a chain that was not read from its
// beginning, so such an attempt begins here.
SeenAttempt* ChainLog::AttemptOf(const AttemptEntry& entry, int64_t number) {
  const bool begins = entry.event == AttemptEvent::kBegin;
  if (!begins && !attempts_.empty() && attempts_.back().attempt == entry.attempt) return &attempts_.back();
  if (!attempts_.empty()) attempts_.back().has_ended = true;
  if (attempts_.size() >= kMostAttempts) attempts_.erase(attempts_.begin());
  attempts_.push_back(
      {.attempt = entry.attempt, .begun_at = number, .process = entry.process, .since_ms = entry.at_ms});
  return &attempts_.back();
}

void ChainLog::Take(const AttemptEntry& entry, int64_t number) {
  SeenAttempt& attempt = *AttemptOf(entry, number);
  if (entry.event == AttemptEvent::kPart) {
    const LiveSums sums = LiveSums::FromCounters(entry.counters);
    // Beats come between, but a part has all that came since the one before it.
    const TimeMs from_ms = attempt.spans.empty() ? attempt.since_ms : attempt.spans.back().at_ms;
    ++attempt.parts;
    attempt.sums.Add(sums);
    sums_.Add(sums);
    minutes_.Add(entry.at_ms,
                 {.pages = sums.pages, .bytes = sums.bytes, .requests = sums.asked, .errors = sums.errors()});
    attempt.spans.push_back(SpanOf(std::min(from_ms, entry.at_ms), entry.at_ms, sums));
    while (attempt.spans.front().at_ms < entry.at_ms - kSpansMs) attempt.spans.pop_front();
  }
  attempt.last_ms = entry.at_ms;
  attempt.lease_ms = entry.lease_ms;
  if (entry.gauges.is_object()) {
    attempt.gauges = FetchGaugesFromJson(entry.gauges);
    attempt.gauges_ms = entry.at_ms;
  }
  if (entry.event == AttemptEvent::kEnd) {
    attempt.has_ended = true;
    is_done_ = entry.done;
  }
  attempt.tail = TailOf(attempt);
  if (next_ + 1 >= count_) head_.reset();
}

void ChainLog::TakeHead(const AttemptEntry& entry, int64_t number) {
  head_ = {.attempt = entry.attempt, .begun_at = number, .process = entry.process, .since_ms = entry.at_ms};
  head_->last_ms = entry.at_ms;
  head_->lease_ms = entry.lease_ms;
  head_->has_ended = entry.event == AttemptEvent::kEnd;
  if (entry.gauges.is_object()) {
    head_->gauges = FetchGaugesFromJson(entry.gauges);
    head_->gauges_ms = entry.at_ms;
  }
}

std::vector<SeenAttempt> ChainLog::attempts() const {
  std::vector<SeenAttempt> all = attempts_;
  if (!head_) return all;
  if (all.empty() || all.back().attempt != head_->attempt) {
    if (!all.empty()) all.back().has_ended = true;
    all.push_back(*head_);
    return all;
  }
  all.back().last_ms = head_->last_ms;
  all.back().has_ended = head_->has_ended;
  all.back().gauges = head_->gauges;
  all.back().gauges_ms = head_->gauges_ms;
  return all;
}

}  // namespace trawl
