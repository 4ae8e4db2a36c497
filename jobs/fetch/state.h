// The state of a fetch task: the queues of its hosts, the progress of its URLs, the redirects it met, and what it has
// learned of hosts since the last part. One thread.
//
// The constructor queues what the list has and what attempts before have left open. FetchTask then takes hosts from
// the frontier, and Asker reports here what became of each URL.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "jobs/fetch/inputs.h"
#include "jobs/fetch/url_list.h"
#include "jobs/policy/fetch_options.h"
#include "jobs/politeness/domain_quotas.h"
#include "jobs/politeness/frontier.h"
#include "jobs/politeness/robots_gate.h"
#include "runtime/tables/key_lookup.h"
#include "runtime/tables/table.h"

namespace trawl {

// The fate of a redirect's target.
enum class HopFate : int8_t {
  kQueued,
  kKnown,  // the crawl has settled it before this segment: it has a due time of its own
  kLeft,   // the task has it already, another segment may hold its domain, or its host is blocked
};

class FetchState {
 public:
  explicit FetchState(FetchInputs inputs);
  FetchState(const FetchState&) = delete;
  FetchState& operator=(const FetchState&) = delete;

  const FetchOptions& options() const { return options_; }
  const FetchList& list() const { return list_; }
  FetchFrontier& frontier() { return frontier_; }
  RobotsGate& gate() { return gate_; }

  // -- URLs

  // Counts a request for a URL that is sent now; TakeBackRequest where it came to nothing.
  void CountRequest(UrlNumber url);
  void TakeBackRequest(UrlNumber url) { --list_.progress(url).requests; }
  // Requests for it in this segment, up to 255.
  int32_t RequestsOf(UrlNumber url) { return list_.progress(url).requests; }
  // Counts the outcome of a request and says whether it settles the URL in this round.
  bool Settle(UrlNumber url, Outcome outcome, bool blameless);
  void SettleUnasked(UrlNumber url) { list_.progress(url).is_done = true; }
  // How long after its last failure a URL is asked for again.
  int64_t RetryWaitMs(UrlNumber url);

  // Notes a redirect. False where it closes a loop: following redirects from `to` leads back to `from`, or `to` is
  // `from`.
  bool NoteRedirect(std::string_view from, std::string_view to);
  // Queues the target of a redirect if it is this task's to ask for.
  HopFate QueueHop(HopUrl hop);

  // -- hosts

  // The queue of the host that a key begins with. Makes one where there is none, by what the crawl knows of the host.
  HostNumber HostFor(std::string_view key);
  // Whether the list has the host's registrable domain, and thereby holds it.
  bool Holds(std::string_view host) const;
  // Counts a request for a page of the host that is sent now, and its answer.
  void BeginPage(HostNumber host) { domains_.Begin(host); }
  void EndPage(HostNumber host, int64_t ended_ms) { domains_.End(host, ended_ms); }
  // Whether the host, or its registrable domain with the requests in flight, has had its pages of the day, or in all.
  bool IsFull(HostNumber host, int64_t now_ms);
  // Whether its breaker is open, or it asks for a pause longer than kLongestPauseMs.
  bool MustPause(HostNumber host, int64_t now_ms);
  // Leaves the URLs in its queue to a later round; returns how many.
  int64_t GiveBack(HostNumber host) {
    const int64_t urls = frontier_.GiveBack(host);
    given_back_ += urls;
    return urls;
  }
  int64_t given_back() const { return given_back_; }
  // Whether all URLs that are left have failed and wait for their next try. What failed through our own machine is no such
  // URL: its row stays as it was, so that the next round would take it at once.
  bool HasOnlyRetries() const { return frontier_.HasOnlyRetries() && !has_blameless_; }
  // Leaves these to a later round, as they are: failed. Returns how many.
  int64_t LeaveRetries();
  // URLs that attempts before have settled.
  int64_t urls_done_before() const { return urls_done_before_; }

  // -- parts

  // Puts the host's row into the next part. `is_urgent`: a successor must know of it soon.
  void NoteLearned(HostNumber host, bool is_urgent);
  bool has_urgent_news() const { return has_urgent_news_; }
  // Rows of the hosts that were noted since the last call.
  std::vector<HostRow> TakeLearned();

 private:
  // Whether the crawl has settled the URL before this segment. A failed lookup counts as new: asked for once too often
  // rather than never.
  bool IsSettledInCrawl(std::string_view key);
  HostRow LookUpHost(const std::string& host_key, std::string_view origin);
  void ReplayFetched(const FetchInputs& inputs);
  void QueueListed(const std::vector<ListedHost>& hosts);
  void QueueHops(std::vector<HopUrl> redirects);
  bool IsLeftAlone(HostNumber number);
  void QueueUrl(HostNumber host, UrlNumber url);

  const FetchOptions options_;
  const std::vector<int64_t> retry_waits_ms_;
  const int64_t start_ms_;
  const bool continues_;
  const PageLimits host_limits_;
  const std::shared_ptr<const Table> host_table_, robots_table_;
  std::optional<KeyEntries> urls_;
  FetchList list_;
  FetchFrontier frontier_;
  RobotsGate gate_;
  std::unordered_map<std::string, HostRow> host_rows_;  // rows of hosts that have no queue yet
  DomainQuotas domains_;
  std::unordered_map<std::string, HostNumber> host_by_key_;
  std::unordered_set<std::string> held_domains_;      // that the list holds
  std::unordered_map<uint64_t, uint64_t> redirects_;  // hashes of keys
  // When URLs that are asked for again failed. Empty once they are queued.
  std::unordered_map<UrlNumber, int64_t> failed_ms_;
  std::unordered_set<HostNumber> learned_;
  bool has_urgent_news_ = false;
  int64_t urls_done_before_ = 0;
  int64_t given_back_ = 0;
  bool has_blameless_ = false;
};

}  // namespace trawl
