// Which rows of urls and hosts trawl readdb lists, and how many in which order.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/rows/host_row.h"
#include "formats/rows/url_row.h"
#include "jobs/list/listing.h"
#include "jobs/segment/pages.h"
#include "runtime/options/options.h"
#include "runtime/process/clock.h"

namespace trawl {

enum class SortBy : int8_t {
  kNothing,
  kScore,
  kDue,
  kFetched,
  kChanged,
  kBytes,
  kResponse,
  kInlinks,
  kPages,
  kDelay,
  kDiscovered,
};

struct DumpOptions {
  std::string prefix;
  ListFormat format = ListFormat::kJsonLines;
  int64_t limit = 0;
};
const OptionGroup<DumpOptions>& DumpOptionGroup();

struct UrlFilterOptions {
  std::vector<std::string> states;
  std::vector<std::string> outcomes;
  std::vector<std::string> statuses;
  std::vector<std::string> types;
  std::vector<std::string> signals;
  bool due = false;
  bool needs_js = false;
  SortBy sort = SortBy::kNothing;
  bool reverse = false;
};
const OptionGroup<UrlFilterOptions>& UrlFilterOptionGroup();

struct HostFilterOptions {
  bool blocked = false;
  bool breaker = false;
  bool slow = false;
  bool trap = false;
  bool needs_js = false;
  SortBy sort = SortBy::kNothing;
  bool reverse = false;
};
const OptionGroup<HostFilterOptions>& HostFilterOptionGroup();

// A UsageError where rows are to be sorted without a limit: sorting keeps them in memory.
arrow::Status CheckSort(SortBy sort, int64_t limit);

// Says whether a row of urls is listed. One thread.
class UrlFilter {
 public:
  // UsageError for a state, outcome or status that does not exist; it names those that do.
  static arrow::Result<UrlFilter> Make(const UrlFilterOptions& options, Store* store, TimeMs now_ms);

  arrow::Result<bool> Takes(const UrlRow& row);

 private:
  UrlFilter(const UrlFilterOptions& options, Store* store, TimeMs now_ms)
      : options_(options), now_ms_(now_ms), scripts_(store) {}

  UrlFilterOptions options_;
  TimeMs now_ms_;
  std::vector<UrlState> states_;
  std::vector<Outcome> outcomes_;
  std::vector<std::pair<int32_t, int32_t>> statuses_;  // first and last
  int32_t signals_ = 0;
  ScriptPages scripts_;
};

// Whether the host itself is listed, apart from --needs_js.
bool TakesHost(const HostFilterOptions& options, const HostRow& row, TimeMs now_ms);

// The number by which the row is sorted.
int64_t SortNumber(SortBy sort, const UrlRow& row);
int64_t SortNumber(SortBy sort, const HostRow& row);

// Keeps the best `limit` rows, in order: the largest first, or with `reverse` the smallest; equal ones as they came.
class BestRows {
 public:
  BestRows(int64_t limit, bool reverse) : limit_(limit), reverse_(reverse) {}
  // Whether a row of this number would be kept; ask before making the JSON of one.
  bool WouldKeep(int64_t number) const;
  void Add(int64_t number, Json row);
  // The rows in order; afterwards there are none.
  std::vector<Json> Take();

 private:
  struct Kept {
    int64_t number = 0;
    int64_t order = 0;
    Json row;
  };
  bool IsBefore(const Kept& a, const Kept& b) const;

  const int64_t limit_;
  const bool reverse_;
  int64_t added_ = 0;
  std::vector<Kept> heap_;  // the last one of the kept stands first
};

}  // namespace trawl
