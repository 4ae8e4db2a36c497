#include "jobs/fetch/asker.h"

#include <sys/resource.h>

#include <algorithm>
#include <utility>

#include "formats/http/target.h"
#include "formats/url/key.h"
#include "jobs/fetch/identity.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// URLs of one host that are settled without a request before other hosts get their turn.
constexpr int kMostSettledAtOnce = 256;
// A connection is kept over a delay up to this long; servers close idle ones soon after.
constexpr int64_t kLongestKeptMs = 10'000;
constexpr int64_t kKeptBeyondDelayMs = 3'000;
// A request in flight for longer counts as slow on the live line.
constexpr int64_t kSlowMs = 2'000;
// How soon to look again whether another list's task has finished with a host.
constexpr int64_t kLookAgainMs = 20;

// Idle connections that may be kept at once: half of the descriptors that the process may open. The rest is for
// requests in flight and for files.
size_t MostKept() {
  rlimit files = {};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0) return 256;
  return std::min<size_t>(files.rlim_cur / 2, 30'000);
}

std::string OriginOfUrl(const std::string& url) {
  const auto target = HttpTarget::Parse(url);
  return target ? target->Origin() : "";
}

std::string RobotsUrlOf(const std::string& url) { return OriginOfUrl(url) + "/robots.txt"; }

// The outcome of a page that robots.txt holds back.
Outcome OutcomeOf(const RobotsDecision& robots) {
  if (robots.kind == RobotsDecision::Kind::kAddressRefused) return Outcome::kAddressRefused;
  if (robots.kind == RobotsDecision::Kind::kDead) return robots.dead;
  return robots.kind == RobotsDecision::Kind::kDenied ? Outcome::kRobotsDenied : Outcome::kRobotsDeferred;
}

std::string ReasonOf(const RobotsDecision& robots) {
  return robots.line == 0 ? robots.rule : "line " + std::to_string(robots.line) + ": " + robots.rule;
}

std::string PathOfUrl(const std::string& url) {
  const auto target = HttpTarget::Parse(url);
  return target ? target->path : "/";
}

}  // namespace

Asker::Asker(AskerParts parts)
    : state_(parts.state),
      client_(parts.client),
      turns_(parts.turns),
      redirects_(parts.form, parts.scope),
      counters_(parts.counters),
      write_(std::move(parts.write)),
      trips_(parts.state),
      most_kept_(MostKept() / static_cast<size_t>(std::max(parts.tasks, 1))) {}

Asker::~Asker() {
  for (const auto& [id, asked] : asked_) turns_.Release(state_.frontier().UnitOf(asked.host));
}

// -- asking -----------------------------------------------------------------------------------------------------------

Status Asker::Serve(HostNumber host, int64_t now_ms) {
  if (!state_.frontier().HasAddress(host)) {
    Resolve(host);
    return Status::OK();
  }
  if (!HasTurn(host, now_ms)) {
    state_.frontier().Release(host);
    return Status::OK();
  }
  if (std::optional<RobotsTrip> trip = trips_.Take(host)) {
    AskRobots(host, std::move(*trip), now_ms);
    return Status::OK();
  }
  // Other hosts may have had the last pages of its registrable domain.
  if (state_.IsFull(host, now_ms)) state_.GiveBack(host);
  for (int settled = 0; settled < kMostSettledAtOnce; ++settled) {
    const std::optional<UrlNumber> url = state_.frontier().NextUrl(host, now_ms);
    if (!url) break;
    const Result<bool> asked = ServeOne(host, *url, now_ms);
    if (asked.ok() && *asked) return Status::OK();
    if (!asked.ok()) {
      EndUnasked(host);
      return asked.status();
    }
  }
  EndUnasked(host);
  return Status::OK();
}

bool Asker::HasTurn(HostNumber host, int64_t now_ms) {
  const uint64_t unit = state_.frontier().UnitOf(host);
  const std::optional<HostTurn> before = turns_.Begin(unit);
  state_.frontier().TakeTurnOfOthers(host, before.value_or(HostTurn{now_ms, now_ms + kLookAgainMs}));
  if (!before) return false;
  if (state_.frontier().IsReady(host, now_ms)) return true;
  turns_.Release(unit);
  return false;
}

void Asker::EndUnasked(HostNumber host) {
  turns_.Release(state_.frontier().UnitOf(host));
  state_.frontier().Release(host);
}

// Looks the name up before the first request, so that no request takes a place while it waits for a name. The host
// stays busy until its address is known; then it takes turns with the other hosts of that address.
void Asker::Resolve(HostNumber host) {
  ++resolving_;
  client_.Resolve(HostOfKey(state_.frontier().row(host).key), [this, host](const DnsAnswer& answer) {
    --resolving_;
    // A name without addresses shares no address; the request for it will fail and say why.
    const std::string name = state_.frontier().row(host).key;
    state_.frontier().SetAddress(host, answer.addresses.empty() ? name : answer.addresses[0].ToString());
    state_.frontier().Release(host);
  });
}

// False where the URL was settled without a request; the host is then still busy.
Result<bool> Asker::ServeOne(HostNumber host, UrlNumber url, int64_t now_ms) {
  using Kind = RobotsDecision::Kind;
  ARROW_ASSIGN_OR_RAISE(FetchPage page, PageOf(state_.list(), url));
  const auto respelled = respelled_.find(url);
  if (respelled != respelled_.end()) {
    page.url = respelled->second.url;
    page.was_respelled = true;
    page.conditional = false;
  }
  if (!HttpTarget::Parse(page.url)) {
    SettleUnasked(page, Outcome::kSchemeRefused, "not a URL that can be asked for", {}, now_ms);
    return false;
  }
  const std::string origin(OriginPartOfKey(page.row.key));
  RobotsDecision robots = state_.gate().Check(origin, PathOfUrl(page.url), now_ms);
  if (robots.kind == Kind::kMustAsk) {
    state_.frontier().PutBack(host, url);
    AskRobots(host, trips_.Begin(host, origin, RobotsUrlOf(page.url)), now_ms);
    return true;
  }
  const std::optional<int64_t> crawl_delay_ms = state_.gate().CrawlDelayMs(origin);
  state_.frontier().SetCrawlDelay(host, crawl_delay_ms);
  if (state_.frontier().IsSkipped(host)) {
    state_.frontier().PutBack(host, url);
    GiveBackIfLeftOut(host, now_ms);
    return false;
  }
  if (robots.kind != Kind::kAllowed) {
    SettleUnasked(page, OutcomeOf(robots), ReasonOf(robots), robots, now_ms);
    return false;
  }
  // Its Crawl-delay may be longer than the delay by which it was given out.
  if (!state_.frontier().IsReady(host, now_ms)) {
    state_.frontier().PutBack(host, url);
    EndUnasked(host);
    return true;
  }
  if (robots.despite_unreachable) ++counters_["robots_unreachable_allowed"];
  AskPage(host, std::move(page), std::move(robots), now_ms);
  return true;
}

void Asker::SettleUnasked(const FetchPage& page, Outcome outcome, std::string reason, const RobotsDecision& robots,
                          int64_t now_ms) {
  state_.SettleUnasked(page.number);
  FetchRow row = UnaskedRow(page, outcome, std::move(reason), robots, now_ms);
  row.requests = state_.RequestsOf(page.number);
  WriteRedirectOf(page.number);
  Count(row);
  write_({std::move(row), std::nullopt});
}

void Asker::AskRobots(HostNumber host, RobotsTrip trip, int64_t now_ms) {
  HttpRequest request;
  request.url = trip.url;
  request.limits = LimitsOf(state_.options(), false);
  request.limits.max_body_bytes = kMaxRobotsBytes;
  request.http2 = state_.options().http2;
  request.on_head = [](const HttpHead& head) {
    return head.status >= 200 && head.status < 300 ? BodyWish::kKeep : BodyWish::kDrop;
  };
  ++counters_["robots_requests"];
  Asked asked;
  asked.host = host;
  asked.began_ms = now_ms;
  asked.is_robots = true;
  asked.trip = std::move(trip);
  Submit(std::move(asked), std::move(request));
}

void Asker::AskPage(HostNumber host, FetchPage page, RobotsDecision robots, int64_t now_ms) {
  HttpRequest request = RequestFor(page, state_.options());
  state_.CountRequest(page.number);
  Asked asked;
  asked.host = host;
  asked.began_ms = now_ms;
  asked.page = std::move(page);
  if (asked.IsPage()) state_.BeginPage(host);
  asked.robots = std::move(robots);
  Submit(std::move(asked), std::move(request));
}

void Asker::Submit(Asked asked, HttpRequest request) {
  request.id = ++last_id_;
  const int64_t delay_ms = state_.frontier().DelayMs(asked.host);
  audit_.Begin(HostOfKey(state_.frontier().row(asked.host).key), asked.began_ms, delay_ms);
  const bool has_more = asked.is_robots || state_.frontier().HasUrls(asked.host);
  if (delay_ms <= kLongestKeptMs) request.reuse_idle_ms = delay_ms + kKeptBeyondDelayMs;
  const int64_t active = state_.frontier().hosts_busy() + state_.frontier().hosts_waiting();
  request.keep_connection = has_more && request.reuse_idle_ms > 0 && active <= static_cast<int64_t>(most_kept_);
  asked_.emplace(request.id, std::move(asked));
  client_.Submit(std::move(request));
}

int64_t Asker::SlowRequests(int64_t now_ms) const {
  return std::count_if(asked_.begin(), asked_.end(),
                       [now_ms](const auto& asked) { return now_ms - asked.second.began_ms > kSlowMs; });
}

}  // namespace trawl
