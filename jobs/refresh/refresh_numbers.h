// What the classes of pages keep of their promises: the numbers of the pages that were fetched again. One thread.
//
//   {"news": {"longest_ms": 86400000, "refreshed": 30, "within_window": 29, "age_ms": {"p50": 86400000, "p95": 97200000},
//             "ages": {"214": 29, "217": 1}}}
//
// The age is how old the copy was that the crawl had until then. "ages" counts them by buckets, for sums over tasks and
// rounds.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "arrow/status.h"
#include "formats/documents/json.h"
#include "jobs/refresh/refresh.h"

namespace trawl {

// Durations in logarithmic buckets: a quantile is right within 5 %.
class AgeCounts {
 public:
  void Add(int64_t age_ms) { ++buckets_[BucketOf(age_ms)]; }
  // How old the copies were of that share of the pages, at most; 0 where there are none.
  int64_t Quantile(double share) const;
  void Merge(const AgeCounts& other);

  Json ToJson() const;
  arrow::Status Read(const Json& json);

 private:
  static int BucketOf(int64_t age_ms);
  std::map<int, int64_t> buckets_;
};

class RefreshNumbers {
 public:
  struct OfClass {
    int64_t longest_ms = 0;  // what is promised
    int64_t refreshed = 0;
    int64_t within_window = 0;
    AgeCounts ages;
  };

  // A page was fetched again at `fetched_ms`; `before` is its row until then.
  void Add(const RefreshClass& refresh_class, const RefreshOptions& options, const UrlRow& before, int64_t fetched_ms);
  // Adds what ToJson gave.
  arrow::Status Merge(const Json& json);
  const std::map<std::string, OfClass>& classes() const { return classes_; }

 private:
  std::map<std::string, OfClass> classes_;  // by name
};
Json ToJson(const RefreshNumbers& numbers);

// "news: 29 of 30 pages on time (every 1 d), age 1 d (median), 95 % within 1 d 3 h", a line for each class.
std::string ReadableClasses(const Json& numbers, const std::string& indent);

}  // namespace trawl
