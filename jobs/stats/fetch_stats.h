// The numbers of a segment's fetch, for summaries and reports.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_set>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/json.h"
#include "formats/documents/step_record.h"
#include "formats/rows/fetch_row.h"
#include "jobs/sums/answer_times.h"
#include "runtime/process/clock.h"
#include "runtime/store/store.h"

namespace trawl {

// Response times in logarithmic buckets: a quantile is right within 5 %. Beside them, exact counts of a few fixed ranges.
class ResponseTimes {
 public:
  // Upper bounds of the ranges, those of the exposed histogram; a last range has none.
  static constexpr auto kBoundsMs = AnswerTimes::kBoundsMs;

  void Add(int64_t ms);
  void Merge(const ResponseTimes& other);
  int64_t count() const { return count_; }
  int64_t sum_ms() const { return sum_ms_; }
  // By range, not summed up.
  const std::array<int64_t, kBoundsMs.size() + 1>& ranges() const { return ranges_; }
  double average_ms() const { return count_ == 0 ? 0 : static_cast<double>(sum_ms_) / static_cast<double>(count_); }
  // Quantile 0.99 is the time within which 99 of 100 answers came.
  int64_t Quantile(double share) const;

 private:
  static constexpr int kBuckets = 256;
  static int BucketOf(int64_t ms);
  std::array<int64_t, kBuckets> buckets_ = {};
  std::array<int64_t, kBoundsMs.size() + 1> ranges_ = {};
  int64_t count_ = 0;
  int64_t sum_ms_ = 0;
};

struct FetchStats {
  // Upper bounds of the ranges of stored bodies' sizes; a last range has none.
  static constexpr std::array<int64_t, 8> kSizeBounds = {1 << 10,   4 << 10, 16 << 10, 64 << 10,
                                                         256 << 10, 1 << 20, 4 << 20,  16 << 20};

  int64_t requests = 0;   // rows: every answer, failure and refusal
  int64_t asked = 0;      // those that were page requests
  int64_t succeeded = 0;  // fetched, not modified or redirected
  int64_t pages = 0;      // bodies stored
  int64_t bytes = 0;      // decoded
  int64_t wire_bytes = 0;
  // When answers came, by the second.
  std::map<int64_t, int64_t> answered_s;
  int64_t duplicates = 0;  // bodies equal to another row's, byte for byte
  std::map<int32_t, int64_t> statuses;
  std::map<std::string, int64_t> outcomes;
  struct Reason {
    int64_t count = 0;
    std::string example;  // the smallest key of a URL that has it
  };
  std::map<std::string, Reason> reasons;  // of rows that did not succeed
  // Of stored bodies: their media types without parameters, their sizes by range, and why some were cut.
  std::map<std::string, int64_t> types;
  std::array<int64_t, kSizeBounds.size() + 1> sizes = {};
  std::map<std::string, int64_t> truncated;
  // Of URLs that robots.txt denies: its lines. And the hosts whose URLs wait for a robots.txt that could not be read.
  std::map<std::string, Reason> robots_rules;
  std::unordered_set<uint64_t> robots_unreachable;
  ResponseTimes response;
  struct Host {
    int64_t answers = 0;
    int64_t total_ms = 0;
    int64_t asked = 0;
    int64_t failures = 0;  // of the host: no answer, a server error, too many requests
  };
  std::map<std::string, Host> hosts;

  void Add(const FetchRow& row);
  // Adds the numbers of a later round.
  void Merge(FetchStats&& other);

  // The slowest hosts by their average, those that failed most often, and the most common reasons, each sorted from the
  // top.
  std::vector<std::pair<std::string, Host>> SlowestHosts(size_t most) const;
  std::vector<std::pair<std::string, Host>> FailingHosts(size_t most) const;
  std::vector<std::pair<std::string, Reason>> TopReasons(size_t most) const;
  // By this time that share of the answers had come, to the second; 0 where there are none.
  TimeMs AnsweredBy(double share) const;

 private:
  std::unordered_set<uint64_t> digests_;
};

arrow::Result<FetchStats> ReadFetchStats(Store* store, const StepRecord& fetched);

// The members of a report.
Json ToJson(const FetchStats& stats);

}  // namespace trawl
