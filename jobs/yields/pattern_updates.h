// Counts what the pages that were fetched since the last settle yield, pattern by pattern, and writes the rows of patterns
// that follow: a part of the task that decides about pages. One thread; it goes through the hosts in the order of urls.
//
// Where a path has kFamilyMembers patterns with a query or more, or a folder as many below it, they are a family with a row
// of its own (FamilyOfPattern), which counts the pages of all of them and has a budget by the same rules. It holds for the members that are not judged
// yet: six parameters that may each be there or not have 64 patterns, and each of these would cost twenty pages.
//
// A host has at most kMostPatterns rows, so that one that invents paths has no more of the table than others. Those with
// a budget or a decision of the operator stay first, then those of which most pages were fetched; the rarest give way and
// are forgotten. While the pages of a host come, at most four times as many are counted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "arrow/result.h"
#include "formats/rows/host_row.h"
#include "formats/rows/settle_rows.h"
#include "jobs/yields/yield.h"
#include "runtime/job/task.h"
#include "runtime/tables/row_walk.h"

namespace trawl {

inline constexpr size_t kMostPatterns = 1000;
inline constexpr size_t kFamilyMembers = 4;

// A page that was fetched since the last settle, once per fetch, with what settle decides about it now.
struct PageYield {
  std::string_view key;
  int64_t fetched_ms;
  bool is_fresh, is_duplicate, is_near;
  int64_t simhash;
  std::string_view content_digest;
};

class PatternUpdates {
 public:
  // Opens the run of patterns of the task.
  static arrow::Result<std::unique_ptr<PatternUpdates>> Open(TaskContext& context);

  // Ends what lies before `place`. REQUIRES for this and the next two: keys ascend in the order of urls; those of one
  // host may come in any order.
  arrow::Status GoTo(RowPlace place);
  arrow::Status AddPage(const PageYield& page);
  // URLs that entered the crawl by a link of the page.
  arrow::Status AddLinks(std::string_view source_key, int64_t links);
  // Ends the last host. Counters: patterns_changed, patterns_limited, patterns_recovered, patterns_dropped.
  arrow::Status Finish();

 private:
  struct Entry {
    PatternRow row;
    bool is_known = false;  // the table has it
    YieldNews news;
  };
  using Entries = std::map<std::string, Entry, std::less<>>;

  PatternUpdates(TaskContext& context, RowWalk patterns, RowWalk hosts, RunWriter<PatternRow>* run, int32_t distance)
      : context_(context), patterns_(std::move(patterns)), hosts_(std::move(hosts)), run_(run), distance_(distance) {}

  arrow::Status ReadHost();
  arrow::Status EndHost();
  arrow::Result<YieldNews*> NewsOf(std::string_view key);
  bool IsError(const PageYield& page) const;
  void LetRarestGo(size_t most);
  void AddFamilies();
  arrow::Status Write(Entry* entry);

  TaskContext& context_;
  RowWalk patterns_;
  RowWalk hosts_;
  RunWriter<PatternRow>* const run_;
  const int32_t distance_;
  // Of the host that the walk is at.
  std::string host_;  // with ')'
  uint32_t slot_ = 0;
  bool is_read_ = false;
  HostRow host_row_;
  Entries entries_;
  std::string pattern_;
};

}  // namespace trawl
