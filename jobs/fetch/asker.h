// Asks hosts and settles URLs. It stands between the frontier, robots.txt, the HTTP client and the part writer. One
// thread.
//
// Call Serve for each host that the frontier gives out, and TakeAnswer for each answer of the client. Every URL that is
// asked for, or settled without asking, makes a row for the part writer.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "arrow/status.h"
#include "formats/scope/crawl_scope.h"
#include "jobs/audit/audit.h"
#include "jobs/fetch/page.h"
#include "jobs/fetch/part_writer.h"
#include "jobs/fetch/redirect.h"
#include "jobs/fetch/robots_trips.h"
#include "jobs/fetch/state.h"
#include "jobs/politeness/turns.h"
#include "runtime/http/http.h"
#include "runtime/job/counters.h"

namespace trawl {

// The parts that an Asker works with. All that it refers to must outlive the Asker.
struct AskerParts {
  FetchState& state;
  HttpClient& client;
  HostTurns& turns;
  const CrawlScope& scope;
  Counters& counters;
  NormalForm form = NormalForm::kStandard;
  // Tasks on this machine that share its sockets.
  int tasks = 1;
  // Takes the rows.
  std::function<void(FetchedPage)> write;
};

class Asker {
 public:
  explicit Asker(AskerParts parts);
  // Abandons the requests still in flight.
  ~Asker();
  Asker(const Asker&) = delete;
  Asker& operator=(const Asker&) = delete;

  // Takes a host that the frontier gave out, and asks for one of its URLs or settles some without asking. `now_ms` is
  // the crawl's time.
  arrow::Status Serve(HostNumber host, int64_t now_ms);
  // Takes an answer of the client, seen at `ended_ms` of the crawl's time.
  arrow::Status TakeAnswer(HttpAnswer answer, int64_t ended_ms);

  size_t under_way() const { return asked_.size(); }
  int resolving() const { return resolving_; }
  const PolitenessAudit& audit() const { return audit_; }
  // Requests that have been in flight for more than 2 s.
  int64_t SlowRequests(int64_t now_ms) const;

 private:
  struct Asked {
    HostNumber host = 0;
    int64_t began_ms = 0;
    bool is_robots = false;
    RobotsTrip trip;
    FetchPage page;
    RobotsDecision robots;

    // Neither a robots.txt nor a path that cannot exist: what pages count is not theirs.
    bool IsPage() const { return !is_robots && page.row.kind != UrlKind::kProbe; }
  };

  // False where another list's task asks the host, or asked it too recently.
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
  // Judges a redirect's target and may queue it. True where the page itself is asked for again under another spelling;
  // its row is then kept for later.
  bool FollowRedirect(const Asked& asked, const HttpAnswer& answer, FetchRow* row);
  void QueueHop(const RedirectTarget& target, const FetchRow& from);
  // Leaves a host to another round if it does not answer, asks for a long pause, or had its pages of the day.
  void GiveBackIfLeftOut(HostNumber host, int64_t now_ms);
  void EndAnswer(HostNumber host, const HttpAnswer& answer, const PageVerdict& verdict, bool is_page, int64_t ended_ms);
  // Notes the host for the next part, which is due at once if a successor must know of it. `delay_before_ms` is the
  // delay that its politeness unit had before this answer.
  void NoteLearned(HostNumber host, const HostAnswer& about, int64_t delay_before_ms);
  void WriteAnswered(FetchedPage fetched);
  // Writes the row that FollowRedirect kept for the page, if any. It comes before the page's other rows.
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
  // A page that is asked for again under the spelling that it redirected to.
  struct Respelled {
    std::string url;
    // The row of the redirect. It is written together with the next answer, because alone it would read as a circle.
    std::optional<FetchRow> redirect;
  };
  std::unordered_map<UrlNumber, Respelled> respelled_;
  PolitenessAudit audit_;
  const size_t most_kept_;
  int resolving_ = 0;
  uint64_t last_id_ = 0;
};

}  // namespace trawl
