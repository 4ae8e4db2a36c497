// Updates the hosts rows of a reducer of updatedb: makes the new row of each host from the table's row and from the
// round's news. One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

#include "arrow/result.h"
#include "arrow/status.h"
#include "formats/rows/host_row.h"
#include "jobs/policy/fetch_options.h"
#include "jobs/updatedb/event.h"
#include "jobs/updatedb/link_fold.h"
#include "jobs/updatedb/next_host.h"
#include "jobs/updatedb/url_event.h"
#include "runtime/job/task.h"
#include "runtime/tables/known_rows.h"

namespace trawl {

class HostUpdates {
 public:
  static arrow::Result<std::unique_ptr<HostUpdates>> Open(TaskContext& context);

  // Goes on to the host of `place`, whose key may be any key of that host. Writes the previous host where it has changed.
  // REQUIRES: hosts come in the order of the table.
  arrow::Status GoTo(RowPlace place);
  // Writes the last host.
  arrow::Status Finish();

  // Takes an observation of the host from the segment.
  arrow::Status Observe(const HostRow& row);
  // Takes the pages of one host of the registrable domain with this name.
  void ObserveDomain(const DomainEvent& event);
  void AddDiscovered() { ++tally_.discovered; }
  // Whether another new URL of it may enter by a link: of a suspected trap only so many a day (kTrapUrlsADay). Notes it
  // where it may not.
  bool TakesNewUrl();
  void AddLinkingHost(uint64_t host);
  // Takes what its sitemaps stated in this round. Called before the host's URLs.
  void AddStated(const StatedEvent& stated);
  // A page was fetched of which a sitemap had said that it has changed.
  void AddLastmod(bool was_right);

  // The answer to a path that cannot exist.
  void AddProbe(ProbeAnswer probe);

  // Whether its last guess at /sitemap.xml is that old; then the guess is noted.
  bool TakeGuess(int64_t interval_ms);
  // It was asked for at that time; 0: nobody knows when.
  void NoteGuess(int64_t asked_ms);
  // URLs of it that have ever entered.
  int64_t discovered() const { return (is_known_ ? known_.discovered : 0) + tally_.discovered; }

  // The host's standing before this round, but suspected where the segment's own counts say so.
  bool blocked() const { return is_known_ && known_.blocked; }
  const HostStanding& standing() const { return standing_; }

 private:
  HostUpdates(TaskContext& context, const FetchOptions& fetch, RunWriter<HostRow>* run,
              std::shared_ptr<const Table> table);
  void SetStanding();
  HostRow NextRow(const HostTally& tally) const;

  TaskContext& context_;
  const FetchOptions fetch_;
  RunWriter<HostRow>* const run_;
  KnownRows<HostRow> table_;
  std::string host_part_;
  uint64_t host_hash_ = 0;
  bool is_known_ = false;
  bool is_observed_ = false;
  HostRow known_;
  HostRow observed_;
  HostTally tally_;
  std::unordered_map<uint64_t, PageNews> domain_news_;  // by host
  DistinctCount linking_hosts_;
  HostStanding standing_;
};

}  // namespace trawl
