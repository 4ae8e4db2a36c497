#include "jobs/live/known_minutes.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "jobs/segment/life.h"
#include "jobs/stats/round.h"
#include "runtime/process/status_detail.h"
#include "runtime/root/layout.h"
#include "runtime/terminal/timestamp.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// Rows that are kept: some 20 MB.
constexpr size_t kMostRows = 200'000;
// Documents that one question may cost.
constexpr int kMostRounds = 2'000;

int64_t WidthOf(ThroughputStep step) {
  switch (step) {
    case ThroughputStep::kMinute:
      return 60'000;
    case ThroughputStep::kFiveMinutes:
      return 5 * 60'000;
    case ThroughputStep::kHour:
      return 60 * 60'000;
    case ThroughputStep::kRound:
      return 0;
  }
  return 60'000;
}

using PointsByTime = std::map<TimeMs, ThroughputPoint>;

void AddSums(const Minutes::Sums& sums, ThroughputPoint* point) {
  point->pages += sums.pages;
  point->bytes += sums.bytes;
  point->fetched += sums.requests;
  point->errors += sums.errors;
}

// All of a round as one point, where it overlaps the range.
void AddRound(const KnownRound& round, const ThroughputRange& range, PointsByTime* points) {
  const auto& steps = round.minutes.steps();
  if (steps.empty()) return;
  const TimeMs begin = steps.begin()->first, end = steps.rbegin()->first + round.step_ms;
  if (end <= range.since_ms || begin >= range.until_ms) return;
  ThroughputPoint& point = (*points)[begin];
  point.at_ms = begin;
  point.step_ms = std::max(point.step_ms, end - begin);
  for (const auto& [at_ms, sums] : steps) AddSums(sums, &point);
}

void AddSteps(const KnownRound& round, int64_t width_ms, const ThroughputRange& range, PointsByTime* points) {
  for (const auto& [at_ms, sums] : round.minutes.steps()) {
    if (at_ms + round.step_ms <= range.since_ms || at_ms >= range.until_ms) continue;
    const int64_t step_ms = std::max(width_ms, round.step_ms);
    const TimeMs begin = at_ms - at_ms % step_ms;
    ThroughputPoint& point = (*points)[begin];
    point.at_ms = begin;
    point.step_ms = std::max(point.step_ms, step_ms);
    AddSums(sums, &point);
  }
}

}  // namespace

Result<ThroughputStep> ThroughputStepOf(const std::string& text) {
  if (text == "1m") return ThroughputStep::kMinute;
  if (text == "5m") return ThroughputStep::kFiveMinutes;
  if (text == "1h") return ThroughputStep::kHour;
  if (text == "round") return ThroughputStep::kRound;
  return UsageError("step '", text.substr(0, 20), "' is not known; it is 1m, 5m, 1h or round");
}

double ThroughputPoint::pages_per_sec() const {
  return step_ms <= 0 ? 0 : 1000.0 * static_cast<double>(pages) / static_cast<double>(step_ms);
}

// Null where the round has no document, or no more.
Result<const KnownRound*> KnownMinutes::Find(Store* store, const ClosedSegment& segment) {
  if (segment.round.empty()) return nullptr;
  const auto known = rounds_.find(segment.round);
  if (known != rounds_.end()) return &known->second;
  ARROW_ASSIGN_OR_RAISE(const bool is_there, store->Exists(RoundPath(segment.updatedb)));
  if (!is_there) return nullptr;
  ARROW_ASSIGN_OR_RAISE(const std::optional<Json> document, ReadRound(store, segment));
  KnownRound round = {.segment = segment.id};
  const Result<std::string> applied = GetString(*document, "applied");
  const Result<TimeMs> applied_ms = applied.ok() ? ParseTimestamp(*applied) : applied.status();
  round.applied_ms = applied_ms.ok() ? *applied_ms : 0;
  if (HasMember(*document, "minutes") && (*document)["minutes"].is_object()) {
    const Json& minutes = (*document)["minutes"];
    round.step_ms = std::max<int64_t>(GetInt(minutes, "step_ms").ValueOr(60'000), 60'000);
    ARROW_ASSIGN_OR_RAISE(round.minutes, MinutesFromJson(minutes));
  }
  rows_ += round.minutes.steps().size();
  if (rows_ > kMostRows) {
    rows_ = round.minutes.steps().size();
    rounds_.clear();
  }
  return &rounds_.insert_or_assign(segment.round, std::move(round)).first->second;
}

Result<std::vector<ThroughputPoint>> KnownMinutes::Points(Store* store, const Manifest& manifest,
                                                          std::vector<KnownRound> open, const ThroughputRange& range,
                                                          const StopToken& stop) {
  const int64_t width_ms = WidthOf(range.step);
  PointsByTime points;
  const auto add = [&](const KnownRound& round) {
    if (width_ms == 0) {
      AddRound(round, range, &points);
    } else {
      AddSteps(round, width_ms, range, &points);
    }
  };
  for (KnownRound& round : open) {
    round.step_ms = round.minutes.step_ms();
    add(round);
  }
  int looked_at = 0;
  const auto& closed = manifest.closed_segments;
  for (auto segment = closed.rbegin(); segment != closed.rend() && looked_at < kMostRounds; ++segment) {
    ARROW_RETURN_NOT_OK(stop.Check());
    if (segment->end != SegmentEnd::kApplied || IsStoreOfBodies(*segment)) continue;
    ++looked_at;
    ARROW_ASSIGN_OR_RAISE(const KnownRound* round, Find(store, *segment));
    if (round == nullptr) continue;
    // Rounds stand in the order in which they were applied, and nothing of a round is later.
    if (round->applied_ms > 0 && round->applied_ms < range.since_ms) break;
    add(*round);
    if (points.size() > 2 * LiveReader::kMostPoints) break;
  }
  while (points.size() > LiveReader::kMostPoints) points.erase(points.begin());
  std::vector<ThroughputPoint> all;
  all.reserve(points.size());
  for (const auto& [at_ms, point] : points) all.push_back(point);
  return all;
}

}  // namespace trawl
