#include "jobs/stats/minutes.h"

#include <algorithm>
#include <utility>

namespace trawl {

using arrow::Result;
using arrow::Status;

void Minutes::Add(TimeMs at_ms, const Sums& sums) {
  Sums& into = steps_[at_ms - at_ms % step_ms_];
  into.pages += sums.pages;
  into.bytes += sums.bytes;
  into.requests += sums.requests;
  into.errors += sums.errors;
  while (steps_.size() > kMost) Widen(step_ms_ * 2);
}

void Minutes::Merge(const Minutes& other) {
  if (other.step_ms_ > step_ms_) Widen(other.step_ms_);
  for (const auto& [at_ms, sums] : other.steps_) Add(at_ms, sums);
}

void Minutes::Widen(int64_t step_ms) {
  const auto steps = std::exchange(steps_, {});
  step_ms_ = step_ms;
  for (const auto& [at_ms, sums] : steps) Add(at_ms, sums);
}

Json ToJson(const Minutes& minutes) {
  Json rows = Json::array();
  for (const auto& [at_ms, sums] : minutes.steps()) {
    rows.push_back({at_ms, sums.pages, sums.bytes, sums.requests, sums.errors});
  }
  return {{"step_ms", minutes.step_ms()}, {"rows", rows}};
}

Result<Minutes> MinutesFromJson(const Json& json) {
  Minutes minutes;
  ARROW_ASSIGN_OR_RAISE(const Json* rows, GetArray(json, "rows"));
  for (const Json& row : *rows) {
    const bool is_row =
        row.is_array() && row.size() == 5 &&
        std::all_of(row.begin(), row.end(), [](const Json& number) { return number.is_number_integer(); });
    if (!is_row) return Status::Invalid("a row of the minutes is not five numbers");
    const auto at = [&row](size_t i) { return row[i].get<int64_t>(); };
    if (at(0) < 0) return Status::Invalid("a row of the minutes is before 1970");
    minutes.Add(at(0), {.pages = at(1), .bytes = at(2), .requests = at(3), .errors = at(4)});
  }
  return minutes;
}

}  // namespace trawl
