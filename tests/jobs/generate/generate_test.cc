// The generate job on tables that the tests write: what a round takes, what it leaves out, and how it opens its
// segment.
#include "jobs/generate/generate.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <map>
#include <set>
#include <thread>

#include "formats/digests/digest.h"
#include "formats/rows/candidate_row.h"
#include "formats/rows/seed_host_row.h"
#include "formats/rows/times.h"
#include "runtime/job/local_runner.h"
#include "runtime/process/status_detail.h"
#include "runtime/root/segment_data.h"
#include "tests/support/crawl/segment_fixture.h"
#include "tests/support/store/faulty_store.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

constexpr int64_t kNow = 1'767'225'600'000;

UrlRow Due(const std::string& key, int32_t score = 500'000) {
  UrlRow row = UnfetchedRow(key);
  row.score = score;
  row.due_ms = kNow - 1;
  return row;
}

// What a list says.
struct ListRows {
  std::vector<UrlRow> urls;
  std::vector<HostRow> hosts;
  std::vector<RobotsRow> robots;
  std::vector<HeldRow> held;
  Json facts;
};

class GenerateTest : public ::testing::Test {
 protected:
  arrow::Result<JobResult> Generate(OptionTexts options = {}, const std::string& segment = "", int threads = 1) {
    return GenerateOn(crawl_.store(), std::move(options), segment, threads);
  }

  arrow::Result<JobResult> GenerateOn(Store* store, OptionTexts options, const std::string& segment, int threads) {
    LocalRunner runner({.threads = threads, .memory_bytes = 64 << 20, .temp_folder = crawl_.root(), .attempts = 1});
    JobEnvironment environment;
    environment.store = store;
    environment.runner = &runner;
    environment.clock = &SystemClock();
    environment.now_ms = now_ms_;
    environment.version = "test";
    environment.options = std::move(options);
    environment.options.merge(GenerateOptionTexts());
    ARROW_ASSIGN_OR_RAISE(outcome_, GenerateSegment(environment, segment, threads));
    return outcome_.job;
  }

  template <typename Row>
  std::vector<Row> RowsOf(const StepRecord& record, const StepTask& task, const std::string& dataset) {
    std::vector<Row> rows;
    const auto found = task.files.find(dataset);
    if (found == task.files.end()) return rows;
    for (const FileReceipt& file : found->second) {
      EXPECT_OK(ForEachDatasetRow<Row>(crawl_.store(), record.segment, dataset, file, [&rows](const Row& row) {
        rows.push_back(row);
        return arrow::Status::OK();
      }));
    }
    return rows;
  }

  // The lists of the segment that was opened last.
  std::vector<ListRows> Lists() {
    std::vector<ListRows> lists;
    const Manifest present = crawl_.Present();
    if (present.open_segments.empty()) return lists;
    const OpenSegment& open = present.open_segments.back();
    const auto record = ReadLists(crawl_.store(), open.id, open.job, open.lists);
    EXPECT_OK(record);
    for (const StepTask& task : record->tasks) {
      lists.push_back({RowsOf<UrlRow>(*record, task, "fetchlist"), RowsOf<HostRow>(*record, task, "fetchlist_hosts"),
                       RowsOf<RobotsRow>(*record, task, "fetchlist_robots"), RowsOf<HeldRow>(*record, task, "held"),
                       task.facts});
    }
    return lists;
  }

  std::set<std::string> TakenKeys() {
    std::set<std::string> keys;
    for (const ListRows& list : Lists()) {
      for (const UrlRow& row : list.urls) EXPECT_TRUE(keys.insert(row.key).second) << row.key << " is there twice";
    }
    return keys;
  }

  int64_t LeftOut(const std::string& why) const { return outcome_.selection.counters.Get(why); }

  SegmentFixture crawl_;
  GenerateOutcome outcome_;
  TimeMs now_ms_ = kNow;
};

TEST_F(GenerateTest, ListHasRowsHostsRobotsAndHeldDomains) {
  UrlRow fetched = Due("com,a,www)/x", 400'000);
  fetched.state = UrlState::kFetched;
  fetched.etag = "\"e\"";
  UrlRow later = Due("com,a,www)/later");
  later.due_ms = kNow + 1;
  ASSERT_OK(
      crawl_.Put<UrlRow>({fetched, Due("com,a,www)/y", 600'000), Due("com,a,www)http/", 0), Due("com,a)/"), later}));
  HostRow host;
  host.key = "com,a,www";
  host.response_ms = 500;
  ASSERT_OK(crawl_.Put<HostRow>({host}));
  RobotsRow robots, other;
  robots.key = "com,a,www)";
  robots.text = "User-agent: *\nCrawl-delay: 2\n";
  other.key = "com,b)";
  ASSERT_OK(crawl_.Put<RobotsRow>({robots, other}));

  ASSERT_OK_AND_ASSIGN(const JobResult result, Generate());
  EXPECT_TRUE(result.changed);
  const std::vector<ListRows> lists = Lists();
  ASSERT_EQ(lists.size(), 1U);
  const ListRows& list = lists[0];
  // Host by host; within a host by rank.
  std::vector<std::string> keys;
  for (const UrlRow& row : list.urls) keys.push_back(row.key);
  EXPECT_EQ(keys, (std::vector<std::string>{"com,a)/", "com,a,www)http/", "com,a,www)/y", "com,a,www)/x"}));
  EXPECT_EQ(list.urls[3], fetched) << "the whole row";
  ASSERT_EQ(list.hosts.size(), 2U);
  EXPECT_EQ(list.hosts[0].key, "com,a") << "also a host that the table does not have";
  EXPECT_EQ(list.hosts[1], host);
  EXPECT_EQ(list.robots, std::vector<RobotsRow>{robots});
  const HeldRow held = {.key = "com,a", .list = 0, .hosts = 2, .pages = 4, .expected_ms = 7500};
  EXPECT_EQ(list.held, std::vector<HeldRow>{held});
  EXPECT_EQ(list.facts["urls"], 4);
  EXPECT_EQ(list.facts["hosts"], 2);
  EXPECT_EQ(list.facts["domains"], 1);
  EXPECT_EQ(list.facts["expected_ms"], 7500);
  EXPECT_EQ(list.facts["time_limit_ms"], kHourMs);
  EXPECT_EQ(list.facts["slow"], false);
  EXPECT_EQ(outcome_.selection.next_due_ms, kNow + 1);
}

TEST_F(GenerateTest, SegmentIsOpenUntilItsTimeAndThenExpires) {
  ASSERT_OK(crawl_.Put<UrlRow>({Due("com,a)/")}));
  ASSERT_OK(Generate({{"generate.hold", "2h"}}, "s1"));
  Manifest present = crawl_.Present();
  ASSERT_EQ(present.open_segments.size(), 1U);
  EXPECT_EQ(present.open_segments[0].id, "s1");
  EXPECT_EQ(present.open_segments[0].opened_ms, kNow);
  EXPECT_EQ(present.open_segments[0].until_ms, kNow + 2 * kHourMs);

  // The domain is held, also for other hosts of it.
  ASSERT_OK(crawl_.Put<UrlRow>({Due("com,a,other)/")}));
  ASSERT_OK_AND_ASSIGN(const JobResult nothing, Generate({}, "s2"));
  EXPECT_FALSE(nothing.changed);
  EXPECT_EQ(outcome_.segment, "");
  EXPECT_EQ(LeftOut("held"), 2);
  EXPECT_EQ(outcome_.selection.next_due_ms, kNow + 2 * kHourMs);

  now_ms_ = kNow + 2 * kHourMs;
  ASSERT_OK(Generate({}, "s3"));
  present = crawl_.Present();
  ASSERT_EQ(present.closed_segments.size(), 1U);
  EXPECT_EQ(present.closed_segments[0].id, "s1");
  EXPECT_EQ(present.closed_segments[0].end, SegmentEnd::kExpired);
  EXPECT_EQ(present.closed_segments[0].snapshot, present.number);
  ASSERT_EQ(present.open_segments.size(), 1U);
  EXPECT_EQ(present.open_segments[0].id, "s3");
  EXPECT_EQ(TakenKeys(), (std::set<std::string>{"com,a)/", "com,a,other)/"}));
}

HostRow DomainRow(const std::string& key, const DomainRecord& record) {
  HostRow row;
  row.key = key;
  row.domain = record;
  return row;
}

TEST_F(GenerateTest, BlockedAndFullDomainsAreLeftOutWithAllTheirHosts) {
  ASSERT_OK(crawl_.Put<UrlRow>({Due("com,a,www)/"), Due("com,a,new)/"), Due("com,b,x)/1"), Due("com,c,x)/1"),
                                Due("com,c,x)/2"), Due("com,c,y)/1"), Due("com,d)/")}));
  ASSERT_OK(crawl_.Put<HostRow>({DomainRow("com,a", {.blocked = true}),
                                 DomainRow("com,b", {.day_start_ms = kNow, .pages_today = 4, .pages = 9}),
                                 DomainRow("com,c", {.day_start_ms = kNow, .pages_today = 2, .pages = 2})}));
  ASSERT_OK(Generate({{"generate.domain_pages_a_day", "4"}, {"generate.top_n", "4"}}));
  EXPECT_EQ(LeftOut("domain_blocked"), 2);
  EXPECT_EQ(LeftOut("domain_day_is_full"), 1);
  EXPECT_EQ(outcome_.selection.left_out_until_ms.at("domain_blocked"), kNever);
  EXPECT_EQ(outcome_.selection.left_out_until_ms.at("domain_day_is_full"), kNow + kDayMs);
  EXPECT_EQ(outcome_.job.output.counters.Get("left_out.domain_blocked"), 2) << "also in generate's own report";
  int of_c = 0;
  for (const std::string& key : TakenKeys()) of_c += key.starts_with("com,c,") ? 1 : 0;
  EXPECT_EQ(of_c, 2) << "what is left of its day";
  EXPECT_EQ(TakenKeys().size(), 3U);
  const auto lists = Lists();
  for (const HostRow& host : lists[0].hosts) {
    if (host.key == "com,d") continue;
    EXPECT_EQ(host.domain.operator_pages_a_day, 4) << "fetch learns the limit";
    EXPECT_EQ(host.domain.pages_today, 2);
  }
}

TEST_F(GenerateTest, NothingIsDueBeforeTheDayOfTheDomainIsOver) {
  ASSERT_OK(crawl_.Put<UrlRow>({Due("com,a,www)/"), Due("com,b)/")}));
  ASSERT_OK(crawl_.Put<HostRow>(
      {DomainRow("com,a", {.operator_pages_a_day = 1, .day_start_ms = kNow, .pages_today = 1, .pages = 1}),
       DomainRow("com,b", {.operator_pages = 5, .pages = 5})}));
  ASSERT_OK(Generate());
  EXPECT_EQ(outcome_.segment, "");
  EXPECT_EQ(outcome_.selection.next_due_ms, kNow + kDayMs);
  EXPECT_EQ(LeftOut("domain_is_full"), 1);
  now_ms_ = kNow + kDayMs;
  ASSERT_OK(Generate());
  EXPECT_EQ(TakenKeys(), std::set<std::string>{"com,a,www)/"});
}

TEST_F(GenerateTest, TheDelayOfADomainHoldsForHostsWithoutOneOfTheirOwn) {
  ASSERT_OK(crawl_.Put<UrlRow>({Due("com,a,own)/"), Due("com,a,www)/")}));
  HostRow own;
  own.key = "com,a,own";
  own.operator_delay_ms = 100;
  ASSERT_OK(crawl_.Put<HostRow>({own, DomainRow("com,a", {.operator_delay_ms = 7'000})}));
  ASSERT_OK(Generate());
  const std::vector<ListRows> lists = Lists();
  ASSERT_EQ(lists[0].hosts.size(), 2U);
  EXPECT_EQ(lists[0].hosts[0].operator_delay_ms, 100);
  EXPECT_EQ(lists[0].hosts[1].operator_delay_ms, 7'000);
  EXPECT_EQ(lists[0].held[0].expected_ms, 7'000);
}

TEST_F(GenerateTest, HoldLastsLongerThanTheRound) {
  ASSERT_OK(crawl_.Put<UrlRow>({Due("com,a)/")}));
  ASSERT_OK(Generate({{"generate.hold", "1h"}, {"generate.time_limit", "5h"}}));
  EXPECT_EQ(crawl_.Present().open_segments[0].until_ms, kNow + 6 * kHourMs);
}

TEST_F(GenerateTest, CustomersOfAPublicSuffixAreStrangers) {
  ASSERT_OK(crawl_.Put<UrlRow>({Due("io,github,alice)/")}));
  ASSERT_OK(Generate({}, "s1"));
  ASSERT_OK(crawl_.Put<UrlRow>({Due("io,github,bob)/")}));
  ASSERT_OK(Generate({}, "s2"));
  EXPECT_EQ(TakenKeys(), std::set<std::string>{"io,github,bob)/"});
}

TEST_F(GenerateTest, SameIdIsMadeOnce) {
  ASSERT_OK(crawl_.Put<UrlRow>({Due("com,a)/"), Due("com,b)/")}));
  ASSERT_OK(Generate({{"generate.top_n", "1"}}, "s1"));
  const int64_t number = crawl_.Present().number;
  for (const bool is_abandoned : {false, true}) {
    if (is_abandoned) {
      ASSERT_OK(crawl_.Close("s1", SegmentEnd::kAbandoned));
    }
    ASSERT_OK_AND_ASSIGN(const JobResult again, Generate({}, "s1"));
    EXPECT_FALSE(again.changed);
    EXPECT_TRUE(outcome_.was_there);
    EXPECT_EQ(outcome_.segment, "s1");
  }
  EXPECT_EQ(crawl_.Present().number, number + 1) << "only the closing was published";
}

TEST_F(GenerateTest, AbandoningGivesTheUrlsBack) {
  ASSERT_OK(crawl_.Put<UrlRow>({Due("com,a)/")}));
  ASSERT_OK(Generate({}, "s1"));
  ASSERT_OK(crawl_.Close("s1", SegmentEnd::kAbandoned));
  ASSERT_OK(Generate({}, "s2"));
  EXPECT_EQ(TakenKeys(), std::set<std::string>{"com,a)/"});
}

TEST_F(GenerateTest, HostsThatTakeNothingAreLeftOutWithTheReason) {
  std::vector<HostRow> hosts(4);
  hosts[0].key = "com,blocked";
  hosts[0].blocked = true;
  hosts[1].key = "com,broken";
  hosts[1].breaker = BreakerState::kOpen;
  hosts[1].breaker_until_ms = kNow + 60'000;
  hosts[2].key = "com,full";
  hosts[2].day_start_ms = kNow - kHourMs;
  hosts[2].pages_today = 100'000;
  hosts[3].key = "com,told";
  hosts[3].not_before_ms = kNow + 2 * kHourMs;
  std::vector<UrlRow> urls = {Due("com,good)/")};
  for (const HostRow& host : hosts) urls.push_back(Due(host.key + ")/"));
  ASSERT_OK(crawl_.Put<UrlRow>(urls));
  ASSERT_OK(crawl_.Put<HostRow>(hosts));
  ASSERT_OK(Generate());
  EXPECT_EQ(TakenKeys(), std::set<std::string>{"com,good)/"});
  for (const char* why : {"blocked", "breaker_open", "day_is_full", "throttled"}) EXPECT_EQ(LeftOut(why), 1) << why;
  EXPECT_EQ(outcome_.selection.next_due_ms, kNow + 60'000);
}

TEST_F(GenerateTest, WhatIsDueNextWaitsForItsHost) {
  std::vector<HostRow> hosts(2);
  hosts[0].key = "com,blocked";
  hosts[0].blocked = true;
  hosts[1].key = "com,full";
  hosts[1].day_start_ms = kNow - kHourMs;
  hosts[1].pages_today = 100'000;
  std::vector<UrlRow> urls = {Due("com,blocked)/"), Due("com,full)/"), Due("com,good)/")};
  urls[0].due_ms = kNow + 1;
  urls[1].due_ms = kNow + 2;
  urls[2].due_ms = kNow + 48 * kHourMs;
  ASSERT_OK(crawl_.Put<UrlRow>(urls));
  ASSERT_OK(crawl_.Put<HostRow>(hosts));
  ASSERT_OK(Generate());
  EXPECT_EQ(TakenKeys(), std::set<std::string>());
  EXPECT_EQ(outcome_.selection.next_due_ms, kNow + 23 * kHourMs) << "when the day of the full one is over";
}

TEST_F(GenerateTest, PagesThatWaitForRobotsAreLeftOutOriginByOrigin) {
  std::vector<RobotsRow> robots(3);
  robots[0].key = "com,a)http:80";
  robots[1].key = "com,b)";
  robots[2].key = "com,c)";
  for (RobotsRow& row : robots) {
    row.outcome = Outcome::kServerError;
    row.failures = 2;
    row.due_ms = kNow + kHourMs;
  }
  robots[1].text_ms = kNow - kHourMs;  // a good copy serves
  robots[2].due_ms = kNow;             // it is time to ask again
  ASSERT_OK(crawl_.Put<RobotsRow>(robots));
  ASSERT_OK(crawl_.Put<UrlRow>(
      {Due("com,a)http:80/1"), Due("com,a)http:80/2"), Due("com,a)/"), Due("com,b)/"), Due("com,c)/")}));
  ASSERT_OK(Generate());
  EXPECT_EQ(TakenKeys(), (std::set<std::string>{"com,a)/", "com,b)/", "com,c)/"}));
  EXPECT_EQ(LeftOut("robots_deferred"), 2);
  EXPECT_EQ(outcome_.selection.next_due_ms, kNow + kHourMs);
}

TEST_F(GenerateTest, ADeadHostTakesNoSlotBeforeItsTimeAndThenOne) {
  RobotsRow dead;
  dead.key = "com,a)";
  dead.outcome = Outcome::kDnsFailed;
  dead.failures = 1;
  dead.is_dead = true;
  dead.dead_rounds = 1;
  dead.due_ms = kNow + kHourMs;
  ASSERT_OK(crawl_.Put<RobotsRow>({dead}));
  UrlRow out_of_scope = Due("com,a)/0");
  out_of_scope.depth = 11;
  UrlRow best = Due("com,a)/3");
  best.score = 900'000;
  ASSERT_OK(crawl_.Put<UrlRow>(
      {out_of_scope, Due("com,a)/1"), Due("com,a)/2"), best, Due("com,a)http:8080/1"), Due("com,a)http:8080/2")}));
  for (const char* on_unreachable : {"defer", "allow"}) {
    ASSERT_OK(Generate({{"robots.on_unreachable", on_unreachable}}));
    EXPECT_EQ(TakenKeys(), (std::set<std::string>{"com,a)http:8080/1", "com,a)http:8080/2"})) << on_unreachable;
    EXPECT_EQ(LeftOut("dead_host"), 4);
    EXPECT_EQ(outcome_.selection.next_due_ms, kNow + kHourMs);
    ASSERT_OK(crawl_.Close(crawl_.Present().open_segments.back().id, SegmentEnd::kAbandoned));
  }
  dead.due_ms = kNow;
  ASSERT_OK(crawl_.Put<RobotsRow>({dead}));
  ASSERT_OK(Generate());
  EXPECT_EQ(TakenKeys(), (std::set<std::string>{"com,a)/1", "com,a)http:8080/1", "com,a)http:8080/2"}));
  EXPECT_EQ(LeftOut("dead_host"), 2);
  EXPECT_EQ(outcome_.selection.left_out_until_ms.at("dead_host"), kNow) << "this round tells";
  EXPECT_EQ(LeftOut("refused"), 1);
}

TEST_F(GenerateTest, NobodyWaitsForRobotsWhereUnreachableOnesAllow) {
  RobotsRow row;
  row.key = "com,a)";
  row.failures = 1;
  row.due_ms = kNow + kHourMs;
  ASSERT_OK(crawl_.Put<RobotsRow>({row}));
  ASSERT_OK(crawl_.Put<UrlRow>({Due("com,a)/")}));
  ASSERT_OK(Generate({{"robots.on_unreachable", "allow"}}));
  EXPECT_EQ(TakenKeys(), std::set<std::string>{"com,a)/"});
}

TEST_F(GenerateTest, ScopeAndRulesAreAskedAgain) {
  SeedHostRow seed;
  seed.key = "com,a";
  ASSERT_OK(crawl_.Put<SeedHostRow>({seed}));
  UrlRow deep = Due("com,a)/deep");
  deep.depth = 11;
  UrlRow unknown = Due("com,a)/kind");
  unknown.kind = static_cast<UrlKind>(99);
  ASSERT_OK(crawl_.Put<UrlRow>({Due("com,a)/"), Due("com,b)/"), deep, unknown}));
  ASSERT_OK(Generate());
  EXPECT_EQ(TakenKeys(), std::set<std::string>{"com,a)/"});
  EXPECT_EQ(LeftOut("refused"), 3);
}

TEST_F(GenerateTest, HostGivesItsBestUpToItsShare) {
  std::vector<UrlRow> urls;
  for (int i = 0; i < 50; ++i) urls.push_back(Due("com,a)/" + std::to_string(i), 310'000 + i));
  ASSERT_OK(crawl_.Put<UrlRow>(urls));
  ASSERT_OK(Generate({{"generate.time_limit", "10s"}}));
  std::set<std::string> best;
  for (int i = 40; i < 50; ++i) best.insert("com,a)/" + std::to_string(i));
  EXPECT_EQ(TakenKeys(), best);
  EXPECT_EQ(LeftOut("overflow"), 40);
}

TEST_F(GenerateTest, NoLowerTierWhileAHigherOneFits) {
  std::vector<UrlRow> urls;
  for (int host = 0; host < 20; ++host) {
    const std::string name = "com,h" + std::to_string(host);
    for (const char* path : {")/", ")/page/2", ")/x"}) urls.push_back(Due(name + path));
  }
  ASSERT_OK(crawl_.Put<UrlRow>(urls));
  ASSERT_OK(Generate({{"generate.top_n", "30"}}));
  EXPECT_EQ(outcome_.assignment.tiers, (std::array<int64_t, kTiers>{20, 10, 0}));
  EXPECT_TRUE(outcome_.assignment.more);
  EXPECT_EQ(TakenKeys().size(), 30U);
}

// Two hosts of one domain have a hundred times more than a round takes, all of it better than what two others have.
TEST_F(GenerateTest, ADomainDoesNotTakeAllWhileOthersHaveDueUrls) {
  std::vector<UrlRow> urls = {Due("com,b)/1", 100'000), Due("com,c)/1", 200'000), Due("com,c)/2", 50'000)};
  for (int i = 0; i < 500; ++i) {
    urls.push_back(Due((i % 2 == 0 ? "com,a,x)/" : "com,a,y)/") + std::to_string(i), 800'000));
  }
  ASSERT_OK(crawl_.Put<UrlRow>(urls));
  const auto taken_of = [this](const OptionTexts& options, const std::string& domain) {
    EXPECT_OK(Generate(options));
    int64_t taken = 0;
    for (const std::string& key : TakenKeys()) taken += key.starts_with(domain) ? 1 : 0;
    EXPECT_OK(crawl_.Close(outcome_.segment, SegmentEnd::kAbandoned));
    return taken;
  };
  EXPECT_EQ(taken_of({{"generate.top_n", "10"}}, "com,a"), 7);
  EXPECT_EQ(taken_of({{"generate.top_n", "4"}}, "com,c"), 1) << "half of it is for others";
  EXPECT_EQ(taken_of({{"generate.top_n", "10"}, {"generate.domain_share", "1"}}, "com,a"), 10);
}

// A round takes one URL. The low one has waited, and is overtaken only by what came due less than the aging after it.
TEST_F(GenerateTest, NoTierStarves) {
  UrlRow low = Due("com,a)/archive/1", 0), high = Due("com,b)/", 900'000);
  low.due_ms = kNow - 8 * kDayMs;
  for (const auto& [aging, taken] :
       std::vector<std::pair<std::string, std::string>>{{"7d", low.key}, {"30d", high.key}, {"0", low.key}}) {
    high.due_ms = kNow;
    ASSERT_OK(crawl_.Put<UrlRow>({low, high}));
    ASSERT_OK(Generate({{"generate.top_n", "1"}, {"generate.aging", aging}}));
    EXPECT_EQ(TakenKeys(), std::set<std::string>{taken}) << aging;
    ASSERT_OK(crawl_.Close(outcome_.segment, SegmentEnd::kAbandoned));
  }
}

TEST_F(GenerateTest, SlowHostsHaveAListAndStayThereForAnHour) {
  HostRow slow;
  slow.key = "com,slow";
  slow.window_start_ms = kNow - 1000;
  slow.window_requests = 30;
  slow.window_failures = 10;
  ASSERT_OK(crawl_.Put<HostRow>({slow}));
  ASSERT_OK(crawl_.Put<UrlRow>({Due("com,slow)/"), Due("com,a)/"), Due("com,b)/")}));
  ASSERT_OK(Generate({}, "", 2));
  EXPECT_EQ(Lists().size(), 1U) << "each list costs files, and a small round needs one";
  ASSERT_OK(crawl_.Close(outcome_.segment, SegmentEnd::kAbandoned));
  std::vector<UrlRow> more;
  for (int page = 0; page < 150; ++page) more.push_back(Due("com,a)/" + std::to_string(page)));
  ASSERT_OK(crawl_.Put<UrlRow>(more));
  ASSERT_OK(Generate({}, "", 2));
  const std::vector<ListRows> lists = Lists();
  ASSERT_EQ(lists.size(), 3U);
  EXPECT_EQ(lists[2].facts["slow"], true);
  ASSERT_EQ(lists[2].hosts.size(), 1U);
  EXPECT_EQ(lists[2].hosts[0].key, "com,slow");
  EXPECT_EQ(lists[2].hosts[0].slow_until_ms, kNow + kHourMs);
}

// Digests of all lists, which do not depend on files.
std::string DigestOf(const std::vector<ListRows>& lists) {
  std::string text, bytes;
  for (const ListRows& list : lists) {
    for (const UrlRow& row : list.urls) {
      EncodeRow(row, &bytes);
      text += bytes;
    }
    for (const HeldRow& row : list.held) {
      EncodeRow(row, &bytes);
      text += bytes;
    }
    text += DumpJson(list.facts);
  }
  return ToHex(Hash64(text));
}

TEST_F(GenerateTest, ThreadsAndRunsDoNotChangeTheLists) {
  std::vector<UrlRow> first, second;
  std::vector<HostRow> hosts;
  for (int host = 0; host < 300; ++host) {
    const std::string name = "com,d" + std::to_string(host % 90) + ",h" + std::to_string(host);
    HostRow row;
    row.key = name;
    row.response_ms = host * 7 % 900;
    hosts.push_back(row);
    for (int page = 0; page < 40; ++page) {
      UrlRow url = Due(name + ")/" + std::to_string(page), (host * 31 + page * 977) % kScoreOne);
      (page % 3 == 0 ? second : first).push_back(url);
      if (page % 7 == 0) url.due_ms = kNow + 5;
      if (page % 5 == 0) second.push_back(url);
    }
  }
  // A key's newer row comes last.
  std::map<std::string, UrlRow> newest;
  for (const UrlRow& row : second) newest[row.key] = row;
  second.clear();
  for (const auto& [key, row] : newest) second.push_back(row);
  ASSERT_OK(crawl_.Put<UrlRow>(first));
  ASSERT_OK(crawl_.Put<UrlRow>(second));
  ASSERT_OK(crawl_.Put<HostRow>(hosts));
  for (const OptionTexts& options :
       {OptionTexts{{"generate.top_n", "2000"}}, OptionTexts{{"generate.per_domain", "9"}, {"generate.top_n", "500"}},
        OptionTexts{{"fetch.politeness_by", "domain"}, {"generate.time_limit", "20s"}},
        OptionTexts{{"generate.per_host", "3"}}, OptionTexts{{"generate.top_n", "40"}},
        OptionTexts{{"generate.top_n", "40"}, {"generate.domain_share", "0.05"}},
        OptionTexts{{"generate.top_n", "40"}, {"generate.domain_share", "1"}}}) {
    std::set<std::string> digests;
    for (const int threads : {1, 2, 5}) {
      OptionTexts with_lists = options;
      with_lists["generate.fetchers"] = "4";
      ASSERT_OK(Generate(with_lists, "", threads));
      digests.insert(DigestOf(Lists()));
      ASSERT_OK(crawl_.Close(outcome_.segment, SegmentEnd::kAbandoned));
    }
    EXPECT_EQ(digests.size(), 1U);
  }
}

TEST_F(GenerateTest, TwoAtOnceDoNotShareADomain) {
  std::vector<UrlRow> urls;
  for (int i = 0; i < 40; ++i) urls.push_back(Due("com,d" + std::to_string(i) + ")/"));
  ASSERT_OK(crawl_.Put<UrlRow>(urls));
  // Both plan on the same snapshot; the second to publish begins anew.
  std::atomic<int> failed{0};
  std::vector<std::jthread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&, i] {
      LocalRunner runner({.threads = 1, .temp_folder = crawl_.root(), .attempts = 1});
      JobEnvironment environment;
      environment.store = crawl_.store();
      environment.runner = &runner;
      environment.clock = &SystemClock();
      environment.now_ms = kNow;
      environment.version = "test";
      environment.options = {{"generate.top_n", "20"}};
      environment.options.merge(GenerateOptionTexts());
      failed += GenerateSegment(environment, "s" + std::to_string(i), 1).ok() ? 0 : 1;
    });
  }
  threads.clear();
  EXPECT_EQ(failed, 0);
  const Manifest present = crawl_.Present();
  ASSERT_EQ(present.open_segments.size(), 2U);
  std::set<std::string> held;
  for (const OpenSegment& open : present.open_segments) {
    ASSERT_OK_AND_ASSIGN(const StepRecord record, ReadLists(crawl_.store(), open.id, open.job, open.lists));
    for (const StepTask& task : record.tasks) {
      for (const HeldRow& row : RowsOf<HeldRow>(record, task, "held"))
        EXPECT_TRUE(held.insert(row.key).second) << row.key;
    }
  }
  EXPECT_EQ(held.size(), 40U);
}

TEST_F(GenerateTest, EveryFaultLeavesACrawlOnWhichItWorks) {
  std::vector<UrlRow> urls;
  for (int i = 0; i < 30; ++i) urls.push_back(Due("com,d" + std::to_string(i % 11) + ")/" + std::to_string(i)));
  ASSERT_OK(crawl_.Put<UrlRow>(urls));
  const int64_t stride = std::getenv("TRAWL_TEST_SOAK") != nullptr ? 1 : 17;
  const std::shared_ptr<Store> inner = *OpenStore(crawl_.root(), {.sync = false});
  ASSERT_OK(Generate({}, "undisturbed"));
  const std::string expected = DigestOf(Lists());
  ASSERT_OK(crawl_.Close("undisturbed", SegmentEnd::kAbandoned));
  int64_t cases = 0;
  for (const Fault fault : {Fault::kFail, Fault::kTear, Fault::kForget, Fault::kLoseReply}) {
    for (int64_t n = 1;; n += stride) {
      const std::string id = "s-" + std::to_string(cases++);
      FaultyStore faulty(inner, {.fault = fault, .at = n});
      const arrow::Status first = GenerateOn(&faulty, {}, id, 1).status();
      ASSERT_OK(Generate({}, id)) << faulty.fault_point() << "; first: " << first;
      ASSERT_EQ(crawl_.Present().open_segments.size(), 1U) << faulty.fault_point();
      ASSERT_EQ(DigestOf(Lists()), expected) << faulty.fault_point();
      ASSERT_OK(crawl_.Close(id, SegmentEnd::kAbandoned));
      if (!faulty.reached()) break;
    }
  }
  EXPECT_GT(cases, 8);
}

TEST_F(GenerateTest, EmptyCrawlHasNothingDue) {
  ASSERT_OK_AND_ASSIGN(const JobResult result, Generate());
  EXPECT_FALSE(result.changed);
  EXPECT_EQ(outcome_.segment, "");
  EXPECT_EQ(outcome_.selection.next_due_ms, kNever);
}

}  // namespace
}  // namespace trawl
