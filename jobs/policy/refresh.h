// When a page that was fetched is fetched again: the operator's classes, and what the page itself has shown. Any
// thread.
//
// Start with Reschedule, whose rules are numbered at its definition. A class is a longest interval for the URLs that a
// rule matches, from the file that --refresh.rules names:
//
//   # class  longest interval  rule
//   news     1d                +^https?://[^/]*/(news|ticker)/
//   > docs.example.com
//   manual   14d               +.
//   <
//
// The rules are those of formats/scope/rules.h: regular expressions, the first that matches decides, sections for one
// host or domain. A URL that none matches is of the class "default", whose longest interval is --refresh.max_interval.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "arrow/result.h"
#include "formats/rows/times.h"
#include "formats/rows/url_row.h"
#include "formats/scope/rules.h"
#include "runtime/options/options.h"

namespace trawl {

struct RefreshOptions {
  std::string rules;
  // Adaptive intervals.
  int64_t start_interval_ms = 168 * kHourMs;
  int32_t often_rate = 500'000;  // millionths
  int64_t often_interval_ms = kDayMs;
  int32_t sometimes_rate = 200'000;
  int64_t sometimes_interval_ms = 72 * kHourMs;
  int32_t top_score = 800'000;
  int64_t top_interval_ms = 6 * kHourMs;
  int32_t settled_after = 3;
  int32_t settled_growth = 2;
  int64_t min_interval_ms = kHourMs;
  int64_t max_interval_ms = 30 * kDayMs;
  // What did not come.
  int32_t failing_rounds = 3;
  int64_t retry_interval_ms = kDayMs;
  int64_t gone_interval_ms = 90 * kDayMs;
  int64_t denied_interval_ms = 7 * kDayMs;
};
const OptionGroup<RefreshOptions>& RefreshOptionGroup();

// The text of the rules file; empty where none is named. kUsage where it cannot be read.
arrow::Result<std::string> ReadRefreshRules(const RefreshOptions& options);

struct RefreshClass {
  std::string name = "default";
  int64_t longest_ms = 0;  // 0: what the options say
  uint32_t line = 0;       // of the rules file; 0: none matched
};

class RefreshRules {
 public:
  // Without any rule.
  RefreshRules();
  // `file` is the name that messages carry. Invalid, with file and line, for what makes no sense.
  static arrow::Result<RefreshRules> Parse(std::string_view text, std::string file);

  // REQUIRES: the key of a URL.
  const RefreshClass& ClassOf(std::string_view key) const;
  bool empty() const { return classes_.size() == 1; }

 private:
  explicit RefreshRules(UrlRules rules) : rules_(std::move(rules)) {}

  UrlRules rules_;
  std::vector<RefreshClass> classes_;  // by line of the file, of those that have one; the first is the default
  std::vector<size_t> class_of_line_;
};

// Sets the interval of a page that has just been fetched, and what it is made from: change_rate and unchanged.
// `is_first`: there was no content to compare with. REQUIRES: the row's score is that of now.
void Reschedule(const RefreshOptions& options, const RefreshClass& refresh_class, bool is_first, bool has_changed,
                UrlRow* row);

// Whether a page that was due came in its window: no later than one interval after that.
bool IsWithinWindow(const UrlRow& before, int64_t fetched_ms);

}  // namespace trawl
