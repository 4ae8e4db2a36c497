// What an operator's word makes of a row, rule by rule.
#include "jobs/policy/url_change.h"

#include <gtest/gtest.h>

#include "jobs/policy/advice.h"
#include "jobs/policy/score.h"

namespace trawl {
namespace {

constexpr TimeMs kNow = 1'767'225'600'000;

UrlRow RowIn(UrlState state, Outcome outcome) {
  UrlRow row;
  row.key = "com,a)/x";
  row.state = state;
  row.outcome = outcome;
  row.reason = "why";
  row.status = 404;
  row.due_ms = kNow + 90 * kDayMs;
  row.fetched_ms = kNow - kDayMs;
  row.fetches = 3;
  row.retries = 2;
  return row;
}

TEST(UrlChange, RetryPutsBackWhatWasAMistake) {
  const struct {
    UrlState state;
    Outcome outcome;
  } mistakes[] = {{UrlState::kRefused, Outcome::kAddressRefused},
                  {UrlState::kRefused, Outcome::kTypeRefused},
                  {UrlState::kGone, Outcome::kGone},
                  {UrlState::kFailing, Outcome::kDnsFailed},
                  {UrlState::kDenied, Outcome::kRobotsDenied},
                  {UrlState::kUnfetched, Outcome::kRobotsDeferred},
                  {UrlState::kFetched, Outcome::kThrottled},
                  {UrlState::kRedirected, Outcome::kRedirectRefused}};
  for (const auto& mistake : mistakes) {
    UrlRow row = RowIn(mistake.state, mistake.outcome);
    SCOPED_TRACE(TextOf(mistake.state) + " " + TextOf(mistake.outcome));
    EXPECT_EQ(ApplyChange({.retry = true}, kNow, &row), ChangeEffect::kPutBack);
    EXPECT_EQ(row.state, UrlState::kUnfetched);
    EXPECT_EQ(row.outcome, Outcome::kNone);
    EXPECT_EQ(row.reason, "put back by the operator, was " + TextOf(mistake.outcome));
    EXPECT_EQ(row.retries, 0);
    EXPECT_EQ(row.status, 0);
    EXPECT_EQ(row.due_ms, kNow);
    EXPECT_EQ(row.due_set_ms, kNow);
    EXPECT_EQ(row.fetches, 3);
    EXPECT_FALSE(IsPlainLink(row));
  }
}

TEST(UrlChange, RetryKeepsThePageThatIsKnown) {
  UrlRow page = RowIn(UrlState::kGone, Outcome::kServerError);
  page.body_digest = "digest";
  page.etag = "\"1\"";
  EXPECT_EQ(ApplyChange({.retry = true}, kNow, &page), ChangeEffect::kPutBack);
  EXPECT_EQ(page.state, UrlState::kFetched);
  EXPECT_EQ(page.etag, "\"1\"");
  UrlRow redirect = RowIn(UrlState::kFailing, Outcome::kTimeout);
  redirect.redirect_to = "com,a)/y";
  EXPECT_EQ(ApplyChange({.retry = true}, kNow, &redirect), ChangeEffect::kPutBack);
  EXPECT_EQ(redirect.state, UrlState::kRedirected);
}

TEST(UrlChange, RetryLeavesAloneWhatIsAsItShouldBe) {
  for (const Outcome outcome : {Outcome::kFetched, Outcome::kNotModified}) {
    UrlRow row = RowIn(UrlState::kFetched, outcome);
    EXPECT_EQ(ApplyChange({.retry = true}, kNow, &row), ChangeEffect::kNone);
    EXPECT_EQ(row, RowIn(UrlState::kFetched, outcome));
  }
  UrlRow waiting = RowIn(UrlState::kUnfetched, Outcome::kNone);
  EXPECT_EQ(ApplyChange({.retry = true}, kNow, &waiting), ChangeEffect::kNone);
}

TEST(UrlChange, OnlyUndropBringsBackWhatWasDropped) {
  UrlRow row = RowIn(UrlState::kFetched, Outcome::kFetched);
  row.body_digest = "digest";
  EXPECT_EQ(ApplyChange({.drop = true}, kNow, &row), ChangeEffect::kChanged);
  EXPECT_TRUE(IsDropped(row));
  EXPECT_EQ(row.state, UrlState::kRefused);
  EXPECT_EQ(row.reason, "dropped by the operator");
  EXPECT_EQ(row.due_ms, kNever);
  EXPECT_EQ(row.body_digest, "digest");
  const UrlRow dropped = row;
  EXPECT_EQ(ApplyChange({.drop = true}, kNow + 1, &row), ChangeEffect::kNone);
  for (const UrlChange& change :
       {UrlChange{.retry = true}, UrlChange{.due_ms = kNow}, UrlChange{.score = 1}, UrlChange{.interval_ms = kDayMs},
        UrlChange{.tier = TierChoice::kHigh}, UrlChange{.metadata = {{"team", "news"}}}}) {
    EXPECT_EQ(ApplyChange(change, kNow, &row), ChangeEffect::kIsDropped);
    EXPECT_EQ(row, dropped);
  }
  EXPECT_EQ(ApplyChange({.undrop = true}, kNow, &row), ChangeEffect::kPutBack);
  EXPECT_EQ(row.state, UrlState::kFetched);
  EXPECT_EQ(row.due_ms, kNow);
  EXPECT_EQ(ApplyChange({.undrop = true}, kNow, &row), ChangeEffect::kNone);
}

TEST(UrlChange, DueNowLeavesAFrontierAlone) {
  UrlRow link;
  link.key = "com,a)/x";
  link.due_ms = link.discovered_ms = kNow - kDayMs;
  ASSERT_TRUE(IsPlainLink(link));
  EXPECT_EQ(ApplyChange({.due_ms = kNow}, kNow, &link), ChangeEffect::kNone);
  // But a budget of its pattern may hold it: then it is marked, once.
  UrlRow held = link;
  EXPECT_EQ(ApplyChange({.due_ms = kNow}, kNow, &held, /*has_budgets=*/true), ChangeEffect::kChanged);
  EXPECT_EQ(held.due_set_ms, kNow);
  EXPECT_EQ(ApplyChange({.due_ms = kNow + 7}, kNow + 7, &held, /*has_budgets=*/true), ChangeEffect::kNone);
  EXPECT_EQ(ApplyChange({.due_ms = kNow + 1}, kNow, &link), ChangeEffect::kChanged);
  EXPECT_EQ(link.due_ms, kNow + 1);
  EXPECT_EQ(link.due_set_ms, kNow);
  EXPECT_EQ(ApplyChange({.due_ms = kNow}, kNow, &link), ChangeEffect::kChanged);
}

// Settle has doubled it.
TEST(UrlChange, ADuplicateIsFetchedAgainAtTheIntervalThatTheOperatorSetAndElseAtTwiceItsOwn) {
  UrlRow row = RowIn(UrlState::kDuplicate, Outcome::kFetched);
  row.interval_ms = kDayMs;
  ApplyChange({.interval_ms = 3 * kDayMs}, kNow, &row);
  EXPECT_EQ(row.due_ms, row.fetched_ms + 3 * kDayMs);
  ApplyChange({.interval_ms = 0}, kNow, &row);
  EXPECT_EQ(row.due_ms, row.fetched_ms + 6 * kDayMs) << "settle takes one interval away if it stands for itself again";
}

TEST(UrlChange, IntervalCountsFromTheLastAnswer) {
  UrlRow row = RowIn(UrlState::kFetched, Outcome::kFetched);
  EXPECT_EQ(ApplyChange({.interval_ms = 3 * kDayMs}, kNow, &row), ChangeEffect::kChanged);
  EXPECT_EQ(row.fixed_interval_ms, 3 * kDayMs);
  EXPECT_EQ(row.due_ms, kNow + 2 * kDayMs);
  EXPECT_EQ(ApplyChange({.interval_ms = 3 * kDayMs}, kNow, &row), ChangeEffect::kNone);
  EXPECT_EQ(ApplyChange({.interval_ms = 0}, kNow, &row), ChangeEffect::kChanged);
  EXPECT_EQ(row.fixed_interval_ms, 0);
  EXPECT_EQ(row.due_ms, kNow + 2 * kDayMs);
  UrlRow failing = RowIn(UrlState::kFailing, Outcome::kTimeout);
  ApplyChange({.interval_ms = kHourMs}, kNow, &failing);
  EXPECT_EQ(failing.due_ms, kNow + 90 * kDayMs);
  UrlRow both = RowIn(UrlState::kFetched, Outcome::kFetched);
  ApplyChange({.due_ms = kNow + 5, .interval_ms = kHourMs}, kNow, &both);
  EXPECT_EQ(both.due_ms, kNow + 5);
}

TEST(UrlChange, ADuplicateStaysOneUnlessItIsDropped) {
  UrlRow row;
  row.state = UrlState::kFailing;
  row.outcome = Outcome::kTimeout;
  row.body_digest = "digest";
  row.duplicate_of = "com,a)/";
  EXPECT_EQ(ApplyChange({.retry = true}, 9, &row), ChangeEffect::kPutBack);
  EXPECT_EQ(row.state, UrlState::kDuplicate);
  EXPECT_EQ(ApplyChange({.drop = true}, 9, &row), ChangeEffect::kChanged);
  EXPECT_EQ(row.duplicate_of, "") << "what is dropped is nobody's duplicate";
  EXPECT_EQ(ApplyChange({.undrop = true}, 9, &row), ChangeEffect::kPutBack);
  EXPECT_EQ(row.state, UrlState::kFetched);
}

TEST(UrlChange, ScoreByRuleIsThatOfALink) {
  UrlRow row = RowIn(UrlState::kFetched, Outcome::kFetched);
  row.depth = 2;
  EXPECT_EQ(ApplyChange({.score = 900'000}, kNow, &row), ChangeEffect::kChanged);
  EXPECT_TRUE(row.fixed_score);
  EXPECT_EQ(row.score, 900'000);
  EXPECT_EQ(ApplyChange({.score = UrlChange::kByRule}, kNow, &row), ChangeEffect::kChanged);
  EXPECT_FALSE(row.fixed_score);
  EXPECT_EQ(row.score, ScoreOf({.depth = 2, .key = row.key}));
}

TEST(UrlChange, MetadataIsSetKeyByKey) {
  UrlRow row = RowIn(UrlState::kFetched, Outcome::kFetched);
  row.metadata = "owner=anna\nteam=news";
  EXPECT_EQ(ApplyChange({.metadata = {{"team", "sport"}, {"x", "1=2"}}}, kNow, &row), ChangeEffect::kChanged);
  EXPECT_EQ(row.metadata, "owner=anna\nteam=sport\nx=1=2");
  EXPECT_EQ(ApplyChange({.metadata = {{"x", "1=2"}}}, kNow, &row), ChangeEffect::kNone);
}

TEST(UrlChange, TimesArePointsOrLengths) {
  EXPECT_EQ(*ParseDue("now", kNow), kNow);
  EXPECT_EQ(*ParseDue("3d", kNow), kNow + 3 * kDayMs);
  EXPECT_EQ(*ParseDue("+1h30m", kNow), kNow + 90 * kMinuteMs);
  EXPECT_EQ(*ParseDue("2026-03-01T12:00:00Z", kNow), 1'772'366'400'000);
  for (const char* text : {"", "soon", "-1d", "tomorrow", "-3"}) EXPECT_FALSE(ParseDue(text, kNow).ok()) << text;
  EXPECT_EQ(ParseDue("soon", kNow).status().message(), "'soon' is no time; write now, 3d, or 2026-03-01T12:00:00Z");
}

TEST(UrlChange, TiersHaveNamesAndNumbers) {
  for (const char* text : {"high", "0"}) EXPECT_EQ(*ParseTier(text), TierChoice::kHigh);
  for (const char* text : {"medium", "1"}) EXPECT_EQ(*ParseTier(text), TierChoice::kMedium);
  for (const char* text : {"low", "2"}) EXPECT_EQ(*ParseTier(text), TierChoice::kLow);
  EXPECT_FALSE(ParseTier("3").ok());
}

TEST(UrlChange, PlansKeepIt) {
  const UrlChange changes[] = {{.retry = true, .due_ms = kNow},
                               {.drop = true},
                               {.undrop = true, .score = UrlChange::kByRule},
                               {.score = 0, .interval_ms = 0, .tier = TierChoice::kByRule},
                               {}};
  for (const UrlChange& change : changes) EXPECT_EQ(*UrlChangeFromJson(ToJson(change)), change);
  EXPECT_FALSE(changes[4].IsAny());
  EXPECT_TRUE(changes[3].IsAny());
}

TEST(Advice, NamesTheOptionAndTheCommand) {
  UrlRow row = RowIn(UrlState::kRefused, Outcome::kAddressRefused);
  EXPECT_EQ(
      AdviceFor(row),
      "--fetch.allow_private lifts this (trawl config set fetch.allow_private=true for good); then trawl urls set "
      "--outcome address_refused --retry asks for all of them now");
  row.outcome = Outcome::kRedirectLimit;
  EXPECT_NE(AdviceFor(row).find("--fetch.max_hops=N"), std::string::npos);
  row = RowIn(UrlState::kGone, Outcome::kGone);
  EXPECT_EQ(AdviceFor(row), "trawl urls set URL --retry asks for it now");
  EXPECT_EQ(AdviceFor(RowIn(UrlState::kFetched, Outcome::kFetched)), "");
  row = RowIn(UrlState::kDenied, Outcome::kRobotsDenied);
  EXPECT_EQ(AdviceFor(row), "trawl urls set URL --retry asks for its robots.txt again now");
  row = RowIn(UrlState::kRefused, Outcome::kDropped);
  EXPECT_EQ(AdviceFor(row), "trawl urls set URL --undrop brings it back");
}

TEST(Advice, CommandsGetTheRootThatWasTyped) {
  const struct {
    const char* message;
    const char* root;
    const char* with_root;
  } cases[] = {
      {"run  trawl fetch --segment S", "r", "run  trawl fetch --root r --segment S"},
      {"(trawl config set a=1 for good); then trawl urls set --retry", "hdfs://n:8020/r",
       "(trawl config set --root hdfs://n:8020/r a=1 for good); then trawl urls set --root hdfs://n:8020/r --retry"},
      {"trawl jobs shows the jobs", "r", "trawl jobs --root r shows the jobs"},
      {"trawl page 'u'", "my crawl's", "trawl page --root 'my crawl'\\''s' 'u'"},
      {"trawl rounds", "r", "trawl rounds --root r"},
      {"by a seed or trawl urls set", "r", "by a seed or trawl urls set"},
      {"as trawl urls set says", "r", "as trawl urls set says"},
      {"start one with  trawl inject --root x URL", "r", "start one with  trawl inject --root x URL"},
      {"this trawl does not know it; use a newer trawl", "r", "this trawl does not know it; use a newer trawl"},
      {"/opt/trawl page, retrawl page, trawl pages", "r", "/opt/trawl page, retrawl page, trawl pages"},
      {"trawl page 'u'", "", "trawl page 'u'"},
      {"", "r", ""},
  };
  for (const auto& c : cases) EXPECT_EQ(WithRoot(c.message, c.root), c.with_root);
  EXPECT_EQ(WithRootAndUrl("trawl urls set URL --retry asks for it now", "r", "http://a.example/"),
            "trawl urls set --root r 'http://a.example/' --retry asks for it now");
  EXPECT_EQ(WithRootAndUrl("one URL of its host is tried again then", "r", "http://a.example/"),
            "one URL of its host is tried again then");
}

}  // namespace
}  // namespace trawl
