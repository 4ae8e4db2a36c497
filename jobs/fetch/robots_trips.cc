#include "jobs/fetch/robots_trips.h"

#include <utility>

#include "formats/http/target.h"
#include "formats/url/key.h"
#include "formats/url/url.h"
#include "jobs/politeness/robots_hops.h"
#include "jobs/politeness/verdict.h"

namespace trawl {

namespace {

// The target of a robots.txt's redirect; nothing where it cannot be asked for.
std::optional<std::string> TargetOf(const std::string& url, const std::string& location) {
  const arrow::Result<Url> next = ParseUrlIn(location, url, "UTF-8");
  if (!next.ok() || !next->is_web() || next->has_userinfo()) return std::nullopt;
  return std::string(next->without_fragment());
}

HttpAnswer NoAnswer() {
  HttpAnswer nothing;
  nothing.outcome = HttpOutcome::kConnectFailed;
  nothing.detail = "its host does not answer";
  return nothing;
}

}  // namespace

RobotsTrip RobotsTrips::Begin(HostNumber host, const std::string& origin, const std::string& url) {
  state_.frontier().Park(host);
  return {.origin = origin, .url = url, .waiting = host};
}

void RobotsTrips::Add(HostNumber host, RobotsTrip trip) {
  by_host_[host].push_back(std::move(trip));
  state_.frontier().AddErrand(host);
}

std::optional<RobotsTrip> RobotsTrips::Take(HostNumber host) {
  if (!state_.frontier().TakeErrand(host)) return std::nullopt;
  const auto trips = by_host_.find(host);
  if (trips == by_host_.end()) return std::nullopt;
  RobotsTrip trip = std::move(trips->second.front());
  trips->second.pop_front();
  if (trips->second.empty()) by_host_.erase(trips);
  return trip;
}

void RobotsTrips::TakeAnswer(RobotsTrip trip, const HttpAnswer& answer, int64_t now_ms) {
  if (!trip.is_outside) return GoOn(std::move(trip), answer, Asker::kItself, now_ms);
  Outside& outside = outside_[trip.url];
  outside.answer = std::make_unique<HttpAnswer>(answer);
  std::vector<RobotsTrip> waiting = std::move(outside.waiting);
  GoOn(std::move(trip), answer, Asker::kItself, now_ms);
  for (RobotsTrip& one : waiting) GoOn(std::move(one), answer, Asker::kAnother, now_ms);
}

void RobotsTrips::GoOn(RobotsTrip trip, const HttpAnswer& answer, Asker asker, int64_t now_ms) {
  if (!IsRedirect(answer)) return End(std::move(trip), answer, asker, false, now_ms);
  const std::optional<std::string> next = TargetOf(trip.url, answer.location);
  if (!next || trip.redirects >= kMaxRobotsRedirects) return End(std::move(trip), answer, asker, true, now_ms);
  if (asker == Asker::kItself) {
    AppendRobotsHop({.status = answer.status,
                     .redirect_url = *next,
                     .capture = CaptureOf(answer, trip.url, Truncation::kNone, now_ms)},
                    &trip.hops);
  }
  ++trip.redirects;
  trip.url = *next;
  Send(std::move(trip), now_ms);
}

void RobotsTrips::Send(RobotsTrip trip, int64_t now_ms) {
  const std::optional<HttpTarget> target = HttpTarget::Parse(trip.url);
  const arrow::Result<std::string> host_key = HostPartOfHost(target ? target->host : "");
  if (!host_key.ok()) return End(std::move(trip), HttpAnswer(), Asker::kItself, true, now_ms);
  trip.is_outside = !state_.Holds(target->host);
  if (trip.is_outside && !IsFirstOutside(&trip, now_ms)) return;
  const HostNumber host = state_.HostFor(*host_key + ")");
  if (trip.is_outside) outside_hosts_.insert(host);
  const bool is_left_out = state_.frontier().row(host).blocked || state_.MustPause(host, now_ms);
  return is_left_out ? TakeAnswer(std::move(trip), NoAnswer(), now_ms) : Add(host, std::move(trip));
}

bool RobotsTrips::IsFirstOutside(RobotsTrip* trip, int64_t now_ms) {
  const auto [outside, is_new] = outside_.try_emplace(trip->url);
  if (is_new) return true;
  if (outside->second.answer == nullptr) {
    outside->second.waiting.push_back(std::move(*trip));
  } else {
    // A copy, because following it may grow the map and move the original.
    const HttpAnswer known = *outside->second.answer;
    GoOn(std::move(*trip), known, Asker::kAnother, now_ms);
  }
  return false;
}

void RobotsTrips::End(RobotsTrip trip, const HttpAnswer& answer, Asker asker, bool leads_nowhere, int64_t now_ms) {
  state_.gate().Take(trip.origin,
                     {.http = answer,
                      .redirects = trip.redirects,
                      .redirects_end_nowhere = leads_nowhere,
                      .last_url = trip.url,
                      .is_shared = asker == Asker::kAnother,
                      .hops = std::move(trip.hops)},
                     now_ms);
  state_.frontier().SetCrawlDelay(trip.waiting, state_.gate().CrawlDelayMs(trip.origin));
  state_.frontier().Unpark(trip.waiting);
}

void RobotsTrips::GiveUp(HostNumber host, int64_t now_ms) {
  state_.frontier().DropErrands(host);
  const auto trips = by_host_.find(host);
  if (trips == by_host_.end()) return;
  std::deque<RobotsTrip> given_up = std::move(trips->second);
  by_host_.erase(trips);
  for (RobotsTrip& trip : given_up) TakeAnswer(std::move(trip), NoAnswer(), now_ms);
}

}  // namespace trawl
