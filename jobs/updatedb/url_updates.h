// Updates the urls rows of a reducer of updatedb: makes the new row of each URL from the table's row and from the
// segment's fetch, parse and links. The links of each page that was read become its row of outlinks. One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arrow/result.h"
#include "arrow/status.h"
#include "formats/rows/fetch_row.h"
#include "formats/rows/outlinks_row.h"
#include "formats/rows/parse_row.h"
#include "formats/url/key.h"
#include "jobs/policy/read_policy.h"
#include "jobs/policy/score_standings.h"
#include "jobs/refresh/refresh_numbers.h"
#include "jobs/refresh/refresh_rules.h"
#include "jobs/segment/outlink_pieces.h"
#include "jobs/sitemaps/host_lists.h"
#include "jobs/sitemaps/named_sitemaps.h"
#include "jobs/stats/totals.h"
#include "jobs/updatedb/host_updates.h"
#include "jobs/updatedb/link_fold.h"
#include "jobs/updatedb/next_state.h"
#include "jobs/updatedb/origin_sweep.h"
#include "jobs/updatedb/robots_updates.h"
#include "runtime/job/task.h"
#include "runtime/shuffle/record_stream.h"
#include "runtime/tables/known_rows.h"

namespace trawl {

class UrlUpdates {
 public:
  // `hosts` and `robots` outlive it.
  static arrow::Result<std::unique_ptr<UrlUpdates>> Open(TaskContext& context, HostUpdates* hosts,
                                                         const RobotsUpdates* robots);

  // Takes the group of a URL and writes its row where that is new or has changed. REQUIRES: groups come in the order of
  // the table; `hosts` is at the URL's host, and `robots` has taken the group of its origin if there is one.
  arrow::Status Reduce(RowPlace place, GroupStream& groups);

  // After `robots` has taken the group of this origin: where the round showed that all its URLs are gone, or are back,
  // those that have no group of their own are written, too. Called before Reduce for any URL of the origin.
  arrow::Status BeginOrigin(RowPlace origin);
  // Before each group, and once after the last: writes what BeginOrigin left to write before that place.
  arrow::Status GoTo(RowPlace place);
  arrow::Status Finish();
  // What the task reports beside its counters.
  void Report(Json* facts) const;

 private:
  // All that a group brings of one URL.
  struct UrlGroup {
    bool has_fetch = false;
    FetchRow fetch;      // the one that counts
    std::string listed;  // codec bytes of the row that the lists had
    bool has_parse = false;
    ParseRow parse;  // the last
    bool is_reread = false;
    ParsePlace place;  // of `parse`
    LinkFold links;
    OutlinkPieces outlinks;  // of its own page

    void Clear();
  };

  UrlUpdates(TaskContext& context, HostUpdates* hosts, const RobotsUpdates* robots)
      : context_(context), hosts_(hosts), robots_(robots), sweep_(context) {}

  arrow::Status ReadPolicy();
  arrow::Status MarkNewerRuns(const Table& table);
  arrow::Status ReadGroup(RowPlace place, GroupStream& groups);
  arrow::Status ReadEvent(RowPlace place, std::string_view value);
  arrow::Status ReadLink(RowPlace place, std::string_view value);
  // Links alone. The sidecar's entry is enough, but for a row that they change.
  arrow::Status TakeLinks(RowPlace place, const std::optional<KnownKey>& known, const UrlNews& news);
  // What sitemaps, feeds and robots.txt say of a URL that was asked for already.
  arrow::Status TakeWords(std::string_view key, const KnownKey& known, const UrlNews& news);
  // The row in base_, after links and words alone.
  arrow::Status WriteByLinks(const UrlNews& news);
  arrow::Status TakeFetch(RowPlace place, const std::optional<KnownKey>& known, UrlNews news);
  void TakeProbe();
  // A stored body that was read again.
  arrow::Status TakeReread(RowPlace place, const std::optional<KnownKey>& known, UrlNews news);
  // What a known URL that was not asked for shares with its origin.
  arrow::Status TakeOrigin(RowPlace place, const KnownKey& known, const UrlNews& news);
  // Reads the row of an unfetched URL into base_; false where there is no such row.
  arrow::Result<bool> ReadWaiting(const KnownKey& known, std::string_view key);
  // Whether links may raise a URL that is known, or make one known that is not.
  bool MayEnter(bool is_known, int32_t depth);
  // Whether what sitemaps bring, and sitemaps and feeds themselves, are still within the limits of their host.
  arrow::Result<bool> IsWithinLimits(RowPlace place, const LinkNews& links);
  arrow::Status Enter(const UrlNews& news);
  // NextState, with what the graph says of the URL.
  arrow::Result<Transition> Next(const UrlRow* row, const UrlNews& news);
  // `before`: the row that the table has; null where it has none.
  arrow::Status Write(const Transition& next, const UrlRow* before);
  // Writes the links of the page whose parse row the crawl took.
  arrow::Status WriteOutlinks(std::string_view key, const ParseRow& parse);
  // Notes in the counter "to_read" how many more pages are to be read again, and in "to_read_more" those of them that are
  // new, or were read just now.
  void CountToRead(const UrlRow* before, const UrlRow& after);
  void CountRefresh(UrlEvent event);
  void CountNew();
  void CountEvent(const Transition& next);
  void Count(const char* name, int64_t by);

  TaskContext& context_;
  HostUpdates* const hosts_;
  const RobotsUpdates* const robots_;
  StatePolicy policy_;
  trawl::ReadPolicy read_policy_;
  RefreshRules classes_;
  int32_t most_depth_ = 0;
  std::vector<bool> is_newer_run_;  // by run of the table: whether it is newer than the segment's lists
  std::unique_ptr<KnownRows<UrlRow>> table_;
  OriginSweep sweep_;
  std::unique_ptr<KnownRowBatches> plain_;  // the columns that plain rows have beside their sidecar's entry
  std::unique_ptr<KnownRowBatches> words_;  // the columns by which a sitemap's word is news for a page
  std::unique_ptr<HostLists> lists_;
  std::unique_ptr<NamedSitemaps> named_;
  std::unique_ptr<LinkStandings> links_;
  SlotOfKeys slot_of_;
  LinkStanding standing_;  // of the URL in hand
  RunWriter<UrlRow>* run_ = nullptr;
  RunWriter<OutlinksRow>* outlinks_run_ = nullptr;
  UrlTally tally_;
  RefreshNumbers refreshed_;
  // Reused for every group.
  UrlGroup group_;
  FetchRow fetch_;
  ParseRow parse_;
  UrlRow base_;
  OutlinksRow outlinks_;
};

}  // namespace trawl
