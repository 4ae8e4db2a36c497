// How long hosts took to answer, in few wide buckets, as the counters of a fetch carry it: `answers_in.<bound in ms>` and
// `answers_ms`. So the times of parts, rounds and whole crawls can be added up. Pure; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "formats/documents/json.h"

namespace trawl {

struct AnswerTimes {
  // Upper bounds; the last bucket has none.
  static constexpr std::array<int64_t, 9> kBoundsMs = {50, 100, 250, 500, 1'000, 2'500, 5'000, 10'000, 30'000};

  std::array<int64_t, kBoundsMs.size() + 1> counts{};  // of each bucket alone
  int64_t sum_ms = 0;

  void AddCounters(const Json& counters);
  void Add(const AnswerTimes& other);
  int64_t answers() const;
  bool operator==(const AnswerTimes&) const = default;
};

// The counters of an answer that took so long: its bucket's, and the sum's.
const std::string& AnswerBucketCounter(int64_t ms);
inline constexpr char kAnswersMsCounter[] = "answers_ms";

}  // namespace trawl
