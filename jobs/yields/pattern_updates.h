// Counts what the pages that were fetched since the last settle yield, pattern by pattern, and writes the rows of patterns
// that follow: a part of the task that decides about pages. One thread; it goes through the hosts in the order of urls.
//
// Where a path has kFamilyMembers patterns with a query or more, or a folder as many below it, they are a family with a row
// of its own (FamilyOfPattern), which counts the pages of all of them and has a budget by the same rules. It holds for the members that are not judged
// yet: six parameters that may each be there or not have 64 patterns, and each of these would cost twenty pages.
// Where an origin has kFamilyMembers families or more, it has a row, too (FamilyOfOrigin), of the first kDoubtedPages
// pages of each: it says how new families of the origin turn out. A pattern without a family is one by itself there.
//
// A host has at most kMostPatterns rows, so that one that invents paths has no more of the table than others. Those with
// a budget stay first, then those of which most pages were fetched; the rarest give way and
// are forgotten. While the pages of a host come, at most four times as many are counted.
//
// A pattern and a family have a sample of their texts each (likeness.h), in the order in which they were fetched and, of
// one settle, in that of their keys.
//
// With --urls.learn_parameters it also writes which parameters change nothing (idle_parameters.h), as rows of their own
// (LearnedRule, formats/scope/ignored_parameters.h). It looks for them on the first pages of a host, as often as a page came
// that has parameters and yields nothing. A rule for a parameter on which a page depends after all goes. One that the operator
// took back stays as a row that is not `is_ignored`, so that it is not learned again. So does one that leads to URLs that the
// host does not have (bare_urls.h), which is looked at where a URL of a host with rules is missing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "arrow/result.h"
#include "formats/rows/host_row.h"
#include "formats/rows/settle_rows.h"
#include "jobs/yields/likeness.h"
#include "jobs/yields/yield.h"
#include "runtime/job/task.h"
#include "runtime/tables/row_walk.h"

namespace trawl {

inline constexpr size_t kMostPatterns = 1000;
inline constexpr size_t kFamilyMembers = 4;
inline constexpr size_t kMostRulesOfHost = 100;

// A fact of the plan, there where settle learns.
inline constexpr char kLearnsParameters[] = "learns_parameters";

// A page that was fetched since the last settle, once per fetch, with what settle decides about it now.
struct PageYield {
  std::string_view key;
  int64_t fetched_ms;
  bool is_fresh, is_duplicate, is_near;
  bool is_first;  // it had no content before
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
  // A URL that answered that there is nothing.
  arrow::Status AddMissing(std::string_view key);
  // URLs that entered the crawl by a link of the page.
  arrow::Status AddLinks(std::string_view source_key, int64_t links);
  // Ends the last host. Counters: patterns_changed, patterns_limited, patterns_recovered, patterns_dropped,
  // parameters_learned, parameters_unlearned.
  arrow::Status Finish();

 private:
  struct Entry {
    PatternRow row;
    bool is_known = false;  // the table has it
    YieldNews news;
    std::optional<TextSample> sample;  // where it is needed
  };
  struct Family {
    explicit Family(int distance) : sample(distance) {}
    int64_t before = 0;  // pages that were fetched of it before
    YieldNews news;
    TextSample sample;
    bool is_known = false;  // the table has it

    int64_t pages() const { return before + news.fetched; }
  };
  using Entries = std::map<std::string, Entry, std::less<>>;

  PatternUpdates(TaskContext& context, RowWalk patterns, RowWalk hosts, RunWriter<PatternRow>* run, int32_t distance)
      : context_(context),
        patterns_(std::move(patterns)),
        hosts_(std::move(hosts)),
        run_(run),
        distance_(distance),
        learns_(HasMember(context.plan().facts, kLearnsParameters)) {}

  arrow::Status ReadHost();
  arrow::Status EndHost();
  void ReadFamilies();
  arrow::Result<Entry*> EntryOf(std::string_view key);
  Family* FamilyOf(std::string_view pattern);
  Family* FindFamily(std::string key);
  void AddToFamily(const PageYield& page, Family* family);
  bool IsError(const PageYield& page, const TextSample& sample) const;
  PageWorth WorthOf(const PageYield& page, int64_t pages, TextSample* sample) const;
  void LetRarestGo(size_t most);
  void AddFamilies();
  arrow::Status Write(Entry* entry);
  arrow::Status Learn();
  arrow::Status WriteRulesBefore(std::string_view key);

  TaskContext& context_;
  RowWalk patterns_;
  RowWalk hosts_;
  RunWriter<PatternRow>* const run_;
  const int32_t distance_;
  const bool learns_;
  // Of the host that the walk is at.
  std::string host_;  // with ')'
  uint32_t slot_ = 0;
  bool is_read_ = false;
  HostRow host_row_;
  Entries entries_;
  bool may_learn_ = false;
  std::map<std::string, PatternRow, std::less<>> rules_;    // that are there
  std::map<std::string, PatternRow, std::less<>> changed_;  // that are to be written
  std::map<std::string, Family, std::less<>> families_;
  std::string pattern_;
};

}  // namespace trawl
