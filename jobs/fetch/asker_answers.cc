// Members of Asker (jobs/fetch/asker.h): what an answer does to its URL, to the target of its redirect, and to its host.
#include <algorithm>
#include <utility>

#include "formats/url/key.h"
#include "jobs/fetch/asker.h"
#include "jobs/politeness/share.h"
#include "jobs/sums/answer_times.h"
#include "jobs/sums/guessed_sitemap.h"

namespace trawl {

using arrow::Status;

namespace {

constexpr int kMostRobotsTries = 4;

// Whether a guess that leads there was right: many sites send all that they do not have to their home page.
bool MayBeSitemap(std::string_view key) {
  const std::string_view path = key.substr(OriginPartOfKey(key).size());
  return path.find("sitemap") != std::string_view::npos || path.find(".xml") != std::string_view::npos;
}

}  // namespace

Status Asker::TakeAnswer(HttpAnswer answer, int64_t ended_ms) {
  const auto found = asked_.find(answer.id);
  if (found == asked_.end()) return Status::Invalid("an answer that nobody asked for");
  Asked asked = std::move(found->second);
  asked_.erase(found);
  const bool spoilt = asked.is_robots && answer.own_fault && ++asked.trip.tries < kMostRobotsTries;
  const bool is_nothing = spoilt || answer.stale_connection || answer.outcome == HttpOutcome::kCancelled;
  if (is_nothing) {
    // Counts as not asked, except for the delay.
    if (asked.is_robots) {
      trips_.Add(asked.host, std::move(asked.trip));
    } else {
      state_.TakeBackRequest(asked.page.number);
      state_.frontier().PutBack(asked.host, asked.page.number);
    }
    EndAnswer(asked.host, answer, {.sign = HostSign::kBlameless}, asked.IsPage(), ended_ms);
  } else if (asked.is_robots) {
    const HostNumber wanting = asked.trip.waiting;
    trips_.TakeAnswer(std::move(asked.trip), answer, ended_ms);
    if (wanting != asked.host) GiveBackIfLeftOut(wanting, ended_ms);
    PageVerdict verdict = JudgePage(answer, false, ended_ms);
    // If a missing robots.txt holds no page back, it is no reason to leave the host alone: the page itself will tell.
    // But where nobody is there, no page is asked for.
    if (verdict.sign == HostSign::kFailed && state_.gate().allows_unreachable() && !answer.nobody_there) {
      verdict.sign = HostSign::kBlameless;
    }
    EndAnswer(asked.host, answer, verdict, false, ended_ms);
  } else {
    TakePage(asked, std::move(answer), ended_ms);
  }
  return Status::OK();
}

void Asker::TakePage(const Asked& asked, HttpAnswer answer, int64_t ended_ms) {
  const FetchPage& page = asked.page;
  const PageVerdict verdict = JudgePage(answer, page.conditional, ended_ms);
  FetchRow row = AnsweredRow(page, answer, verdict, asked.robots, ended_ms);
  row.requests = state_.RequestsOf(page.number);
  if (row.outcome == Outcome::kRedirect && FollowRedirect(asked, answer, &row)) {
    state_.frontier().PutBack(asked.host, page.number);
    return EndAnswer(asked.host, answer, verdict, asked.IsPage(), ended_ms);
  }
  const bool settled = state_.Settle(page.number, row.outcome, row.blameless);
  if (row.outcome == Outcome::kFetched || row.outcome == Outcome::kNotModified) {
    if (asked.IsPage()) ++state_.frontier().row(asked.host).fetched;
  }
  FetchedPage fetched{std::move(row), std::nullopt};
  if (StoresBody(page, fetched.fetch, state_.options())) {
    fetched.content = ContentOf(page, fetched.fetch, std::move(answer.body));
    if (asked.IsPage()) ++counters_["pages"];
  }
  const bool throttled = fetched.fetch.outcome == Outcome::kThrottled;
  WriteRedirectOf(page.number);
  WriteAnswered(std::move(fetched));
  if (!settled && throttled) state_.frontier().PutBack(asked.host, page.number);
  if (!settled && !throttled) {
    ++counters_["retries"];
    state_.frontier().AskLater(asked.host, page.number, ended_ms + state_.RetryWaitMs(page.number));
  }
  EndAnswer(asked.host, answer, verdict, asked.IsPage(), ended_ms);
}

void Asker::WriteRedirectOf(UrlNumber url) {
  const auto respelled = respelled_.find(url);
  if (respelled == respelled_.end() || !respelled->second.redirect) return;
  WriteAnswered({*std::move(respelled->second.redirect), std::nullopt});
  respelled->second.redirect.reset();
}

void Asker::WriteAnswered(FetchedPage fetched) {
  Count(fetched.fetch);
  if (fetched.fetch.kind != UrlKind::kProbe) {
    ++counters_["fetched"];
    counters_["bytes"] += fetched.fetch.bytes;
    counters_["wire_bytes"] += fetched.fetch.wire_bytes;
  }
  write_(std::move(fetched));
}

bool Asker::FollowRedirect(const Asked& asked, const HttpAnswer& answer, FetchRow* row) {
  const FetchPage& page = asked.page;
  if (page.row.kind == UrlKind::kProbe) return false;  // where it leads does not matter
  const RedirectTarget target = redirects_.Read(page.url, answer.location, page.row.depth);
  row->redirect_to = target.key;
  row->redirect_url = target.url;
  if (IsGuessedSitemap(page.row) && !MayBeSitemap(target.key)) {
    row->outcome = Outcome::kRedirectRefused;
    row->reason = kNoSitemap;
    return false;
  }
  if (!target.reason.empty()) {
    row->outcome = Outcome::kRedirectRefused;
    row->reason = target.reason;
    return false;
  }
  if (target.key == page.row.key && !page.was_respelled) {
    respelled_[page.number] = {target.url, std::move(*row)};
    return true;
  }
  if (!state_.NoteRedirect(page.row.key, target.key)) {
    row->outcome = Outcome::kRedirectLoop;
    return false;
  }
  if (page.hops + 1 > state_.options().max_hops) {
    row->outcome = Outcome::kRedirectLimit;
    row->reason = "more than " + std::to_string(state_.options().max_hops) + " in a row (--fetch.max_hops)";
    return false;
  }
  QueueHop(target, *row);
  return false;
}

void Asker::QueueHop(const RedirectTarget& target, const FetchRow& from) {
  const HopFate fate =
      state_.QueueHop({target.key, target.url, from.key, from.hops + 1, from.depth, from.score, from.kind});
  if (fate == HopFate::kKnown) ++counters_["hops_known"];
  if (fate != HopFate::kQueued) return;
  ++counters_["hops"];
  GiveBackIfLeftOut(state_.HostFor(target.key), from.fetched_ms);
}

void Asker::EndAnswer(HostNumber host, const HttpAnswer& answer, const PageVerdict& verdict, bool is_page,
                      int64_t ended_ms) {
  HostAnswer about;
  about.sign = verdict.sign;
  about.ended_ms = ended_ms;
  if (answer.status != 0) about.response_ms = answer.timings.total_ms - std::max<int64_t>(answer.timings.dns_ms, 0);
  about.retry_after_ms = verdict.retry_after_ms;
  about.is_page = is_page;
  about.bytes = answer.wire_bytes + answer.header_bytes;
  if (answer.has_address) {
    state_.frontier().row(host).addresses = answer.address.ToString();
    state_.frontier().SetAddress(host, answer.address.ToString());
  }
  audit_.End(HostOfKey(state_.frontier().row(host).key), ended_ms);
  const int64_t delay_before_ms = state_.frontier().DelayMs(host);
  if (is_page) state_.EndPage(host, ended_ms);
  state_.frontier().Answered(host, about);
  turns_.End(state_.frontier().UnitOf(host), state_.frontier().LastTurn(host));
  // A host that throttles again and again has doubled its delay beyond what a round waits for.
  const int64_t delay_ms = state_.frontier().DelayMs(host);
  if (verdict.sign == HostSign::kThrottled && delay_ms > kLongestPauseMs) {
    HostRow& row = state_.frontier().row(host);
    row.not_before_ms = std::max(row.not_before_ms, ended_ms + delay_ms);
  }
  GiveBackIfLeftOut(host, ended_ms);
  if (!trips_.IsOutside(host)) NoteLearned(host, about, delay_before_ms);
}

void Asker::NoteLearned(HostNumber host, const HostAnswer& about, int64_t delay_before_ms) {
  const int64_t usual_ms = state_.options().delay_ms;
  // robots.txt may ask for a longer delay than before. Among pages only the first that makes the host slow is urgent;
  // otherwise parts would close without end.
  const bool may_be_new = !about.is_page || delay_before_ms <= usual_ms;
  const bool has_grown = may_be_new && state_.frontier().DelayMs(host) > usual_ms;
  const bool is_full = about.is_page && state_.IsFull(host, about.ended_ms);
  state_.NoteLearned(host, /*is_urgent=*/about.sign == HostSign::kThrottled || has_grown || is_full);
}

void Asker::GiveBackIfLeftOut(HostNumber host, int64_t now_ms) {
  if (state_.frontier().IsSkipped(host)) {
    // generate leaves it out, and says so, until its robots.txt is due again.
    counters_["skipped_for_delay"] += state_.GiveBack(host);
  }
  if (state_.IsFull(host, now_ms)) state_.GiveBack(host);
  if (!state_.MustPause(host, now_ms)) return;
  state_.GiveBack(host);
  trips_.GiveUp(host, now_ms);
}

void Asker::Count(const FetchRow& row) {
  if (row.kind == UrlKind::kProbe) {
    ++counters_["probes"];
    return;
  }
  ++counters_["outcome." + (IsNoSitemap(row) ? std::string(kNoSitemapOutcome) : TextOf(row.outcome))];
  if (row.status == 0) return;
  ++counters_["status." + std::to_string(row.status)];
  ++counters_[AnswerBucketCounter(row.total_ms)];
  counters_[kAnswersMsCounter] += row.total_ms;
}

}  // namespace trawl
