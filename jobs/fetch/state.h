// Everything a fetch task works on, and how it comes from the segment's lists and from what attempts before have
// fetched.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/attempt_entry.h"
#include "formats/documents/step_record.h"
#include "formats/rows/fetch_row.h"
#include "jobs/fetch/url_list.h"
#include "jobs/policy/fetch_options.h"
#include "jobs/policy/robots_options.h"
#include "jobs/politeness/frontier.h"
#include "jobs/politeness/robots_gate.h"
#include "runtime/store/store.h"
#include "runtime/tables/key_lookup.h"
#include "runtime/tables/table.h"

namespace trawl {

// A host that asks for a longer pause gets it over rounds.
inline constexpr int64_t kLongestPauseMs = 300'000;

class FetchState {
 public:
  FetchState(const FetchOptions& options, const RobotsOptions& robots, int64_t now_ms, bool continues);

  // Reads one list, and the parts that attempts before have committed. Pages that are settled are not asked again.
  arrow::Status Load(Store* store, const std::string& segment, const StepTask& lists,
                     const std::vector<AttemptEntry>& parts);

  // The queue of the host that a key begins with; made where there is none, by what the crawl knows of the host.
  HostNumber HostFor(std::string_view key);
  // Whether the list has the host's registrable domain, and thereby holds it.
  bool Holds(std::string_view host) const;

  // Whether the crawl knows the URL and has settled it before this segment: it has a due time of its own, and a redirect
  // to it is no reason to ask before. Where that cannot be looked up it counts as new: asked for once too often rather
  // than never.
  bool IsSettledInCrawl(std::string_view key);

  // Counts what became of a request for a URL and says whether that settles it in this round.
  bool Settle(UrlNumber url, Outcome outcome, bool blameless);
  // How long after a failure it is asked again.
  int64_t RetryWaitMs(UrlNumber url);

  // Notes a redirect. False where it closes a loop: following redirects from `to` leads back to `from`, or it is
  // `from`.
  bool NoteRedirect(std::string_view from, std::string_view to);

  FetchOptions options;
  FetchList list;
  FetchFrontier frontier;
  RobotsGate gate;
  // Tables of the crawl. A redirect may lead to hosts that the list does not have; without these nothing is known of
  // them.
  std::optional<KeyEntries> urls;
  std::shared_ptr<const Table> host_table, robots_table;
  // Hosts whose rows changed since the last part.
  std::unordered_set<HostNumber> touched;
  // Some of them were throttled, have come to delays that are longer than the crawl's own, or had their pages of the
  // day.
  bool has_new_wishes = false;
  int64_t pages_a_day = INT64_MAX;  // of a host, hops and retries counted
  int64_t urls_done_before = 0;
  int64_t given_back = 0;  // their host's breaker is open, it asks for a long pause, or its day is full

 private:
  arrow::Status ReadHosts(Store* store, const std::string& segment, const StepTask& lists,
                          const std::vector<AttemptEntry>& parts);
  arrow::Status ReadRobots(Store* store, const std::string& segment, const StepTask& lists,
                           const std::vector<AttemptEntry>& parts);
  arrow::Status ReadList(Store* store, const std::string& segment, const StepTask& lists);
  arrow::Status ReadFetched(Store* store, const std::string& segment, const std::vector<AttemptEntry>& parts);
  void TakeFetched(const FetchRow& row);
  HostRow LookUpHost(const std::string& host_key, std::string_view origin);
  void FillQueues();
  bool IsLeftAlone(const HostRow& host) const;
  void QueueUrl(HostNumber host, UrlNumber url);

  const int64_t start_ms_;
  const bool continues_;
  std::unordered_map<std::string, HostNumber> host_by_key_;
  std::unordered_set<std::string> domains_;
  std::unordered_map<uint64_t, uint64_t> redirects_;    // hashes of keys
  std::unordered_map<std::string, HostRow> host_rows_;  // of hosts that have no queue yet
  // While loading alone.
  std::vector<HostNumber> host_of_;  // by number of a listed URL
  std::vector<HopUrl> hops_;
  std::unordered_map<UrlNumber, int64_t> answered_ms_;  // of those that are asked again
};

}  // namespace trawl
