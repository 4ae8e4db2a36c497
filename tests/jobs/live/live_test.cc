// What runs now, from chains, plans and live files that are written by hand. The scene's clock moves 10 s before each look.
#include <gmock/gmock.h>

#include <atomic>
#include <thread>

#include "jobs/live/chain_log.h"
#include "runtime/process/status_detail.h"
#include "tests/jobs/live/live_scene.h"
#include "tests/support/store/forwarding_store.h"

namespace trawl {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const Json kMinute = {
    {"pages", 60},           {"bytes", 6000},         {"wire_bytes", 3000},          {"fetched", 80},
    {"outcome.fetched", 60}, {"outcome.timeout", 20}, {"outcome.robots_denied", 20}, {"status.200", 60},
    {"answers_in.100", 60},  {"answers_ms", 3600}};

TEST_F(LiveScene, NothingRuns) {
  const LiveCrawl live = Read();
  EXPECT_EQ(live.state, "idle");
  EXPECT_EQ(live.rate.over_ms, 0);
  EXPECT_TRUE(live.workers.empty());
  EXPECT_EQ(StatusJson(live)["state"], "idle");
}

TEST_F(LiveScene, AWorkerWithPartsAndGauges) {
  Open({500, 300});
  Write(0, Entry(AttemptEvent::kBegin, 0));
  Write(0, With(Part(60'000, kMinute),
                {.pages = 60, .settled = 100, .left = 400, .hosts_active = 3, .wait_for_delay = 8, .next_ms = 900}));
  clock_.Advance(60'000);
  const LiveCrawl live = Read();
  EXPECT_EQ(live.state, "fetch") << "a worker was seen at work, whoever planned its job";
  ASSERT_EQ(live.workers.size(), 1u);
  const LiveWorker& worker = live.workers[0];
  EXPECT_EQ(worker.id, std::string(kJob) + "-m0-0-0");
  EXPECT_EQ(worker.job, kJob);
  EXPECT_EQ(worker.state, WorkerState::kActive);
  EXPECT_EQ(worker.since_ms, start_ms_);
  EXPECT_EQ(worker.last_seen_ms, start_ms_ + 60'000);
  EXPECT_EQ(worker.sums.pages, 60);
  EXPECT_EQ(worker.sums.asked, 80) << "what robots.txt denies is not asked for";
  EXPECT_EQ(worker.sums.errors(), 20);
  EXPECT_DOUBLE_EQ(worker.pages_per_sec, 1.0);
  EXPECT_EQ(live.settled(), 100);
  EXPECT_EQ(live.left(), 700) << "and the list that nobody has begun";
  EXPECT_EQ(live.segments[0].lists_begun, 1);
  EXPECT_EQ(live.segments[0].most_left, 400);
  EXPECT_EQ(live.waits.wait_for_delay, 8);
  EXPECT_EQ(live.waits.next_ms, 900);
  EXPECT_EQ(live.waits.age_ms, 10'000);
  EXPECT_EQ(live.rate.over_ms, 60'000);
  EXPECT_EQ(live.rate.age_ms, 10'000);
  EXPECT_DOUBLE_EQ(live.rate.pages_per_sec, 1.0);
  EXPECT_EQ(live.rate.fetched, 80) << "what robots.txt denies is no request";
  EXPECT_EQ(live.rate.errors, 20);
}

TEST_F(LiveScene, BeatsTellTheRateBeforeTheFirstPart) {
  Open({500});
  Write(0, Entry(AttemptEvent::kBegin, 0));
  Write(0, With(Entry(AttemptEvent::kBeat, 20'000),
                {.pages = 50, .bytes = 5'000, .errors = 2, .settled = 52, .left = 448}));
  clock_.Advance(20'000);
  const LiveCrawl live = Read();
  EXPECT_DOUBLE_EQ(live.rate.pages_per_sec, 2.5);
  EXPECT_EQ(live.rate.errors, 2);
  EXPECT_EQ(live.left(), 448);
  EXPECT_EQ(live.workers[0].sums.pages, 0) << "sums are of parts alone: nothing else is safe";
}

TEST_F(LiveScene, TheFirstPartIsOfAllTheTimeBeforeIt) {
  Open({500});
  Write(0, Entry(AttemptEvent::kBegin, 0));
  Write(0, With(Entry(AttemptEvent::kBeat, 59'500), {.pages = 59, .settled = 99, .left = 401}));
  Write(0, With(Part(60'000, kMinute), {.pages = 60, .settled = 100, .left = 400}));
  clock_.Advance(60'000);
  const LiveCrawl live = Read();
  EXPECT_DOUBLE_EQ(live.workers[0].pages_per_sec, 1.0) << "not 60 pages since the beat";
  EXPECT_DOUBLE_EQ(live.rate.pages_per_sec, 1.0);
}

TEST_F(LiveScene, SilentAfterTwoLeases) {
  Open({500});
  Write(0, Entry(AttemptEvent::kBegin, 0));
  clock_.Advance(110'000);
  EXPECT_EQ(Read().workers[0].state, WorkerState::kActive) << "two leases are not over yet";
  EXPECT_EQ(Read().workers[0].state, WorkerState::kSilent);
}

TEST_F(LiveScene, EndedByItsOwnWord) {
  Open({500});
  Write(0, Entry(AttemptEvent::kBegin, 0));
  Write(0, Part(30'000, kMinute));
  AttemptEntry end = With(Entry(AttemptEvent::kEnd, 31'000), {.settled = 500, .left = 0});
  end.done = true;
  Write(0, end);
  const LiveCrawl live = Read();
  EXPECT_EQ(live.workers[0].state, WorkerState::kEnded);
  EXPECT_EQ(live.segments[0].lists_done, 1);
  EXPECT_EQ(live.left(), 0);
  EXPECT_EQ(live.state, "idle");
}

TEST_F(LiveScene, ASuccessorEndsTheAttemptBeforeIt) {
  Open({500});
  Write(0, Entry(AttemptEvent::kBegin, 0));
  Write(0, Part(30'000, kMinute));
  Write(0, Entry(AttemptEvent::kBegin, 100'000, 1));
  Write(0, Part(130'000, kMinute, 1));
  clock_.Advance(125'000);
  const LiveCrawl live = Read();
  ASSERT_EQ(live.workers.size(), 2u);
  EXPECT_EQ(live.workers[0].state, WorkerState::kEnded);
  EXPECT_EQ(live.workers[1].state, WorkerState::kActive);
  EXPECT_EQ(live.workers[1].id, std::string(kJob) + "-m0-1-2");
  EXPECT_EQ(live.segments[0].sums.pages, 120);
  EXPECT_NE(live.FindWorker(live.workers[1].id), nullptr);
  EXPECT_EQ(live.FindWorker("nobody"), nullptr);
}

TEST_F(LiveScene, AProcessThatIsKnownToBeGoneIsSilentAtOnce) {
  Open({500});
  AttemptEntry begin = Entry(AttemptEvent::kBegin, 0);
  begin.process = OwnProcess();
  begin.process.started += 1;  // the number belongs to another process now
  Write(0, begin);
  EXPECT_EQ(Read().workers[0].state, WorkerState::kSilent);
}

TEST_F(LiveScene, ATornHeadHidesNothingBeforeIt) {
  Open({500});
  Write(0, Entry(AttemptEvent::kBegin, 0));
  Write(0, Part(5'000, kMinute));
  const std::string whole = SealJson(ToJson(Part(8'000, kMinute)));
  ASSERT_OK(store_->CreateExclusive(AttemptPath(kSegment, 0, 2), whole.substr(0, whole.size() / 2)));
  const LiveCrawl live = Read();
  EXPECT_EQ(live.workers[0].sums.pages, 60);
  EXPECT_TRUE(live.is_whole);
  ASSERT_EQ(live.faults.size(), 1u);
  EXPECT_THAT(live.faults[0], HasSubstr("_attempts/0/2.json"));
}

TEST_F(LiveScene, EntriesOfAnOlderVersionSayLess) {
  Open({500});
  Write(0, Entry(AttemptEvent::kBegin, 0));
  Write(0, Part(5'000, {{"pages", 60}, {"fetched", 100}, {"bytes", 1}}));
  const LiveCrawl live = Read();
  EXPECT_FALSE(live.workers[0].left.has_value());
  EXPECT_TRUE(WorkerStatsJson(live.workers[0], live.read_ms)["left"].is_null());
  EXPECT_EQ(live.settled(), 100) << "from the rows that are safe";
  EXPECT_EQ(live.left(), 400);
}

TEST_F(LiveScene, WhatWasReadIsNotReadAgain) {
  Open({500});
  Write(0, Entry(AttemptEvent::kBegin, 0));
  Write(0, Part(5'000, kMinute));
  EXPECT_EQ(Read().workers[0].sums.pages, 60);
  ASSERT_OK(store_->Remove(AttemptPath(kSegment, 0, 0)));
  ASSERT_OK(store_->Remove(AttemptPath(kSegment, 0, 1)));
  Write(0, Part(15'000, kMinute));
  EXPECT_EQ(Read().workers[0].sums.pages, 120);
}

TEST_F(LiveScene, TheNewestEntryOfALongChainComesFirst) {
  Open({500});
  Write(0, Entry(AttemptEvent::kBegin, 0));
  for (int i = 1; i < 30; ++i) Write(0, With(Entry(AttemptEvent::kBeat, i * 1'000), {.left = 500 - i}));
  ChainLog chain(kSegment, 0);
  ASSERT_OK(chain.Update(store_.get(), 5));
  EXPECT_EQ(chain.read(), 5);
  EXPECT_FALSE(chain.is_whole());
  ASSERT_EQ(chain.attempts().size(), 1u);
  EXPECT_EQ(chain.attempts()[0].last_ms, start_ms_ + 29'000);
  EXPECT_EQ(chain.attempts()[0].gauges->left, 471);
  while (!chain.is_whole()) ASSERT_OK(chain.Update(store_.get(), 5));
  EXPECT_EQ(chain.attempts()[0].since_ms, start_ms_);
  EXPECT_EQ(chain.attempts()[0].last_ms, start_ms_ + 29'000);
}

TEST_F(LiveScene, TimesAreTheMachinesWhateverNowWasGiven) {
  Open({500});
  constexpr int64_t kYear = int64_t{365} * 86'400'000;
  WritePlan(kJob, "fetch", Elsewhere(), kYear);
  AttemptEntry begin = Entry(AttemptEvent::kBegin, -kYear);
  Write(0, begin);
  const LiveCrawl live = Read();
  EXPECT_EQ(live.workers[0].since_ms, start_ms_);
  EXPECT_EQ(live.workers[0].state, WorkerState::kActive);
}

// -- many callers -----------------------------------------------------------------------------------------------------

// Counts how often a file is opened, and holds the first opening up until it is let go.
class CountingStore : public ForwardingStore {
 public:
  using ForwardingStore::ForwardingStore;
  std::atomic<int> opened{0};
  std::atomic<bool> is_broken{false};
  std::atomic<bool> waits{false};

  arrow::Result<std::shared_ptr<arrow::io::RandomAccessFile>> OpenUnverified(const std::string& path) override {
    ++opened;
    while (waits) std::this_thread::yield();
    return ForwardingStore::OpenUnverified(path);
  }
  arrow::Result<std::vector<StoreEntry>> List(const std::string& folder, bool recursive) override {
    if (is_broken) return arrow::Status::IOError("list number ", ++lists_);
    return ForwardingStore::List(folder, recursive);
  }

 private:
  std::atomic<int> lists_{0};
};

TEST_F(LiveScene, FiftyCallersCostAsOne) {
  Open({500});
  Write(0, Entry(AttemptEvent::kBegin, 0));
  Write(0, Part(5'000, kMinute));
  CountingStore alone_store(store_.get());
  LiveReader alone(&alone_store, clock_);
  ASSERT_OK(alone.Read(manifest_, {}).status());

  CountingStore store(store_.get());
  LiveReader reader(&store, clock_);
  store.waits = true;
  std::atomic<int> answered{0};
  {
    std::vector<std::jthread> callers;
    for (int i = 0; i < 50; ++i) {
      callers.emplace_back([&] {
        const auto live = reader.Read(manifest_, {}).ValueOrDie();
        if (live->workers.size() == 1 && live->workers[0].sums.pages == 60) ++answered;
      });
    }
    while (store.opened == 0) std::this_thread::yield();
    store.waits = false;
  }
  EXPECT_EQ(answered, 50);
  EXPECT_EQ(store.opened, alone_store.opened.load());
}

TEST_F(LiveScene, AFailureIsSharedForASecond) {
  CountingStore store(store_.get());
  LiveReader reader(&store, clock_);
  clock_.Advance(10'000);
  store.is_broken = true;
  const auto fault = [&] { return reader.Read(manifest_, {}).status().message(); };
  EXPECT_EQ(fault(), "list number 1");
  clock_.Advance(1'000);
  EXPECT_EQ(fault(), "list number 1");
  clock_.Advance(1);
  EXPECT_EQ(fault(), "list number 2");
  store.is_broken = false;
  clock_.Advance(1'001);
  EXPECT_OK(reader.Read(manifest_, {}).status());
}

TEST_F(LiveScene, WhoWaitsForAReadingMayBeStopped) {
  Open({500});
  Write(0, Entry(AttemptEvent::kBegin, 0));
  CountingStore store(store_.get());
  LiveReader reader(&store, clock_);
  store.waits = true;
  std::jthread first([&] { (void)reader.Read(manifest_, {}); });
  while (store.opened == 0) std::this_thread::yield();
  const auto stop = StopSource::Make().ValueOrDie();
  stop.Stop();
  EXPECT_EQ(KindOf(reader.Read(manifest_, stop.token()).status()), StatusKind::kStopped);
  store.waits = false;
}

// -- jobs -------------------------------------------------------------------------------------------------------------

TEST_F(LiveScene, AJobRunsUntilItReports) {
  WritePlan("20260301T120000Z-updatedb-00000001", "updatedb", OwnProcess());
  EXPECT_EQ(Read().state, "updatedb");
  ASSERT_OK(store_->CreateExclusive(ReportPath("20260301T120000Z-updatedb-00000001"), SealJson({{"job", "x"}})));
  EXPECT_EQ(Read().state, "idle");
}

TEST_F(LiveScene, AJobWhoseProcessIsGoneDoesNotRun) {
  ProcessIdentity gone = OwnProcess();
  gone.started += 1;
  WritePlan("20260301T120000Z-parse-00000001", "parse", gone);
  EXPECT_EQ(Read().state, "idle");
}

TEST_F(LiveScene, AStepOfARoundTellsMoreThanAnInject) {
  WritePlan("20260301T120000Z-fetch-00000001", "fetch", OwnProcess());
  WritePlan("20260301T120001Z-inject-00000002", "inject", OwnProcess());
  const LiveCrawl live = Read();
  EXPECT_EQ(live.state, "fetch");
  EXPECT_EQ(live.segment, kSegment);
  EXPECT_EQ(live.jobs.size(), 2u);
}

TEST_F(LiveScene, ADamagedPlanHidesNothingElse) {
  WritePlan("20260301T120000Z-fetch-00000001", "fetch", OwnProcess());
  ASSERT_OK(store_->CreateExclusive(PlanPath("20260301T120001Z-inject-00000002"), "{\"seal\": \"00\"}"));
  const LiveCrawl live = Read();
  EXPECT_EQ(live.state, "fetch");
  EXPECT_EQ(live.jobs.size(), 1u);
  ASSERT_EQ(live.faults.size(), 1u);
  EXPECT_THAT(live.faults[0], HasSubstr("20260301T120001Z-inject-00000002"));
}

TEST_F(LiveScene, AJobElsewhereIsTakenForDeadOnceItIsSilent) {
  const std::string job = "20260301T120000Z-parse-00000001";
  WritePlan(job, "parse", Elsewhere());
  EXPECT_EQ(Read().state, "parse") << "it may not have had the time to say anything";
  clock_.Advance(30'000);
  EXPECT_EQ(Read().state, "idle");
  const Json numbers = {{"job", job}, {"at_ms", clock_.NowMs()}, {"text", "map 3/4"}, {"gauges", nullptr}};
  ASSERT_OK(store_->CreateExclusive(JobLivePath(job, 1), SealJson(numbers)));
  const LiveCrawl live = Read();
  EXPECT_EQ(live.state, "parse");
  EXPECT_TRUE(live.jobs[0].is_sure);
  EXPECT_EQ(StatusJson(live)["jobs"][0]["text"], "map 3/4");
}

TEST_F(LiveScene, AJobOnAClusterRunsWithoutASign) {
  WritePlan("20260301T120000Z-parse-00000001", "parse", Elsewhere(), 0, "streaming");
  clock_.Advance(3'600'000);
  const LiveCrawl live = Read();
  EXPECT_EQ(live.state, "parse");
  EXPECT_FALSE(live.jobs[0].is_sure);
  clock_.Advance(int64_t{24} * 3'600'000);
  EXPECT_EQ(Read().state, "idle") << "nobody knows of it for a day";
}

TEST_F(LiveScene, TheLiveFileIsYoungerThanTheChain) {
  Open({500});
  WritePlan(kJob, "fetch", OwnProcess());
  Write(0, Entry(AttemptEvent::kBegin, 0));
  Json gauges = ToJson(FetchGauges{.settled = 40, .left = 460, .wait_for_names = 2});
  gauges["tasks"] = 1;
  gauges["pages_per_second"] = 7.5;
  ASSERT_OK(store_->CreateExclusive(JobLivePath(kJob, 1),
                                    SealJson({{"job", kJob}, {"at_ms", clock_.NowMs() + 9'000}, {"gauges", gauges}})));
  const LiveCrawl live = Read();
  EXPECT_EQ(live.settled(), 40);
  EXPECT_EQ(live.left(), 460);
  EXPECT_EQ(live.waits.wait_for_names, 2);
  EXPECT_EQ(live.waits.age_ms, 1'000);
  EXPECT_DOUBLE_EQ(live.rate.pages_per_sec, 7.5);
}

TEST_F(LiveScene, NoListHasMoreLeftThanAllTogether) {
  Open({500});
  WritePlan(kJob, "fetch", OwnProcess());
  Write(0, Entry(AttemptEvent::kBegin, 0));
  Write(0, With(Entry(AttemptEvent::kBeat, 100), {.settled = 484, .left = 16}));
  Json gauges = ToJson(FetchGauges{.settled = 490, .left = 10});
  gauges["tasks"] = 1;
  ASSERT_OK(store_->CreateExclusive(JobLivePath(kJob, 1),
                                    SealJson({{"job", kJob}, {"at_ms", clock_.NowMs() + 9'000}, {"gauges", gauges}})));
  const LiveCrawl live = Read();
  EXPECT_EQ(live.segments[0].left, 10);
  EXPECT_EQ(live.segments[0].most_left, 10);
}

// -- throughput -------------------------------------------------------------------------------------------------------

TEST_F(LiveScene, PartsOfTheOpenSegmentByTheMinute) {
  Open({500});
  Write(0, Entry(AttemptEvent::kBegin, 0));
  Write(0, Part(60'000, kMinute));
  Write(0, Part(119'000, kMinute));
  Write(0, Part(180'000, kMinute));
  clock_.Advance(200'000);
  const ThroughputRange all = {.since_ms = start_ms_, .until_ms = start_ms_ + 3'600'000};
  ASSERT_OK_AND_ASSIGN(const auto points, reader_.Throughput(manifest_, all, {}));
  const ThroughputPoint first = {start_ms_ + 60'000, 60'000, 120, 12'000, 160, 40};
  const ThroughputPoint second = {start_ms_ + 180'000, 60'000, 60, 6'000, 80, 20};
  EXPECT_THAT(points, ElementsAre(first, second));
  EXPECT_DOUBLE_EQ(first.pages_per_sec(), 2.0);
  ThroughputRange later = all;
  later.since_ms = start_ms_ + 150'000;
  ASSERT_OK_AND_ASSIGN(const auto rest, reader_.Throughput(manifest_, later, {}));
  EXPECT_THAT(rest, ElementsAre(second));
  ThroughputRange hour = all;
  hour.step = ThroughputStep::kHour;
  ASSERT_OK_AND_ASSIGN(const auto hours, reader_.Throughput(manifest_, hour, {}));
  ASSERT_EQ(hours.size(), 1u);
  EXPECT_EQ(hours[0].pages, 180);
}

TEST(Throughput, StepsHaveNames) {
  EXPECT_EQ(ThroughputStepOf("5m").ValueOrDie(), ThroughputStep::kFiveMinutes);
  EXPECT_THAT(ThroughputStepOf("2m").status().message(), HasSubstr("1m, 5m, 1h or round"));
}

}  // namespace
}  // namespace trawl
