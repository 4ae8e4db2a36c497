// The knowledge of a fetch task when it begins, and when it goes on after another attempt.
#include "jobs/fetch/state.h"

#include <gtest/gtest.h>

#include "formats/url/key.h"
#include "runtime/root/layout.h"
#include "runtime/tables/run_writer.h"
#include "tests/support/crawl/fetch_lists.h"
#include "tests/support/crawl/segment_fixture.h"
#include "tests/support/store/temporary_folder.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

constexpr int64_t kNow = 1'772'366'400'000;

class FetchStateTest : public testing::Test {
 protected:
  FetchStateTest() : store_(OpenStore(folder_.path(), {.sync = false}).ValueOrDie()) {}

  template <typename Row>
  std::vector<FileReceipt> Write(const std::string& dataset, const std::string& name, const std::vector<Row>& rows) {
    RowFileOptions options;
    options.sorted = false;
    RunWriter<Row> writer(store_.get(), DatasetFolder("seg", dataset), name, options);
    for (const Row& row : rows) EXPECT_OK(writer.Append(row));
    return writer.Finish().ValueOrDie();
  }
  static FetchRow Row(const std::string& url, Outcome outcome, int64_t at_ms = kNow - 10'000) {
    FetchRow row;
    row.key = ListedUrl(url).key;
    row.url = url;
    row.outcome = outcome;
    row.fetched_ms = at_ms;
    row.requests = 1;
    return row;
  }
  // URLs that are asked, in order, until nothing is left by then.
  static std::vector<std::string> AskedUntil(FetchState& state, int64_t until_ms) {
    std::vector<std::string> asked;
    while (state.frontier().NextMs() <= until_ms) {
      const int64_t now_ms = std::max(state.frontier().NextMs(), kNow);
      const auto host = state.frontier().Take(now_ms);
      if (!host) continue;
      const auto url = state.frontier().NextUrl(*host, now_ms);
      if (url) asked.push_back(state.list().IsHop(*url) ? state.list().Hop(*url).url : KeyOf(state, *url));
      state.frontier().Answered(*host, {.ended_ms = now_ms});
    }
    return asked;
  }
  static std::string KeyOf(FetchState& state, UrlNumber url) {
    UrlRow row;
    EXPECT_OK(state.list().ReadRow(url, &row));
    return UrlOfKey(row.key).ValueOr("");
  }

  TemporaryFolder folder_;
  std::unique_ptr<Store> store_;
  FetchOptions options_;
};

TEST_F(FetchStateTest, FailuresAreAskedAgainAfterThirtyASecondTimeAfterTwoMinutesAndThenFive) {
  FetchInputs inputs(options_, {}, kNow);
  const UrlNumber url = inputs.list.AddListed(ListedUrl("http://a.test/"));
  FetchState state(std::move(inputs));
  for (const int64_t wait_ms : {30'000, 120'000, 300'000}) {
    EXPECT_FALSE(state.Settle(url, Outcome::kServerError, false));
    EXPECT_EQ(state.RetryWaitMs(url), wait_ms);
  }
  EXPECT_TRUE(state.Settle(url, Outcome::kTimeout, false));
}

TEST_F(FetchStateTest, TheScheduleOfRetriesIsTheOperators) {
  const auto waits = [](std::vector<std::string> schedule, int32_t retries = 10) {
    FetchOptions options;
    options.retry_after = std::move(schedule);
    options.retries = retries;
    FetchInputs inputs(options, {}, kNow);
    const UrlNumber url = inputs.list.AddListed(ListedUrl("http://a.test/"));
    FetchState state(std::move(inputs));
    std::vector<int64_t> waits_ms;
    while (!state.Settle(url, Outcome::kConnectionReset, false)) waits_ms.push_back(state.RetryWaitMs(url));
    return waits_ms;
  };
  EXPECT_EQ(waits({"1s", "1m"}), (std::vector<int64_t>{1'000, 60'000}));
  EXPECT_EQ(waits({"1s", "1m", "1h"}, 1), std::vector<int64_t>{1'000});
  EXPECT_EQ(waits({}), std::vector<int64_t>());
  EXPECT_EQ(waits({"1s"}, 0), std::vector<int64_t>());
}

TEST_F(FetchStateTest, SchedulesThatMakeNoSenseAreRefused) {
  const auto refusal = [](const std::string& schedule) {
    OptionTexts texts = FetchOptionGroup().Print(FetchOptions());
    texts["fetch.retry_after"] = schedule;
    return FetchOptionGroup().Read(texts).status().message();
  };
  EXPECT_EQ(refusal("30s,2m,5m"), "");
  EXPECT_EQ(refusal(""), "");
  EXPECT_EQ(refusal("30s,soon"), "--fetch.retry_after 'soon': use times between 100ms and 1h, such as 30s,2m,5m");
  EXPECT_EQ(refusal("2h"), "--fetch.retry_after '2h': use times between 100ms and 1h, such as 30s,2m,5m");
  EXPECT_EQ(refusal("10ms"), "--fetch.retry_after '10ms': use times between 100ms and 1h, such as 30s,2m,5m");
  EXPECT_EQ(refusal("1s,1s,1s,1s,1s,1s,1s,1s,1s,1s,1s"), "--fetch.retry_after has 11 times; it takes at most 10");
}

TEST_F(FetchStateTest, AThrottleLosesNoRetryAndEndsAtTheThird) {
  FetchInputs inputs(options_, {}, kNow);
  const UrlNumber url = inputs.list.AddListed(ListedUrl("http://a.test/"));
  FetchState state(std::move(inputs));
  EXPECT_FALSE(state.Settle(url, Outcome::kThrottled, false));
  EXPECT_FALSE(state.Settle(url, Outcome::kThrottled, false));
  EXPECT_FALSE(state.Settle(url, Outcome::kServerError, false));
  EXPECT_EQ(state.RetryWaitMs(url), 30'000);
  EXPECT_TRUE(state.Settle(url, Outcome::kThrottled, false));
}

TEST_F(FetchStateTest, RedirectsThatComeBackAreLoops) {
  FetchState state(FetchInputs(options_, {}, kNow));
  EXPECT_TRUE(state.NoteRedirect("a", "b"));
  EXPECT_TRUE(state.NoteRedirect("b", "c"));
  EXPECT_FALSE(state.NoteRedirect("c", "a"));
  EXPECT_FALSE(state.NoteRedirect("d", "d"));
}

TEST_F(FetchStateTest, ASuccessorAsksForWhatIsNotSettled) {
  StepTask lists;
  lists.files["fetchlist"] = Write<UrlRow>("fetchlist", "list",
                                           ListedUrls({"http://a.test/done", "http://a.test/failed",
                                                       "http://a.test/old", "http://a.test/last", "http://b.test/x"}));
  HostRow b;
  b.key = "test,b";
  b.pages = 1;
  lists.files["fetchlist_hosts"] = Write<HostRow>("fetchlist_hosts", "hosts", {b});
  AttemptEntry first, second;
  FetchRow redirect = Row("http://a.test/old", Outcome::kRedirect);
  redirect.redirect_to = ListedUrl("http://a.test/new").key;
  redirect.redirect_url = "http://a.test/new";
  FetchRow gone_elsewhere = Row("http://a.test/done", Outcome::kFetched);
  first.files["fetch"] =
      Write<FetchRow>("fetch", "p0", {gone_elsewhere, Row("http://a.test/failed", Outcome::kServerError)});
  second.files["fetch"] = Write<FetchRow>("fetch", "p1", {redirect});
  b.answered_ms = kNow - 500;
  b.breaker = BreakerState::kOpen;
  b.breaker_until_ms = kNow + 1'000;
  second.files["hosts"] = Write<HostRow>("hosts", "p1", {b});

  FetchInputs inputs(options_, {}, kNow);
  inputs.continues = true;
  ASSERT_OK(LoadFetchInputs(store_.get(), "seg", lists, {first, second}, &inputs));
  FetchState state(std::move(inputs));
  EXPECT_EQ(state.urls_done_before(), 2);  // done, and the redirect
  EXPECT_EQ(state.given_back(), 1);        // b's breaker is open
  // A delay first; the failed one when its wait from its answer is over.
  EXPECT_GE(state.frontier().NextMs(), kNow + options_.delay_ms);
  EXPECT_EQ(AskedUntil(state, kNow + 15'000), (std::vector<std::string>{"http://a.test/last", "http://a.test/new"}));
  EXPECT_EQ(AskedUntil(state, kNow + 20'000), (std::vector<std::string>{"http://a.test/failed"}));
  EXPECT_EQ(state.frontier().urls_left(), 0);
}

// A successor shares the bodies that attempts before have stored, in parts that count.
TEST_F(FetchStateTest, ASuccessorKnowsTheStoredBodies) {
  StepTask lists;
  lists.files["fetchlist"] = Write<UrlRow>("fetchlist", "list", ListedUrls({"http://a.test/a", "http://a.test/b"}));
  FetchRow stored = Row("http://a.test/a", Outcome::kFetched, kNow);
  stored.body_digest = std::string(32, 'd');
  stored.content_file = "p0-0.orc";
  stored.content_row = 4;
  FetchRow sharing = Row("http://a.test/c", Outcome::kFetched, kNow);
  sharing.body_digest = std::string(32, 'e');
  sharing.content_file = "lost.orc";
  sharing.shares_body = true;
  AttemptEntry part;
  part.files["fetch"] = Write<FetchRow>("fetch", "p0", {stored, sharing});

  SharedBodies bodies(100);
  FetchInputs inputs(options_, {}, kNow);
  inputs.continues = true;
  inputs.bodies = &bodies;
  ASSERT_OK(LoadFetchInputs(store_.get(), "seg", lists, {part}, &inputs));
  FetchRow row;
  row.body_digest = stored.body_digest;
  EXPECT_TRUE(bodies.Share(&row));
  EXPECT_EQ(row.content_file, "p0-0.orc");
  EXPECT_EQ(row.content_row, 4);
  row.body_digest = sharing.body_digest;
  EXPECT_FALSE(bodies.Share(&row)) << "a body is known by the row that it was stored for";
}

// What was throttled goes by what its host said, whatever the clock of the attempt before showed.
TEST_F(FetchStateTest, ASuccessorWaitsForAThrottledHostAsTold) {
  StepTask lists;
  lists.files["fetchlist"] = Write<UrlRow>("fetchlist", "list", ListedUrls({"http://a.test/busy"}));
  HostRow a;
  a.key = "test,a";
  a.answered_ms = kNow + 60'000;
  lists.files["fetchlist_hosts"] = Write<HostRow>("fetchlist_hosts", "hosts", {a});
  AttemptEntry part;
  part.files["fetch"] = Write<FetchRow>("fetch", "p0", {Row("http://a.test/busy", Outcome::kThrottled, kNow - 1'000)});
  a.answered_ms = kNow - 1'000;
  a.not_before_ms = kNow + 4'000;
  part.files["hosts"] = Write<HostRow>("hosts", "p0", {a});

  FetchInputs inputs(options_, {}, kNow);
  inputs.continues = true;
  ASSERT_OK(LoadFetchInputs(store_.get(), "seg", lists, {part}, &inputs));
  FetchState state(std::move(inputs));
  EXPECT_GE(state.frontier().NextMs(), kNow + 4'000);
  EXPECT_EQ(AskedUntil(state, kNow + 5'000), (std::vector<std::string>{"http://a.test/busy"}));
}

TEST_F(FetchStateTest, AHostThatTheListDoesNotHaveIsAsTheCrawlKnowsIt) {
  SegmentFixture crawl;
  HostRow blocked, told;
  blocked.key = "test,site,blocked";
  blocked.blocked = true;
  told.key = "test,site,told";
  told.operator_delay_ms = 5'000;
  told.not_before_ms = kNow + 90'000;
  told.pages_today = 7;
  ASSERT_OK(crawl.Put<HostRow>({blocked, told}));
  RobotsRow rules;
  rules.key = "test,site,told)http";
  rules.text = "User-agent: *\nDisallow: /no\n";
  rules.fetched_ms = rules.text_ms = kNow - 1'000;
  rules.due_ms = kNow + 1'000;
  ASSERT_OK(crawl.Put<RobotsRow>({rules}));
  FetchInputs inputs(options_, {}, kNow);
  inputs.host_table = Table::Open<HostRow>(crawl.store(), crawl.Present()).ValueOrDie();
  inputs.robots_table = Table::Open<RobotsRow>(crawl.store(), crawl.Present()).ValueOrDie();
  FetchState state(std::move(inputs));
  EXPECT_TRUE(state.frontier().row(state.HostFor("test,site,blocked)http/x")).blocked);
  const HostNumber host = state.HostFor("test,site,told)http/x");
  EXPECT_EQ(state.frontier().row(host).pages_today, 7);
  EXPECT_EQ(state.frontier().DelayMs(host), 5'000);
  state.frontier().Append(host, 0);
  EXPECT_GE(state.frontier().NextMs(), kNow + 90'000);
  EXPECT_EQ(state.gate().Check("test,site,told)http", "/no", kNow).kind, RobotsDecision::Kind::kDenied);
  EXPECT_FALSE(state.frontier().row(state.HostFor("test,site,new)http/x")).blocked);
  // It holds domains by its list alone.
  EXPECT_FALSE(state.Holds("told.site.test"));
}

// Another host of the domain may have been asked last, in the round before.
TEST_F(FetchStateTest, ByDomainALaterRoundWaitsFirst) {
  options_.politeness_by = PolitenessUnit::kDomain;
  SegmentFixture crawl;
  for (const bool is_first_round : {true, false}) {
    if (!is_first_round) {
      ASSERT_OK(crawl.Put<HostRow>({{.key = "test,site,other", .answered_ms = kNow - 10}}));
    }
    FetchInputs inputs(options_, {}, kNow);
    inputs.host_table = Table::Open<HostRow>(crawl.store(), crawl.Present()).ValueOrDie();
    inputs.listed_hosts = {{"test,site,www)http/x", 0}};
    FetchState state(std::move(inputs));
    state.frontier().Append(state.HostFor("test,site,www)http/x"), 0);
    const int64_t wait_ms = std::max<int64_t>(state.frontier().NextMs() - kNow, 0);
    EXPECT_EQ(wait_ms, is_first_round ? 0 : 2'016);
  }
}

// A robots.txt leads there. Another segment may have the domain, and have asked it just before: the tables know of that
// once it is applied.
TEST_F(FetchStateTest, AHostOfADomainThatTheListDoesNotHaveWaitsFirst) {
  FetchInputs inputs(options_, {}, kNow);
  inputs.listed_hosts = {{"test,site,www)http/x", 0}};
  FetchState state(std::move(inputs));
  state.frontier().Append(state.HostFor("test,site,other)http/x"), 0);
  EXPECT_LE(state.frontier().NextMs(), kNow) << "of a domain that the list has";
  FetchInputs elsewhere(options_, {}, kNow);
  FetchState waiting(std::move(elsewhere));
  waiting.frontier().Append(waiting.HostFor("test,site,other)http/x"), 0);
  EXPECT_EQ(waiting.frontier().NextMs(), kNow + 1'016);
}

// Those that the attempt before met and did not come to.
TEST_F(FetchStateTest, ASuccessorFollowsRedirectsAsItsPredecessorDid) {
  SegmentFixture crawl;
  UrlRow settled = ListedUrl("http://www.a.test/settled");
  settled.state = UrlState::kFetched;
  ASSERT_OK(crawl.Put<UrlRow>({settled}));
  HostRow blocked;
  blocked.key = "test,a,blocked";
  blocked.blocked = true;
  ASSERT_OK(crawl.Put<HostRow>({blocked}));
  StepTask lists;
  std::vector<std::string> urls;
  std::vector<FetchRow> rows;
  for (const char* to : {"http://www.a.test/settled", "http://blocked.a.test/x", "http://www.a.test/new"}) {
    urls.push_back("http://a.test/" + std::to_string(urls.size()));
    rows.push_back(Row(urls.back(), Outcome::kRedirect));
    rows.back().redirect_to = ListedUrl(to).key;
    rows.back().redirect_url = to;
  }
  lists.files["fetchlist"] = Write<UrlRow>("fetchlist", "list", ListedUrls(urls));
  AttemptEntry part;
  part.files["fetch"] = Write<FetchRow>("fetch", "p0", rows);
  FetchInputs inputs(options_, {}, kNow);
  inputs.continues = true;
  inputs.url_table = Table::Open<UrlRow>(crawl.store(), crawl.Present()).ValueOrDie();
  inputs.host_table = Table::Open<HostRow>(crawl.store(), crawl.Present()).ValueOrDie();
  ASSERT_OK(LoadFetchInputs(store_.get(), "seg", lists, {part}, &inputs));
  FetchState state(std::move(inputs));
  EXPECT_EQ(AskedUntil(state, kNow + 60'000), (std::vector<std::string>{"http://www.a.test/new"}));
}

TEST_F(FetchStateTest, UrlsAreFoundByNumberAndKey) {
  FetchList list;
  for (int i = 0; i < 10'000; ++i) {
    const UrlRow row = ListedUrl("http://a.test/" + std::to_string(i));
    EXPECT_EQ(list.AddListed(row), static_cast<UrlNumber>(i));
  }
  list.Seal();
  for (const int i : {0, 1, 4'999, 9'999}) {
    UrlRow row;
    ASSERT_OK(list.ReadRow(static_cast<UrlNumber>(i), &row));
    EXPECT_EQ(row, ListedUrl("http://a.test/" + std::to_string(i)));
    EXPECT_EQ(list.Find(row.key), static_cast<UrlNumber>(i));
  }
  EXPECT_EQ(list.Find("test,b)http/"), std::nullopt);
  const UrlNumber hop = list.AddHop({.key = "test,b)http/", .url = "http://b.test/"});
  EXPECT_EQ(list.Find("test,b)http/"), hop);
  EXPECT_TRUE(list.IsHop(hop));
}

}  // namespace
}  // namespace trawl
