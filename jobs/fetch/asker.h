// Asks hosts and settles URLs: between the schedule, robots.txt, the HTTP client and the rows. One thread.
//
// Serve is called for each host that the frontier gives out, TakeAnswer for each answer of the client. Every URL that
// is settled, or that was asked, makes a row, which goes to the part writer.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "arrow/status.h"
#include "formats/scope/crawl_scope.h"
#include "jobs/fetch/page.h"
#include "jobs/fetch/part_writer.h"
#include "jobs/fetch/redirect.h"
#include "jobs/fetch/robots_trips.h"
#include "jobs/fetch/state.h"
#include "jobs/politeness/turns.h"
#include "runtime/http/http.h"
#include "runtime/job/counters.h"

namespace trawl {

class Asker {
 public:
  // All must outlive it. Takes the rows in `write`.
  Asker(FetchState& state, HttpClient& client, HostTurns& turns, NormalForm form, const CrawlScope& scope, int tasks,
        Counters& counters, std::function<void(FetchedPage)> write);
  // What is under way then was asked in vain.
  ~Asker();
  Asker(const Asker&) = delete;
  Asker& operator=(const Asker&) = delete;

  // A host that the frontier gave out: asks for one of its URLs, or settles some without asking. `now_ms` is the
  // crawl's.
  arrow::Status Serve(HostNumber host, int64_t now_ms);
  // `ended_ms`: when the answer was seen, by the crawl's time.
  arrow::Status TakeAnswer(HttpAnswer answer, int64_t ended_ms);

  size_t under_way() const { return asked_.size(); }
  int resolving() const { return resolving_; }
  // Requests that have been under way for long.
  int64_t SlowRequests(int64_t now_ms) const;

 private:
  struct Asked {
    HostNumber host = 0;
    int64_t began_ms = 0;
    bool is_robots = false;
    RobotsTrip trip;
    FetchPage page;
    RobotsDecision robots;
  };

  // Whether no other list's task asks the host, or did so too shortly before.
  bool HasTurn(HostNumber host, int64_t now_ms);
  void EndUnasked(HostNumber host);
  arrow::Result<bool> ServeOne(HostNumber host, UrlNumber url, int64_t now_ms);
  void AskRobots(HostNumber host, RobotsTrip trip, int64_t now_ms);
  void AskPage(HostNumber host, FetchPage page, RobotsDecision robots, int64_t now_ms);
  void Submit(Asked asked, HttpRequest request);
  void SettleUnasked(const FetchPage& page, Outcome outcome, std::string reason, const RobotsDecision& robots,
                     int64_t now_ms);
  void Resolve(HostNumber host);
  void TakePage(const Asked& asked, HttpAnswer answer, int64_t ended_ms);
  // Judges a redirect's target; may queue it. True where the page itself is asked again under another spelling, and the
  // row is kept for later.
  bool FollowRedirect(const Asked& asked, const HttpAnswer& answer, FetchRow* row);
  void QueueHop(const RedirectTarget& target, const FetchRow& from);
  // Hosts that do not answer, that ask for a long pause, or that had their pages of the day, are left to another round.
  void GiveBackIfLeftOut(HostNumber host, int64_t now_ms);
  void EndAnswer(HostNumber host, const HttpAnswer& answer, const PageVerdict& verdict, bool is_page, int64_t ended_ms);
  // For the part; at once where a successor must know it. `delay_before_ms`: of its unit, before this answer.
  void NoteLearned(HostNumber host, const HostAnswer& about, int64_t delay_before_ms);
  void WriteAnswered(FetchedPage fetched);
  // The row that was kept for the page, where there is one: before any other of it.
  void WriteRedirectOf(UrlNumber url);
  void Count(const FetchRow& row);

  FetchState& state_;
  HttpClient& client_;
  HostTurns& turns_;
  RedirectReader redirects_;
  Counters& counters_;
  const std::function<void(FetchedPage)> write_;
  std::unordered_map<uint64_t, Asked> asked_;
  RobotsTrips trips_;
  // A page that is asked again under the spelling that it redirected to.
  struct Respelled {
    std::string url;
    // Of the request that said so: written with what came of the other, since it alone would read as a circle.
    std::optional<FetchRow> redirect;
  };
  std::unordered_map<UrlNumber, Respelled> respelled_;
  const size_t most_kept_;
  int resolving_ = 0;
  uint64_t last_id_ = 0;
};

}  // namespace trawl
