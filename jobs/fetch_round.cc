#include "jobs/fetch_round.h"

#include <sys/resource.h>

#include <algorithm>
#include <utility>

#include "formats/http_target.h"
#include "formats/url_key.h"
#include "jobs/fetch_identity.h"
#include "jobs/host_delay.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// URLs of a host that are settled without a request before other hosts get their turn.
constexpr int kMostSettledAtOnce = 256;
// A connection is kept over a delay up to this; servers close idle ones soon after.
constexpr int64_t kLongestKeptMs = 10'000;
constexpr int64_t kKeptBeyondDelayMs = 3'000;
constexpr int kMostRobotsTries = 4;
// For the live line.
constexpr int64_t kSlowMs = 2'000;
// A host that asks for a longer pause gets it over rounds.
constexpr int64_t kLongestPauseMs = 300'000;

// Connections that may be kept at once: half of what the process may open, the rest being for those under way and files.
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

// Of a page that robots.txt holds back.
Outcome OutcomeOf(const RobotsDecision& robots) {
  if (robots.kind == RobotsDecision::Kind::kAddressRefused) return Outcome::kAddressRefused;
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

FetchRound::FetchRound(FetchState& state, HttpClient& client, NormalForm form, const UrlPolicy& policy, int tasks, Counters& counters,
                       std::function<void(FetchedPage)> write)
    : state_(state),
      client_(client),
      redirects_(form, policy),
      counters_(counters),
      write_(std::move(write)),
      trips_(state),
      spaces_addresses_(state.options.address_delay_ms > 0 && !state.options.allow_private),
      most_kept_(MostKept() / static_cast<size_t>(std::max(tasks, 1))) {}

// -- asking --------------------------------------------------------------------------------------------------------------

Status FetchRound::Serve(HostNumber host, int64_t now_ms) {
  if (spaces_addresses_ && !state_.frontier.HasAddress(host)) {
    Resolve(host);
    return Status::OK();
  }
  if (std::optional<RobotsTrip> trip = trips_.Take(host)) {
    AskRobots(host, std::move(*trip), now_ms);
    return Status::OK();
  }
  for (int settled = 0; settled < kMostSettledAtOnce; ++settled) {
    const std::optional<UrlNumber> url = state_.frontier.NextUrl(host, now_ms);
    if (!url) break;
    ARROW_ASSIGN_OR_RAISE(const bool asked, ServeOne(host, *url, now_ms));
    if (asked) return Status::OK();
  }
  state_.frontier.Release(host);
  return Status::OK();
}

// The host keeps its turn until its address is known, and then gets one among those of that address.
void FetchRound::Resolve(HostNumber host) {
  ++resolving_;
  client_.Resolve(HostOfKey(state_.frontier.row(host).key), [this, host](const DnsAnswer& answer) {
    --resolving_;
    // A name without addresses shares none; asking it will say so.
    const std::string name = state_.frontier.row(host).key;
    state_.frontier.SetAddress(host, answer.addresses.empty() ? name : answer.addresses[0].ToString());
    state_.frontier.Release(host);
  });
}

// False where the URL was settled without a request.
Result<bool> FetchRound::ServeOne(HostNumber host, UrlNumber url, int64_t now_ms) {
  using Kind = RobotsDecision::Kind;
  ARROW_ASSIGN_OR_RAISE(FetchPage page, PageOf(state_.list, url));
  const auto respelled = respelled_.find(url);
  if (respelled != respelled_.end()) {
    page.url = respelled->second;
    page.was_respelled = true;
    page.conditional = false;
  }
  if (!HttpTarget::Parse(page.url)) {
    SettleUnasked(page, Outcome::kSchemeRefused, "not a URL that can be asked for", {}, now_ms);
    return false;
  }
  const std::string origin(OriginPartOfKey(page.row.key));
  RobotsDecision robots = state_.gate.Check(origin, PathOfUrl(page.url), now_ms);
  if (robots.kind == Kind::kMustAsk) {
    state_.frontier.PutBack(host, url);
    AskRobots(host, trips_.Begin(host, origin, RobotsUrlOf(page.url)), now_ms);
    return true;
  }
  const std::optional<int64_t> crawl_delay_ms = state_.gate.CrawlDelayMs(origin);
  state_.frontier.SetCrawlDelay(host, crawl_delay_ms);
  if (DelayOf(state_.frontier.row(host), crawl_delay_ms, state_.options).skip) {
    SettleUnasked(page, Outcome::kRobotsDeferred, "its Crawl-delay is over --fetch.max_crawl_delay, and such hosts are skipped",
                  robots, now_ms);
    return false;
  }
  if (robots.kind != Kind::kAllowed) {
    SettleUnasked(page, OutcomeOf(robots), ReasonOf(robots), robots, now_ms);
    return false;
  }
  if (robots.despite_unreachable) ++counters_["robots_unreachable_allowed"];
  AskPage(host, std::move(page), std::move(robots), now_ms);
  return true;
}

void FetchRound::SettleUnasked(const FetchPage& page, Outcome outcome, std::string reason, const RobotsDecision& robots,
                               int64_t now_ms) {
  state_.list.progress(page.number).is_done = true;
  FetchRow row = UnaskedRow(page, outcome, std::move(reason), robots, now_ms);
  row.requests = state_.list.progress(page.number).requests;
  Count(row);
  write_({std::move(row), std::nullopt});
}

void FetchRound::AskRobots(HostNumber host, RobotsTrip trip, int64_t now_ms) {
  HttpRequest request;
  request.url = trip.url;
  request.limits = LimitsOf(state_.options, false);
  request.limits.max_body_bytes = kMaxRobotsBytes;
  request.http2 = state_.options.http2;
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

void FetchRound::AskPage(HostNumber host, FetchPage page, RobotsDecision robots, int64_t now_ms) {
  HttpRequest request = RequestFor(page, state_.options);
  UrlProgress& progress = state_.list.progress(page.number);
  progress.requests = static_cast<uint8_t>(std::min(progress.requests + 1, 255));
  Asked asked;
  asked.host = host;
  asked.began_ms = now_ms;
  asked.page = std::move(page);
  asked.robots = std::move(robots);
  Submit(std::move(asked), std::move(request));
}

void FetchRound::Submit(Asked asked, HttpRequest request) {
  request.id = ++last_id_;
  const int64_t delay_ms = state_.frontier.DelayMs(asked.host);
  const bool has_more = asked.is_robots || state_.frontier.HasUrls(asked.host);
  if (delay_ms <= kLongestKeptMs) request.reuse_idle_ms = delay_ms + kKeptBeyondDelayMs;
  const int64_t active = state_.frontier.hosts_busy() + state_.frontier.hosts_waiting();
  request.keep_connection = has_more && request.reuse_idle_ms > 0 && active <= static_cast<int64_t>(most_kept_);
  asked_.emplace(request.id, std::move(asked));
  client_.Submit(std::move(request));
}

int64_t FetchRound::SlowRequests(int64_t now_ms) const {
  return std::count_if(asked_.begin(), asked_.end(),
                       [now_ms](const auto& asked) { return now_ms - asked.second.began_ms > kSlowMs; });
}

// -- answers -------------------------------------------------------------------------------------------------------------

Status FetchRound::TakeAnswer(HttpAnswer answer, int64_t ended_ms) {
  const auto found = asked_.find(answer.id);
  if (found == asked_.end()) return Status::Invalid("an answer that nobody asked for");
  Asked asked = std::move(found->second);
  asked_.erase(found);
  const bool spoilt = asked.is_robots && answer.own_fault && ++asked.trip.tries < kMostRobotsTries;
  const bool is_nothing = spoilt || answer.stale_connection || answer.outcome == HttpOutcome::kCancelled;
  if (is_nothing) {
    // As if it had not been asked, but for the delay.
    if (asked.is_robots) {
      trips_.Add(asked.host, std::move(asked.trip));
    } else {
      --state_.list.progress(asked.page.number).requests;
      state_.frontier.PutBack(asked.host, asked.page.number);
    }
    EndAnswer(asked.host, answer, {.sign = HostSign::kBlameless}, !asked.is_robots, ended_ms);
  } else if (asked.is_robots) {
    trips_.TakeAnswer(asked.host, std::move(asked.trip), answer, ended_ms);
    EndAnswer(asked.host, answer, JudgePage(answer, false, ended_ms), false, ended_ms);
  } else {
    TakePage(std::move(asked), std::move(answer), ended_ms);
  }
  return Status::OK();
}

void FetchRound::TakePage(Asked asked, HttpAnswer answer, int64_t ended_ms) {
  const FetchPage& page = asked.page;
  const PageVerdict verdict = JudgePage(answer, page.conditional, ended_ms);
  FetchRow row = AnsweredRow(page, answer, verdict, asked.robots, ended_ms);
  row.requests = state_.list.progress(page.number).requests;
  if (row.outcome == Outcome::kRedirect && FollowRedirect(asked, answer, &row)) {
    state_.frontier.PutBack(asked.host, page.number);
    return EndAnswer(asked.host, answer, verdict, true, ended_ms);
  }
  const bool settled = state_.Settle(page.number, row.outcome, row.blameless);
  if (row.outcome == Outcome::kFetched || row.outcome == Outcome::kNotModified) {
    ++state_.frontier.row(asked.host).fetched;
  }
  Count(row);
  FetchedPage fetched{std::move(row), std::nullopt};
  if (StoresBody(page, fetched.fetch)) {
    fetched.content = ContentOf(page, fetched.fetch, std::move(answer.body));
    ++counters_["pages"];
  }
  const bool throttled = fetched.fetch.outcome == Outcome::kThrottled;
  ++counters_["fetched"];
  counters_["bytes"] += fetched.fetch.bytes;
  counters_["wire_bytes"] += fetched.fetch.wire_bytes;
  write_(std::move(fetched));
  if (!settled && throttled) state_.frontier.PutBack(asked.host, page.number);
  if (!settled && !throttled) {
    ++counters_["retries"];
    state_.frontier.AskLater(asked.host, page.number, ended_ms + state_.RetryWaitMs(page.number));
  }
  EndAnswer(asked.host, answer, verdict, true, ended_ms);
}

bool FetchRound::FollowRedirect(const Asked& asked, const HttpAnswer& answer, FetchRow* row) {
  const FetchPage& page = asked.page;
  const RedirectTarget target = redirects_.Read(page.url, answer.location, page.row.depth);
  row->redirect_to = target.key;
  row->redirect_url = target.url;
  if (!target.reason.empty()) {
    row->outcome = Outcome::kRedirectRefused;
    row->reason = target.reason;
    return false;
  }
  if (target.key == page.row.key && !page.was_respelled) {
    respelled_[page.number] = target.url;
    return true;
  }
  if (!state_.NoteRedirect(page.row.key, target.key)) {
    row->outcome = Outcome::kRedirectLoop;
    return false;
  }
  if (page.hops + 1 > state_.options.max_hops) {
    row->outcome = Outcome::kRedirectLimit;
    row->reason = "more than " + std::to_string(state_.options.max_hops) + " in a row";
    return false;
  }
  QueueHop(target, *row);
  return false;
}

// A target that the list has, or that was met before, is that fetch; another segment's domain is not ours to ask.
void FetchRound::QueueHop(const RedirectTarget& target, const FetchRow& from) {
  if (state_.list.Find(target.key) || !state_.Holds(HostOfKey(target.key))) return;
  const HostNumber host = state_.HostFor(target.key);
  if (state_.frontier.row(host).blocked) return;
  const UrlNumber number =
      state_.list.AddHop({target.key, target.url, from.key, from.hops + 1, from.depth, from.score});
  state_.frontier.Append(host, number);
  ++counters_["hops"];
  GiveBackIfHeld(host, from.fetched_ms);
}

void FetchRound::EndAnswer(HostNumber host, const HttpAnswer& answer, const PageVerdict& verdict, bool is_page,
                           int64_t ended_ms) {
  HostAnswer about;
  about.sign = verdict.sign;
  about.ended_ms = ended_ms;
  if (answer.status != 0) about.response_ms = answer.timings.total_ms - std::max<int64_t>(answer.timings.dns_ms, 0);
  about.retry_after_ms = verdict.retry_after_ms;
  about.is_page = is_page;
  about.bytes = answer.wire_bytes + answer.header_bytes;
  if (answer.has_address) {
    state_.frontier.row(host).addresses = answer.address.ToString();
    if (spaces_addresses_) state_.frontier.SetAddress(host, answer.address.ToString());
  }
  state_.touched.insert(host);
  state_.frontier.Answered(host, about);
  GiveBackIfHeld(host, ended_ms);
}

void FetchRound::GiveBackIfHeld(HostNumber host, int64_t now_ms) {
  const HostRow& row = state_.frontier.row(host);
  if (!IsHeldByBreaker(row, now_ms) && row.not_before_ms - now_ms <= kLongestPauseMs) return;
  state_.given_back += state_.frontier.GiveBack(host);
  trips_.GiveUp(host, now_ms);
}

void FetchRound::Count(const FetchRow& row) {
  ++counters_["outcome." + TextOf(row.outcome)];
  if (row.status != 0) ++counters_["status." + std::to_string(row.status)];
}

}  // namespace trawl
