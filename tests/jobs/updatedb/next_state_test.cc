// Every state of a URL against every event: cell by cell, and as the table of docs/states.md.
#include "jobs/updatedb/next_state.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "formats/rows/times.h"
#include "jobs/policy/score.h"
#include "jobs/signals/signals.h"
#include "runtime/terminal/units.h"
#include "tests/support/values/test_data.h"

namespace trawl {
namespace {
constexpr int64_t kNow = 1'767'225'600'000;
constexpr int64_t kFetchedAt = kNow - kHourMs;
constexpr char kKey[] = "com,a)/page";
constexpr char kStandIn[] = "com,a)/first";

// The rows of the matrix: the states, and what a URL may be that has none.
enum class Before {
  kUnknown,
  kUnfetched,
  kFetched,
  kRedirected,
  kFailing,
  kLastTry,  // failing, and the next failure is the last
  kGone,
  kDenied,
  kRefused,
  kDuplicate,
  kDropped,
};
constexpr Before kBefores[] = {Before::kUnknown, Before::kUnfetched, Before::kFetched, Before::kRedirected,
                               Before::kFailing, Before::kLastTry,   Before::kGone,    Before::kDenied,
                               Before::kRefused, Before::kDuplicate, Before::kDropped};

const char* NameOf(Before before) {
  static constexpr const char* kNames[] = {"(unknown)", "unfetched",         "fetched", "redirected",
                                           "failing",   "failing, last try", "gone",    "denied",
                                           "refused",   "duplicate",         "dropped"};
  return kNames[static_cast<size_t>(before)];
}

std::optional<UrlRow> RowOf(Before before) {
  if (before == Before::kUnknown) return std::nullopt;
  UrlRow row;
  row.key = kKey;
  row.depth = 3;
  row.due_ms = kNow - kDayMs;
  row.inlinks = 1;
  if (before == Before::kUnfetched) return row;
  row.fetched_ms = kNow - 10 * kDayMs;
  row.interval_ms = 9 * kDayMs;
  row.fetches = 5;
  row.body_digest = "body-1";
  row.body_segment = "s0";
  row.body_file = "m0-0-0.orc";
  row.content_digest = "content-1";
  row.parser = kParserVersion;
  static constexpr std::pair<Before, UrlState> kStates[] = {
      {Before::kFetched, UrlState::kFetched}, {Before::kRedirected, UrlState::kRedirected},
      {Before::kFailing, UrlState::kFailing}, {Before::kLastTry, UrlState::kFailing},
      {Before::kGone, UrlState::kGone},       {Before::kDenied, UrlState::kDenied},
      {Before::kRefused, UrlState::kRefused}, {Before::kDuplicate, UrlState::kDuplicate},
      {Before::kDropped, UrlState::kRefused}};
  for (const auto& [name, state] : kStates) {
    if (name == before) row.state = state;
  }
  if (before == Before::kGone) row.outcome = Outcome::kDnsFailed;
  if (before == Before::kDuplicate) row.duplicate_of = kStandIn;
  if (before == Before::kRedirected) row.redirect_to = "com,a)/target";
  if (before == Before::kDropped) {
    row.outcome = Outcome::kDropped;
    row.due_ms = kNever;
  }
  if (before == Before::kFailing) row.retries = 1;
  if (before == Before::kLastTry) row.retries = 2;
  return row;
}

// News that are this event for any row, as far as there is such a thing: nothing is new about a body that is known.
struct Case {
  FetchRow fetch;
  ParseRow parse;
  OriginNews origin;
  ParsePlace reread;
  UrlNews news;
};

void MakeNews(UrlEvent event, Case* out) {
  FetchRow& fetch = out->fetch;
  fetch.key = kKey;
  fetch.fetched_ms = kFetchedAt;
  fetch.status = 200;
  fetch.outcome = Outcome::kFetched;
  fetch.body_digest = "body-1";
  fetch.content_file = "m0-0-0.orc";
  fetch.depth = 3;
  out->parse.parser = kParserVersion;
  out->parse.content_digest = "content-1";
  out->news = {.key = kKey, .fetch = &fetch, .parse = &out->parse};
  const auto outcome = [&](Outcome what, int32_t status = 0) {
    fetch.outcome = what;
    fetch.status = status;
    out->news.parse = nullptr;
  };
  switch (event) {
    case UrlEvent::kNone:
    case UrlEvent::kDropped:  // the row's, whatever the news
      out->news.fetch = nullptr;
      break;
    case UrlEvent::kLink:
      out->news.fetch = nullptr;
      out->news.links = LinkNews{.depth = 2, .via = "com,b)/", .inlinks = 1};
      break;
    case UrlEvent::kFetchedNew:
    case UrlEvent::kFetchedUnchanged:
      break;
    case UrlEvent::kFetchedChanged:
      fetch.body_digest = "body-2";
      out->parse.content_digest = "content-2";
      break;
    case UrlEvent::kNotModified:
      outcome(Outcome::kNotModified, 304);
      break;
    case UrlEvent::kParseFailed:
      out->parse.failed = true;
      out->parse.content_digest.clear();
      out->parse.reason = "too deep";
      break;
    case UrlEvent::kRedirectTemporary:
      outcome(Outcome::kRedirect, 302);
      fetch.redirect_to = "com,a)/target";
      break;
    case UrlEvent::kRedirectPermanent:
      outcome(Outcome::kRedirect, 301);
      fetch.redirect_to = "com,a)/target";
      break;
    case UrlEvent::kRedirectToItself:
      outcome(Outcome::kRedirect, 302);
      fetch.redirect_to = kKey;
      break;
    case UrlEvent::kNotFound:
      outcome(Outcome::kGone, 404);
      break;
    case UrlEvent::kGoneForGood:
      outcome(Outcome::kGone, 410);
      break;
    case UrlEvent::kClientError:
      outcome(Outcome::kClientError, 403);
      break;
    case UrlEvent::kFailed:
      outcome(Outcome::kServerError, 500);
      break;
    case UrlEvent::kTlsFailed:
      outcome(Outcome::kTlsFailed);
      break;
    case UrlEvent::kThrottled:
      outcome(Outcome::kThrottled, 429);
      fetch.retry_after_ms = kNow + 2 * kHourMs;
      break;
    case UrlEvent::kRobotsDenied:
      outcome(Outcome::kRobotsDenied);
      fetch.robots_line = 7;
      fetch.robots_rule = "Disallow: /";
      break;
    case UrlEvent::kRobotsDeferred:
      outcome(Outcome::kRobotsDeferred);
      out->origin.robots_failures = 3;
      out->news.origin = &out->origin;
      break;
    case UrlEvent::kRefusedByLimit:
      outcome(Outcome::kHeaderLimit);
      break;
    case UrlEvent::kRefusedByAddress:
      outcome(Outcome::kAddressRefused);
      break;
    case UrlEvent::kRefusedByType:
      outcome(Outcome::kTypeRefused, 200);
      break;
    case UrlEvent::kNotReached:
      outcome(Outcome::kBreakerOpen);
      break;
    case UrlEvent::kBlameless:
      outcome(Outcome::kTimeout);
      fetch.blameless = true;
      break;
    case UrlEvent::kLate:
      fetch.fetched_ms = kNow - 20 * kDayMs;
      break;
    case UrlEvent::kHostGone:
    case UrlEvent::kHostBack:
      out->news.fetch = nullptr;
      out->origin = {.fate = event == UrlEvent::kHostGone ? OriginFate::kGone : OriginFate::kBack,
                     .asked_ms = kFetchedAt,
                     .outcome = Outcome::kDnsFailed,
                     .reason = "no such name"};
      out->news.origin = &out->origin;
      break;
    case UrlEvent::kReread:
      out->news.fetch = nullptr;
      out->parse.body_digest = "body-1";
      out->reread = {"r0-0-0.orc", 7};
      out->news.place = out->news.reread = &out->reread;
      break;
  }
}

// When the row is due next, from the answer on.
std::string DueText(const UrlRow& row) {
  if (row.due_ms == kNever) return "never";
  if (row.due_ms == kNow) return "at once";
  if (row.due_ms == kNow + 2 * kHourMs) return "as told";
  if (row.due_ms <= kNow - kDayMs) return "still due";
  return "in " + FormatDuration(row.due_ms - kFetchedAt);
}

std::string CellOf(Before before, UrlEvent event) {
  std::optional<UrlRow> row = RowOf(before);
  // Whoever is due already need not come back.
  if (event == UrlEvent::kHostBack && row) row->due_ms = kNow + kDayMs;
  Case c;
  MakeNews(event, &c);
  const Transition next = NextState(row ? &*row : nullptr, c.news, {.now_ms = kNow, .segment = "s1"});
  // A body is new where none was known, and never where one was; nothing is late for a row that was never fetched.
  if (next.event == UrlEvent::kDropped && !next.row) return "=";
  if (next.event != event) return "·";
  if (!next.row) return "=";
  std::string text = TextOf(next.row->state) + ", " + DueText(*next.row);
  const int32_t lost = next.row->retries - (row ? row->retries : 0);
  if (lost > 0) text += ", a try lost";
  return text;
}

std::string Matrix() {
  std::string text = "| event |";
  std::string line = "|---|";
  for (const Before before : kBefores) {
    text += std::string(" ") + NameOf(before) + " |";
    line += "---|";
  }
  text += "\n" + line + "\n";
  for (int event = 1; event < kUrlEvents; ++event) {
    if (static_cast<UrlEvent>(event) == UrlEvent::kDropped) continue;
    text += std::string("| ") + TextOf(static_cast<UrlEvent>(event)) + " |";
    for (const Before before : kBefores) text += " " + CellOf(before, static_cast<UrlEvent>(event)) + " |";
    text += "\n";
  }
  return text;
}

TEST(NextState, MatrixIsThatOfTheDocs) {
  const std::string matrix = Matrix();
  const std::string docs = ReadTestData("../../docs/states.md");
  EXPECT_NE(docs.find(matrix), std::string::npos) << "docs/states.md should have this table:\n\n" << matrix;
  if (std::getenv("TRAWL_PRINT") != nullptr) std::printf("%s", matrix.c_str());
}

// -- single fields ----------------------------------------------------------------------------------------------------

Transition Next(const UrlRow& row, UrlEvent event, const StatePolicy& policy = {.now_ms = kNow, .segment = "s1"}) {
  Case c;
  MakeNews(event, &c);
  return NextState(&row, c.news, policy);
}

TEST(NextState, EveryRowThatFollowsHasItsKeyAndStaysItself) {
  for (const Before before : kBefores) {
    for (int event = 1; event < kUrlEvents; ++event) {
      const std::optional<UrlRow> row = RowOf(before);
      Case c;
      MakeNews(static_cast<UrlEvent>(event), &c);
      const Transition next = NextState(row ? &*row : nullptr, c.news, {.now_ms = kNow, .segment = "s1"});
      if (!next.row) continue;
      SCOPED_TRACE(std::string(NameOf(before)) + " + " + TextOf(static_cast<UrlEvent>(event)));
      EXPECT_EQ(next.row->key, kKey);
      EXPECT_FALSE(next.row->removed);
      EXPECT_GE(next.row->score, 0);
      EXPECT_EQ(next.row->discovered_ms, row ? 0 : kNow);
      EXPECT_EQ(next.row->depth, event == static_cast<int>(UrlEvent::kLink) ? 2 : 3);
    }
  }
}

TEST(NextState, NothingLosesTheBodyThatIsKnown) {
  const UrlRow row = *RowOf(Before::kFetched);
  for (int event = 1; event < kUrlEvents; ++event) {
    if (static_cast<UrlEvent>(event) == UrlEvent::kFetchedChanged) continue;
    const Transition next = Next(row, static_cast<UrlEvent>(event));
    EXPECT_EQ(next.row.value_or(row).body_digest, row.body_digest) << TextOf(static_cast<UrlEvent>(event));
  }
}

TEST(NextState, ThrottledAndDeferredLoseNoTry) {
  UrlRow row = *RowOf(Before::kFailing);
  for (int round = 0; round < 50; ++round) {
    for (const UrlEvent event :
         {UrlEvent::kThrottled, UrlEvent::kRobotsDeferred, UrlEvent::kBlameless, UrlEvent::kNotReached}) {
      const Transition next = Next(row, event);
      if (next.row) row = *next.row;
      ASSERT_EQ(row.state, UrlState::kFailing);
      ASSERT_EQ(row.retries, 1);
    }
  }
}

TEST(NextState, ThrottledWithoutATimeWaitsFiveMinutes) {
  const UrlRow row = *RowOf(Before::kUnfetched);
  FetchRow fetch = {.key = row.key, .outcome = Outcome::kThrottled, .status = 429, .fetched_ms = kNow + 1'000};
  const UrlNews news = {.key = row.key, .fetch = &fetch};
  const StatePolicy policy = {.now_ms = kNow};
  EXPECT_EQ(NextState(&row, news, policy).row->due_ms, kNow + 301'000);
  fetch.retry_after_ms = kNow + 2'000;
  EXPECT_EQ(NextState(&row, news, policy).row->due_ms, kNow + 2'000);
}

TEST(NextState, DeniedPageWaitsAtLeastTheTtlOfRobots) {
  const UrlRow row = *RowOf(Before::kFetched);
  const Transition usual = Next(row, UrlEvent::kRobotsDenied);
  EXPECT_EQ(usual.row->due_ms, kFetchedAt + 7 * kDayMs);
  EXPECT_EQ(usual.row->reason, "line 7: Disallow: /");
  const Transition slow = Next(row, UrlEvent::kRobotsDenied, {.robots_ttl_ms = 20 * kDayMs, .now_ms = kNow});
  EXPECT_EQ(slow.row->due_ms, kFetchedAt + 20 * kDayMs);
  const StatePolicy weekly = {.now_ms = kNow, .round_ms = kFetchedAt - kHourMs};
  EXPECT_EQ(Next(row, UrlEvent::kRobotsDenied, weekly).row->due_ms, kFetchedAt + 7 * kDayMs - kHourMs);
}

TEST(NextState, LastDigestDecidesWhatHasChanged) {
  UrlRow row = *RowOf(Before::kFetched);
  Case c;
  MakeNews(UrlEvent::kFetchedUnchanged, &c);
  EXPECT_EQ(EventOf(&row, c.news), UrlEvent::kFetchedUnchanged);
  // Other bytes of the same cleaned page: a clock, a token.
  c.fetch.body_digest = "body-2";
  EXPECT_EQ(EventOf(&row, c.news), UrlEvent::kFetchedUnchanged);
  const Transition next = NextState(&row, c.news, {.now_ms = kNow, .segment = "s2"});
  EXPECT_EQ(next.row->body_digest, "body-2");
  EXPECT_EQ(next.row->body_segment, "s2");
  EXPECT_EQ(next.row->changed_ms, row.changed_ms);
  // Another parser's cleaned page cannot be compared, nor one that was not parsed.
  row.parser = kParserVersion + 1;
  EXPECT_EQ(EventOf(&row, c.news), UrlEvent::kFetchedChanged);
  c.news.parse = nullptr;
  EXPECT_EQ(EventOf(&row, c.news), UrlEvent::kFetchedChanged);
  EXPECT_EQ(NextState(&row, c.news, {.now_ms = kNow}).row->content_digest, "");
}

TEST(NextState, BodyThatWasNotStoredLeavesWhereTheLastOneLies) {
  UrlRow row = *RowOf(Before::kFetched);
  row.body_segment = "s0";
  row.body_file = "m1-0-0.orc";
  row.body_row = 5;
  Case c;
  MakeNews(UrlEvent::kFetchedUnchanged, &c);
  c.fetch.content_file.clear();
  c.news.parse = nullptr;
  const Transition next = NextState(&row, c.news, {.now_ms = kNow, .segment = "s1"});
  EXPECT_EQ(next.row->body_segment, "s0");
  EXPECT_EQ(next.row->body_file, "m1-0-0.orc");
  EXPECT_EQ(next.row->body_row, 5);
  EXPECT_EQ(next.row->content_digest, "content-1");
}

TEST(NextState, PageThatCannotBeParsedSaysSo) {
  Case c;
  MakeNews(UrlEvent::kParseFailed, &c);
  c.fetch.body_digest = "body-2";
  const UrlRow row = *RowOf(Before::kFetched);
  const Transition next = NextState(&row, c.news, {.now_ms = kNow, .segment = "s1"});
  EXPECT_EQ(next.row->state, UrlState::kFetched);
  EXPECT_EQ(next.row->reason, "not parsed: too deep");
  EXPECT_EQ(next.row->content_digest, "");
  EXPECT_EQ(next.row->changed_ms, kFetchedAt);
  EXPECT_EQ(next.row->unchanged, 0);
}

TEST(NextState, UnchangedBodyThatCouldNotBeParsedStillSaysSo) {
  UrlRow row = *RowOf(Before::kFetched);
  row.reason = "not parsed: too deep";
  for (const UrlEvent event : {UrlEvent::kFetchedUnchanged, UrlEvent::kNotModified}) {
    Case c;
    MakeNews(event, &c);
    c.fetch.content_file.clear();
    c.news.parse = nullptr;
    EXPECT_EQ(NextState(&row, c.news, {.now_ms = kNow}).row->reason, row.reason) << TextOf(event);
  }
  // Another body, or this one read by a newer parser.
  for (const UrlEvent event : {UrlEvent::kFetchedChanged, UrlEvent::kFetchedUnchanged}) {
    Case read;
    MakeNews(event, &read);
    ASSERT_NE(read.news.parse, nullptr);
    EXPECT_EQ(NextState(&row, read.news, {.now_ms = kNow}).row->reason, "") << TextOf(event);
  }
}

TEST(NextState, NotModifiedKeepsOldValidatorsWhereItHasNone) {
  UrlRow row = *RowOf(Before::kFetched);
  row.etag = "\"1\"";
  row.last_modified = "yesterday";
  Case c;
  MakeNews(UrlEvent::kNotModified, &c);
  c.fetch.etag = "\"2\"";
  const Transition next = NextState(&row, c.news, {.now_ms = kNow});
  EXPECT_EQ(next.row->etag, "\"2\"");
  EXPECT_EQ(next.row->last_modified, "yesterday");
  EXPECT_EQ(next.row->status, 304);
}

TEST(NextState, SpellingIsThatOfTheAnswer) {
  UrlRow row = *RowOf(Before::kFetched);
  row.spelling = "https://a.com/page?utm_source=x";
  Case c;
  MakeNews(UrlEvent::kFetchedUnchanged, &c);
  c.fetch.url = "https://a.com/page";
  EXPECT_EQ(NextState(&row, c.news, {.now_ms = kNow}).row->spelling, "");
  c.fetch.url = "https://a.com/page?utm_medium=y";
  EXPECT_EQ(NextState(&row, c.news, {.now_ms = kNow}).row->spelling, c.fetch.url);
}

// A page of depth 1 that was fetched when nobody knew it, and to which many link by now.
TEST(NextState, APageThatWasFetchedBecomesImportantWhenItIsFetchedAgain) {
  UrlRow row = *RowOf(Before::kFetched);
  row.is_seed = row.fixed_score = false;
  row.depth = 1;
  row.score = 400'000;
  const LinkStanding graph = {.authority = kScoreOne, .linking_hosts = 2000};
  UrlNews links = {.key = kKey, .links = LinkNews{.depth = 5, .inlinks = 2000}, .graph = &graph};
  EXPECT_FALSE(NextState(&row, links, {.now_ms = kNow}).row) << "links alone write no row of a page that was fetched";
  Case c;
  MakeNews(UrlEvent::kFetchedUnchanged, &c);
  c.news.links = links.links;
  c.news.graph = &graph;
  const UrlRow next = *NextState(&row, c.news, {.now_ms = kNow}).row;
  EXPECT_GT(next.score, 800'000);
  EXPECT_EQ(next.depth, 1);
  EXPECT_LE(next.interval_ms, 6 * kHourMs);
  row.fixed_score = true;
  EXPECT_EQ(NextState(&row, c.news, {.now_ms = kNow}).row->score, 400'000);
}

TEST(NextState, LinksRaiseWhatNobodyAskedForYet) {
  UrlRow row = *RowOf(Before::kUnfetched);
  const auto with = [&row](const LinkNews& links) {
    UrlNews news = {.key = kKey, .links = links};
    return NextState(&row, news, {.now_ms = kNow});
  };
  EXPECT_FALSE(with({.depth = 3}).row);
  EXPECT_FALSE(with({.depth = 9}).row);
  const Transition nearer = with({.depth = 1, .via = "com,b)/", .spelling = "https://a.com/page?utm_source=x"});
  EXPECT_EQ(nearer.row->depth, 1);
  EXPECT_EQ(nearer.row->score, ScoreOf({.depth = 1, .key = nearer.row->key}));
  EXPECT_EQ(nearer.row->due_ms, row.due_ms);
  EXPECT_EQ(nearer.row->via, "");  // who showed it first
  EXPECT_EQ(nearer.row->spelling, "");
  const Transition linked = with({.depth = 9, .inlinks = 4});
  EXPECT_EQ(linked.row->depth, 3);
  EXPECT_EQ(linked.row->inlinks, 5);
}

TEST(NextState, InlinksComeAlongWhereThePageIsWrittenAnyway) {
  const UrlRow row = *RowOf(Before::kFetched);
  Case c;
  MakeNews(UrlEvent::kNotModified, &c);
  c.news.links = LinkNews{.depth = 1, .inlinks = 2};
  const Transition next = NextState(&row, c.news, {.now_ms = kNow});
  EXPECT_EQ(next.row->inlinks, 3);
  EXPECT_EQ(next.row->depth, 1);
  c.news.fetch = nullptr;
  UrlRow nearer = row;
  nearer.depth = 1;
  nearer.inlinks = 3;
  nearer.score = ScoreOf({.depth = 1, .key = nearer.key});
  EXPECT_EQ(NextState(&row, c.news, {.now_ms = kNow}).row, nearer) << "a nearer link writes the row of any page";
  c.news.links->depth = 3;
  EXPECT_FALSE(NextState(&row, c.news, {.now_ms = kNow}).row);
}

TEST(NextState, LinkedAndFetchedInOneRoundIsAsNearAsItsLink) {
  const UrlRow row = *RowOf(Before::kUnfetched);
  Case c;
  MakeNews(UrlEvent::kFetchedNew, &c);
  c.news.links = LinkNews{.depth = 1, .inlinks = 2};
  const Transition next = NextState(&row, c.news, {.now_ms = kNow, .segment = "s1"});
  EXPECT_EQ(next.row->state, UrlState::kFetched);
  EXPECT_EQ(next.row->depth, 1);
  EXPECT_EQ(next.row->inlinks, 3);
}

TEST(NextState, HopThatNobodyKnewEntersAsItWasFetched) {
  Case c;
  MakeNews(UrlEvent::kFetchedNew, &c);
  c.fetch.hop_of = "com,a)/source";
  c.fetch.url = "https://a.com/page?utm_source=x";
  const Transition next = NextState(nullptr, c.news, {.now_ms = kNow, .segment = "s1"});
  EXPECT_EQ(next.row->state, UrlState::kFetched);
  EXPECT_EQ(next.row->via, "com,a)/source");
  EXPECT_EQ(next.row->depth, 3);
  EXPECT_EQ(next.row->fetches, 1);
  EXPECT_EQ(next.row->spelling, c.fetch.url);
}

TEST(NextState, SeedKeepsItsScoreAndTrapsBaitIsLast) {
  UrlRow seed = *RowOf(Before::kFetched);
  seed.is_seed = true;
  seed.score = 123'456;
  EXPECT_EQ(Next(seed, UrlEvent::kNotModified).row->score, 123'456);
  const LinkStanding graph = {.authority = kScoreOne};
  UrlNews news = {.key = kKey, .links = LinkNews{.depth = 1}, .host = {.suspected_trap = true}, .graph = &graph};
  EXPECT_EQ(NextState(nullptr, news, {.now_ms = kNow}).row->score, 0);
  news.host.suspected_trap = false;
  EXPECT_EQ(NextState(nullptr, news, {.now_ms = kNow}).row->score, 700'000);
}

TEST(NextState, ScoreThatTheOperatorSetStays) {
  UrlRow row = *RowOf(Before::kUnfetched);
  row.score = 123'456;
  row.fixed_score = true;
  for (const UrlEvent event : {UrlEvent::kLink, UrlEvent::kFetchedNew, UrlEvent::kRedirectTemporary}) {
    EXPECT_EQ(Next(row, event).row->score, 123'456) << TextOf(event);
  }
  row.fixed_score = false;
  EXPECT_NE(Next(row, UrlEvent::kFetchedNew).row->score, 123'456);
}

// The page was asked for before the operator said "now", or before the time that the operator named.
TEST(NextState, DueTimeThatTheOperatorSetOutlivesAnEarlierAnswer) {
  UrlRow row = *RowOf(Before::kFetched);
  row.due_set_ms = row.due_ms = kFetchedAt + 1;
  const Transition page = Next(row, UrlEvent::kFetchedChanged);
  EXPECT_EQ(page.row->body_digest, "body-2");
  EXPECT_EQ(page.row->due_ms, row.due_ms);
  EXPECT_EQ(page.row->due_set_ms, row.due_set_ms);
  for (const UrlEvent event : {UrlEvent::kNotFound, UrlEvent::kGoneForGood, UrlEvent::kRefusedByAddress,
                               UrlEvent::kRobotsDenied, UrlEvent::kThrottled}) {
    EXPECT_EQ(Next(row, event).event, UrlEvent::kLate) << TextOf(event);
    EXPECT_FALSE(Next(row, event).row) << TextOf(event);
  }
  // Asked for after the word, but before the time: the state follows the answer, the time is the operator's.
  row.due_set_ms = kFetchedAt - 1;
  row.due_ms = kFetchedAt + 30 * kDayMs;
  const Transition gone = Next(row, UrlEvent::kGoneForGood);
  EXPECT_EQ(gone.row->state, UrlState::kGone);
  EXPECT_EQ(gone.row->due_ms, row.due_ms);
}

TEST(NextState, DueTimeThatTheOperatorSetEndsWithTheRequestForIt) {
  UrlRow row = *RowOf(Before::kFetched);
  row.due_set_ms = row.due_ms = kFetchedAt - 1;
  const Transition page = Next(row, UrlEvent::kNotModified);
  EXPECT_EQ(page.row->due_ms, kFetchedAt + 9 * kDayMs);
  EXPECT_EQ(page.row->due_set_ms, 0);
  EXPECT_EQ(Next(row, UrlEvent::kNotFound).row->state, UrlState::kFailing);
}

TEST(NextState, IntervalBeginsWithTheMinuteOfTheRound) {
  const auto due_after = [](int64_t into_round_ms, int64_t interval_ms) {
    UrlRow row = *RowOf(Before::kFetched);
    row.fixed_interval_ms = interval_ms;
    return Next(row, UrlEvent::kNotModified, {.now_ms = kNow, .round_ms = kFetchedAt - into_round_ms}).row->due_ms -
           kFetchedAt;
  };
  EXPECT_EQ(due_after(kHourMs, kDayMs), 23 * kHourMs);
  EXPECT_EQ(due_after(kHourMs - 59'999, kDayMs), 23 * kHourMs);
  EXPECT_EQ(due_after(kHourMs + 1, kDayMs), 23 * kHourMs - 60'000);
  EXPECT_EQ(due_after(10 * kHourMs, kDayMs), kDayMs - kDayMs / 10);
  EXPECT_EQ(due_after(kHourMs, kHourMs), kHourMs);
  EXPECT_EQ(due_after(-kHourMs, kDayMs), kDayMs);
  EXPECT_EQ(due_after(kHourMs, 60'000), 60'000);
}

TEST(NextState, OnlyWhatWentWithItsHostComesBackWithIt) {
  UrlRow row = *RowOf(Before::kGone);
  row.due_ms = kNow + 50 * kDayMs;
  for (const Outcome outcome : {Outcome::kGone, Outcome::kClientError, Outcome::kTlsFailed, Outcome::kServerError}) {
    row.outcome = outcome;
    EXPECT_FALSE(Next(row, UrlEvent::kHostBack).row) << TextOf(outcome);
  }
  row.outcome = Outcome::kConnectFailed;
  const Transition next = Next(row, UrlEvent::kHostBack);
  ASSERT_TRUE(next.row);
  EXPECT_EQ(next.row->state, UrlState::kGone);
  EXPECT_EQ(next.row->due_ms, kNow);
  row.due_ms = kNow - 1;
  EXPECT_FALSE(Next(row, UrlEvent::kHostBack).row);
}

TEST(NextState, AUrlGoesWithItsHostUnlessItIsNeverAskedForAgain) {
  UrlRow row = *RowOf(Before::kUnfetched);
  const Transition next = Next(row, UrlEvent::kHostGone);
  ASSERT_TRUE(next.row);
  EXPECT_EQ(next.row->reason, "no such name");
  EXPECT_EQ(next.row->outcome, Outcome::kDnsFailed);
  EXPECT_EQ(next.row->fetches, 0);
  EXPECT_EQ(next.row->retries, 3);
  row.state = UrlState::kRefused;
  row.due_ms = kNever;
  EXPECT_FALSE(Next(row, UrlEvent::kHostGone).row);
  // Its own failure in that round ends it, too, whatever its tries; so does a round that did not reach it.
  row = *RowOf(Before::kUnfetched);
  Case c;
  MakeNews(UrlEvent::kFailed, &c);
  c.origin = {.fate = OriginFate::kGone, .asked_ms = kFetchedAt, .outcome = Outcome::kDnsFailed};
  c.news.origin = &c.origin;
  EXPECT_EQ(NextState(&row, c.news, {.now_ms = kNow}).row->state, UrlState::kGone);
  c.fetch.outcome = Outcome::kNotReached;
  const Transition unreached = NextState(&row, c.news, {.now_ms = kNow});
  EXPECT_EQ(unreached.event, UrlEvent::kHostGone);
  EXPECT_EQ(unreached.row->state, UrlState::kGone);
}

TEST(NextState, ALinkToAGoneHostStaysNew) {
  OriginNews origin = {.fate = OriginFate::kGone, .asked_ms = kFetchedAt, .outcome = Outcome::kDnsFailed};
  const UrlNews news = {.key = kKey, .links = LinkNews{.depth = 1}, .origin = &origin};
  EXPECT_EQ(NextState(nullptr, news, {.now_ms = kNow}).row->state, UrlState::kUnfetched);
}

TEST(NextState, SignalsAreThoseOfTheBodyThatIsStored) {
  const int32_t archive = SignalNamed("noarchive"), ai = SignalNamed("noai");
  UrlRow row = *RowOf(Before::kFetched);
  row.signals = NotedSignals(ai, 0);
  Case c;
  MakeNews(UrlEvent::kFetchedChanged, &c);
  c.parse.noarchive = true;
  c.news.header_signals = archive;
  EXPECT_EQ(NextState(&row, c.news, {.now_ms = kNow}).row->signals, NotedSignals(archive, archive));
  // A page's own word may stand against its header fields: what parse says holds.
  c.parse.noarchive = false;
  EXPECT_EQ(NextState(&row, c.news, {.now_ms = kNow}).row->signals, NotedSignals(0, archive));
  c.news.parse = nullptr;
  EXPECT_EQ(NextState(&row, c.news, {.now_ms = kNow}).row->signals, NotedSignals(archive, archive)) << "not parsed";
  c.fetch.body_digest = row.body_digest;
  EXPECT_EQ(NextState(&row, c.news, {.now_ms = kNow}).row->signals, row.signals) << "the same body";
  Case not_modified;
  MakeNews(UrlEvent::kNotModified, &not_modified);
  not_modified.news.header_signals = archive;
  EXPECT_EQ(NextState(&row, not_modified.news, {.now_ms = kNow}).row->signals, NotedSignals(ai | archive, 0));
  Case failed;
  MakeNews(UrlEvent::kNotFound, &failed);
  EXPECT_EQ(NextState(&row, failed.news, {.now_ms = kNow}).row->signals, row.signals);
}

TEST(NextState, OutcomesThatThisProgramDoesNotKnowChangeNothing) {
  const UrlRow row = *RowOf(Before::kFetched);
  Case c;
  MakeNews(UrlEvent::kFetchedUnchanged, &c);
  c.fetch.outcome = static_cast<Outcome>(99);
  EXPECT_FALSE(NextState(&row, c.news, {.now_ms = kNow}).row);
}

// -- reading again ----------------------------------------------------------------------------------------------------

// Every field but those that a reading tells stays, whatever the state.
TEST(NextState, AReadingChangesWhatItTellsAndNothingElse) {
  for (const Before before : kBefores) {
    std::optional<UrlRow> row = RowOf(before);
    if (!row || row->body_file.empty() || before == Before::kDropped) continue;
    SCOPED_TRACE(NameOf(before));
    row->parser = 0;
    row->read_policy = 1;
    const bool is_page = before == Before::kFetched || before == Before::kDuplicate;
    row->reason = is_page ? "not parsed: too deep" : "why it is so";
    Case c;
    MakeNews(UrlEvent::kReread, &c);
    c.parse.policy = 2;
    c.parse.content_digest = "content-2";
    c.parse.has_simhash = true;
    c.parse.simhash = 5;
    c.parse.text_sketch = "sketch";
    c.parse.canonical_to = "com,a)/canonical";
    const Transition next = NextState(&*row, c.news, {.now_ms = kNow, .segment = "again"});
    ASSERT_TRUE(next.row);
    UrlRow wanted = *row;
    wanted.parser = kParserVersion;
    wanted.read_policy = 2;
    wanted.content_digest = "content-2";
    wanted.simhash = 5;
    wanted.text_sketch = "sketch";
    wanted.duplicate_of.clear();
    if (before == Before::kDuplicate) wanted.state = UrlState::kFetched;
    wanted.canonical_to = "com,a)/canonical";
    wanted.parse_segment = "again";
    wanted.parse_file = "r0-0-0.orc";
    wanted.parse_row = 7;
    wanted.signals = NotedSignals(0, 0);
    if (wanted.state == UrlState::kFetched) wanted.reason = "";
    EXPECT_EQ(*next.row, wanted);
  }
}

TEST(NextState, AReadingIsLateWhereANewerBodyHasCome) {
  const UrlRow row = *RowOf(Before::kFetched);
  Case c;
  MakeNews(UrlEvent::kReread, &c);
  c.parse.body_digest = "body-0";
  const Transition next = NextState(&row, c.news, {.now_ms = kNow, .segment = "again"});
  EXPECT_EQ(next.event, UrlEvent::kLate);
  EXPECT_FALSE(next.row);
  EXPECT_EQ(NextState(nullptr, c.news, {.now_ms = kNow}).event, UrlEvent::kLate) << "it was removed";
}

TEST(NextState, ANewBodyForgetsWhereTheOldOneWasReadAgain) {
  UrlRow row = *RowOf(Before::kFetched);
  row.parse_segment = "again";
  row.parse_file = "r0-0-0.orc";
  row.parse_row = 7;
  EXPECT_EQ(Next(row, UrlEvent::kNotModified).row->parse_segment, "again");
  const UrlRow next = *Next(row, UrlEvent::kFetchedChanged).row;
  EXPECT_EQ(next.parse_segment + next.parse_file, "");
  EXPECT_EQ(next.parse_row, 0);
}

// -- what settle decided ----------------------------------------------------------------------------------------------

std::string StandIns(const UrlRow& row) {
  return row.duplicate_of + " " + row.near_duplicate_of + " " + std::to_string(row.distance);
}

// Rule 25: by event, whether a page keeps what settle decided of it.
TEST(NextState, WhatSettleDecidedHoldsAsLongAsTheContent) {
  constexpr UrlEvent kEnds[] = {UrlEvent::kFetchedChanged,   UrlEvent::kRedirectTemporary, UrlEvent::kRedirectPermanent,
                                UrlEvent::kRedirectToItself, UrlEvent::kGoneForGood,       UrlEvent::kClientError,
                                UrlEvent::kTlsFailed,        UrlEvent::kRobotsDenied,      UrlEvent::kRefusedByLimit,
                                UrlEvent::kRefusedByAddress, UrlEvent::kRefusedByType,     UrlEvent::kHostGone,
                                UrlEvent::kParseFailed};
  for (const bool is_near : {false, true}) {
    for (const Before before : {Before::kFetched, Before::kFailing, Before::kDuplicate}) {
      UrlRow row = *RowOf(before);
      row.duplicate_of = is_near ? "" : kStandIn;
      row.near_duplicate_of = is_near ? kStandIn : "";
      row.distance = is_near ? 2 : 0;
      row.simhash = 77;
      for (int event = 1; event < kUrlEvents; ++event) {
        SCOPED_TRACE(std::string(NameOf(before)) + " + " + TextOf(static_cast<UrlEvent>(event)));
        const UrlRow next = Next(row, static_cast<UrlEvent>(event)).row.value_or(row);
        const bool ends =
            std::find(std::begin(kEnds), std::end(kEnds), static_cast<UrlEvent>(event)) != std::end(kEnds);
        EXPECT_EQ(StandIns(next), ends ? "  0" : StandIns(row));
        if (ends) {
          EXPECT_NE(next.state, UrlState::kDuplicate);
        }
      }
    }
  }
  UrlRow last_try = *RowOf(Before::kLastTry);
  last_try.duplicate_of = kStandIn;
  EXPECT_EQ(StandIns(*Next(last_try, UrlEvent::kFailed).row), "  0") << "gone";
}

// Rule 26.
TEST(NextState, APageThatAnswersUnchangedIsWhatItWas) {
  for (const UrlEvent event : {UrlEvent::kFetchedUnchanged, UrlEvent::kNotModified}) {
    SCOPED_TRACE(TextOf(event));
    const UrlRow duplicate = *RowOf(Before::kDuplicate);
    EXPECT_EQ(Next(duplicate, event).row->state, UrlState::kDuplicate);
    EXPECT_EQ(Next(duplicate, event).row->due_ms, kFetchedAt + 2 * Next(duplicate, event).row->interval_ms);
    UrlRow fixed = duplicate;
    fixed.fixed_interval_ms = 2 * kDayMs;
    EXPECT_EQ(Next(fixed, event).row->due_ms, kFetchedAt + 2 * kDayMs);

    UrlRow failing = *RowOf(Before::kFailing);
    EXPECT_EQ(Next(failing, event).row->state, UrlState::kFetched);
    failing.duplicate_of = kStandIn;
    EXPECT_EQ(Next(failing, event).row->state, UrlState::kDuplicate);
    failing.duplicate_of.clear();
    failing.near_duplicate_of = kStandIn;
    const StatePolicy near_is_duplicate = {.now_ms = kNow, .near_policy = NearPolicy::kDuplicate};
    EXPECT_EQ(Next(failing, event).row->state, UrlState::kFetched) << "a near one is only marked";
    EXPECT_EQ(Next(failing, event, near_is_duplicate).row->state, UrlState::kDuplicate);
    failing.state = UrlState::kDuplicate;
    EXPECT_EQ(Next(failing, event).row->state, UrlState::kDuplicate)
        << "it was settled so, whatever the option says now";
  }
  // Other bytes of the same cleaned page.
  Case c;
  MakeNews(UrlEvent::kFetchedUnchanged, &c);
  c.fetch.body_digest = "body-2";
  const UrlRow duplicate = *RowOf(Before::kDuplicate);
  const UrlRow next = *NextState(&duplicate, c.news, {.now_ms = kNow, .segment = "s2"}).row;
  EXPECT_EQ(next.state, UrlState::kDuplicate);
  EXPECT_EQ(next.duplicate_of, kStandIn);
  EXPECT_EQ(next.body_segment, "s2");
}

TEST(NextState, FingerprintIsThatOfTheContent) {
  UrlRow row = *RowOf(Before::kFetched);
  row.simhash = 77;
  Case c;
  MakeNews(UrlEvent::kFetchedChanged, &c);
  const auto next = [&] { return NextState(&row, c.news, {.now_ms = kNow, .segment = "s1"}).row->simhash; };
  EXPECT_EQ(next(), 0) << "the new text is too short for one";
  c.parse.has_simhash = true;
  EXPECT_EQ(next(), 1) << "a computed 0";
  c.parse.simhash = -5;
  EXPECT_EQ(next(), -5);
  c.news.parse = nullptr;
  EXPECT_EQ(next(), 0) << "a new body that nobody read";
  for (const UrlEvent event : {UrlEvent::kNotModified, UrlEvent::kRedirectTemporary, UrlEvent::kGoneForGood}) {
    EXPECT_EQ(Next(row, event).row->simhash, 77) << TextOf(event);
  }
}

TEST(NextState, ABodyIsSharedAsTheFetchSays) {
  UrlRow row = *RowOf(Before::kFetched);
  row.shares_body = true;
  EXPECT_TRUE(Next(row, UrlEvent::kNotModified).row->shares_body);
  Case c;
  MakeNews(UrlEvent::kFetchedUnchanged, &c);
  c.fetch.content_file.clear();
  EXPECT_TRUE(NextState(&row, c.news, {.now_ms = kNow}).row->shares_body) << "no body was stored";
  MakeNews(UrlEvent::kFetchedChanged, &c);
  EXPECT_FALSE(NextState(&row, c.news, {.now_ms = kNow}).row->shares_body);
  c.fetch.shares_body = true;
  EXPECT_TRUE(NextState(&row, c.news, {.now_ms = kNow}).row->shares_body);
}

// Rule 27.
TEST(NextState, TheAnswerToAProbeIsNoNews) {
  const UrlRow fetched = *RowOf(Before::kFetched);
  for (int event = 1; event < kUrlEvents; ++event) {
    Case c;
    MakeNews(static_cast<UrlEvent>(event), &c);
    if (c.news.fetch == nullptr) continue;
    c.fetch.kind = UrlKind::kProbe;
    c.news.origin = nullptr;
    SCOPED_TRACE(TextOf(static_cast<UrlEvent>(event)));
    EXPECT_FALSE(NextState(nullptr, c.news, {.now_ms = kNow}).row);
    EXPECT_EQ(NextState(nullptr, c.news, {.now_ms = kNow}).event, UrlEvent::kNone);
    EXPECT_FALSE(NextState(&fetched, c.news, {.now_ms = kNow}).row);
    c.news.links = LinkNews{.depth = 1};
    EXPECT_EQ(NextState(nullptr, c.news, {.now_ms = kNow}).row->state, UrlState::kUnfetched) << "a link is one";
  }
}

}  // namespace
}  // namespace trawl
