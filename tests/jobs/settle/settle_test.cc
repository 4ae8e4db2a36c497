// trawl settle on rows: which page stands for which, over rounds, cuts, orders and disturbances.
#include "jobs/settle/settle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "formats/html/content_digest.h"
#include "formats/rows/content_row.h"
#include "formats/rows/settle_rows.h"
#include "jobs/settle/representative.h"
#include "jobs/settle/verdicts_job.h"
#include "runtime/root/layout.h"
#include "tests/support/crawl/settled_web.h"

namespace trawl {
namespace {

using ::testing::ElementsAre;

std::map<std::string, UrlRow> ByKey(Store* store) {
  std::map<std::string, UrlRow> rows;
  for (UrlRow& row : AllUrls(store)) rows[row.key] = std::move(row);
  return rows;
}

std::map<std::string, std::string> PointersIn(Store* store) {
  std::map<std::string, std::string> pointers;
  for (const UrlRow& row : AllUrls(store)) {
    if (!row.duplicate_of.empty()) pointers[row.key] = row.duplicate_of;
  }
  return pointers;
}

std::map<std::string, std::string> NearPointersIn(Store* store) {
  std::map<std::string, std::string> pointers;
  for (const UrlRow& row : AllUrls(store)) {
    if (!row.near_duplicate_of.empty()) pointers[row.key] = row.near_duplicate_of;
  }
  return pointers;
}

// None is missed, and none is joined that the second look tells apart, whatever came in which order.
void ExpectNearOnesSound(Store* store) {
  const std::map<std::string, UrlRow> rows = ByKey(store);
  const auto duplicates = DuplicatesByComparing(AllUrls(store));
  std::vector<const UrlRow*> standing;
  for (const auto& [key, row] : rows) {
    if (!row.near_duplicate_of.empty()) {
      const UrlRow& other = rows.at(row.near_duplicate_of);
      EXPECT_TRUE(AreNear(row, other)) << key << " " << other.key;
      EXPECT_TRUE(other.near_duplicate_of.empty() && !duplicates.contains(other.key)) << key << " " << other.key;
    } else if (row.simhash != 0 && !duplicates.contains(key) && TakesPart(row)) {
      for (const UrlRow* const other : standing) EXPECT_FALSE(AreNear(row, *other)) << key << " " << other->key;
      standing.push_back(&row);
    }
  }
}

// What must hold of every row, however it came to be.
void ExpectSound(Store* store, const std::map<std::string, std::string>& bodies) {
  const std::map<std::string, UrlRow> rows = ByKey(store);
  for (const auto& [key, row] : rows) {
    if (row.state == UrlState::kFailing || row.content_digest.empty()) continue;
    EXPECT_EQ(row.state == UrlState::kDuplicate, !row.duplicate_of.empty()) << key;
    if (!row.duplicate_of.empty()) {
      EXPECT_TRUE(rows.at(row.duplicate_of).duplicate_of.empty()) << key << ": a duplicate of a duplicate";
    }
    const auto body = bodies.find(row.body_segment + "/" + row.body_file);
    if (row.removed || body == bodies.end()) continue;
    EXPECT_EQ(body->second, row.body_digest) << key << " has the body of another content";
    EXPECT_EQ(row.parse_segment + row.parse_file,
              row.shares_body ? row.parse_segment + row.parse_file : row.body_segment + row.body_file);
  }
}

TEST(Settle, TwelveRoundsAreAsAComparisonOfAllPagesSays) {
  SegmentFixture crawl;
  ChangingWeb web(7, 2'000, 300);
  int64_t most = 0;
  for (int round = 1; round <= 12; ++round) {
    ASSERT_OK(crawl.Put<UrlRow>(web.NextRound(ByKey(crawl.store()))));
    ASSERT_OK_AND_ASSIGN(const Settled settled, SettleOn(crawl.store(), {.partitions = 3}));
    EXPECT_TRUE(settled.changed);
    EXPECT_EQ(settled.all, round == 1);
    const auto expected = DuplicatesByComparing(AllUrls(crawl.store()));
    ASSERT_EQ(PointersIn(crawl.store()), expected) << "round " << round;
    ExpectSound(crawl.store(), web.bodies());
    ExpectNearOnesSound(crawl.store());
    most = std::max(most, static_cast<int64_t>(expected.size()));
    const Manifest present = crawl.Present();
    EXPECT_FALSE(HasToSettle(present, {}));
    EXPECT_EQ(present.read_to.at(kSettleMark), present.number - 1);
    ASSERT_OK_AND_ASSIGN(const Settled again, SettleOn(crawl.store()));
    EXPECT_FALSE(again.changed);
  }
  EXPECT_GT(most, 1'000);

  // Decided anew, nothing is different; and what the jobs told each other is gone.
  ASSERT_OK_AND_ASSIGN(const Settled anew, SettleOn(crawl.store(), {.partitions = 2, .all = true}));
  EXPECT_TRUE(anew.all);
  EXPECT_EQ(anew.exact, 0);
  ExpectSound(crawl.store(), web.bodies());
  EXPECT_EQ(PointersIn(crawl.store()), DuplicatesByComparing(AllUrls(crawl.store())));
  const auto near = NearOnesByComparing(AllUrls(crawl.store()));
  EXPECT_EQ(NearPointersIn(crawl.store()), near);
  EXPECT_GT(near.size(), 50u);

  // Another answer to whether a second look is taken decides all anew.
  ASSERT_OK_AND_ASSIGN(const Settled without, SettleOn(crawl.store(), {.options = {{"settle.second_look", "false"}}}));
  EXPECT_TRUE(without.all);
  EXPECT_GT(NearPointersIn(crawl.store()).size(), near.size() + 10);
  for (const char* const table : {"settle_contents", "settle_verdicts"}) {
    const std::filesystem::path folder = std::filesystem::path(crawl.root()) / "crawldb" / table;
    EXPECT_TRUE(!std::filesystem::exists(folder) || std::filesystem::is_empty(folder)) << folder;
  }
}

TEST(Settle, CutsAndThreadsChangeNoRow) {
  std::set<std::string> urls, digests;
  for (const int partitions : {1, 2, 5, 8}) {
    SegmentFixture crawl;
    ChangingWeb web(11, 400, 60);
    for (int round = 1; round <= 5; ++round) {
      ASSERT_OK(crawl.Put<UrlRow>(web.NextRound(ByKey(crawl.store()))));
      ASSERT_OK(SettleOn(crawl.store(), {.threads = partitions / 2 + 1, .partitions = partitions}).status());
    }
    urls.insert(DigestOfTable(crawl.store(), true));
    digests.insert(DigestOfTable(crawl.store(), false));
  }
  EXPECT_EQ(urls.size(), 1u);
  EXPECT_EQ(digests.size(), 1u);
}

// Twelve segments of other pages, whatever their order.
TEST(Settle, TheOrderOfSegmentsChangesNoPointer) {
  SegmentFixture source;
  ChangingWeb web(13, 600, 50);
  const std::vector<UrlRow> rows = web.NextRound({});
  std::set<std::map<std::string, std::string>> outcomes;
  std::vector<size_t> order = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  std::mt19937 random(5);
  for (int times = 0; times < 4; ++times) {
    SegmentFixture crawl;
    for (const size_t segment : order) {
      std::vector<UrlRow> some;
      for (size_t i = segment; i < rows.size(); i += 12) some.push_back(rows[i]);
      ASSERT_OK(crawl.Put<UrlRow>(some));
      ASSERT_OK(SettleOn(crawl.store()).status());
    }
    std::map<std::string, std::string> outcome;
    for (const UrlRow& row : AllUrls(crawl.store())) {
      outcome[row.key] = row.duplicate_of + " " + TextOf(row.state) + " " + std::to_string(row.due_ms);
    }
    outcomes.insert(outcome);
    std::shuffle(order.begin(), order.end(), random);
  }
  EXPECT_EQ(outcomes.size(), 1u);
  EXPECT_GT(outcomes.begin()->size(), 400u);
}

// A page shares a body only where its file is there.
void PutBodyFile(const SegmentFixture& crawl, const UrlRow& row) {
  const std::string folder = crawl.root() + "/" + DatasetFolder(row.body_segment, ContentRow::kTable);
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/" + row.body_file) << "x";
}

TEST(Settle, APageKeepsItsOwnBodyWhereThatOfTheOtherIsGone) {
  SegmentFixture crawl;
  const UrlRow first = PageOf("https://a.example/", "text"), second = PageOf("https://b.example/x", "text");
  ASSERT_OK(crawl.Put<UrlRow>({first, second}));
  ASSERT_OK_AND_ASSIGN(const Settled settled, SettleOn(crawl.store()));
  EXPECT_EQ(settled.exact, 1);
  EXPECT_EQ(settled.bytes_saved, 0);
  EXPECT_EQ(crawl.Find<UrlRow>(second.key)->body_file, second.body_file);
}

TEST(Settle, PagesWithoutContentAreComparedByTheirBytesAndCutOnesNotAtAll) {
  const Sha256Value nothing = ContentDigest(HtmlPage(), "");
  UrlRow one = PageOf("https://a.example/", "text", "one"), two = PageOf("https://b.example/", "text", "two");
  UrlRow same = PageOf("https://c.example/", "text", "two"), cut = PageOf("https://d.example/", "text", "two");
  for (UrlRow* row : {&one, &two, &same, &cut}) row->content_digest.assign(nothing.begin(), nothing.end());
  cut.truncated = Truncation::kSize;
  SegmentFixture crawl;
  ASSERT_OK(crawl.Put<UrlRow>({one, two, same, cut}));
  ASSERT_OK_AND_ASSIGN(const Settled settled, SettleOn(crawl.store()));
  EXPECT_EQ(settled.exact, 1);
  EXPECT_EQ(crawl.Find<UrlRow>(same.key)->duplicate_of, two.key);
}

TEST(Settle, ARepresentativeThatGoesHandsOnAndADuplicateHasTwiceTheInterval) {
  SegmentFixture crawl;
  UrlRow first = PageOf("https://a.example/", "text");
  const UrlRow second = PageOf("https://b.example/x", "text"), third = PageOf("http://b.example/x", "text", "other");
  ASSERT_OK(crawl.Put<UrlRow>({first, second, third}));
  PutBodyFile(crawl, first);
  ASSERT_OK_AND_ASSIGN(const Settled settled, SettleOn(crawl.store()));
  EXPECT_EQ(settled.exact, 2);
  EXPECT_EQ(settled.pages, 3);
  EXPECT_EQ(settled.bytes_saved, 1000) << "the third has other bytes";
  UrlRow row = *crawl.Find<UrlRow>(second.key);
  EXPECT_EQ(row.state, UrlState::kDuplicate);
  EXPECT_EQ(row.duplicate_of, first.key);
  EXPECT_EQ(row.due_ms, second.due_ms + second.interval_ms);
  EXPECT_TRUE(row.shares_body);
  EXPECT_EQ(row.body_file, first.body_file);
  EXPECT_EQ(row.parse_file, second.parse_file);
  EXPECT_FALSE(crawl.Find<UrlRow>(third.key)->shares_body);
  SegmentFixture once;
  ASSERT_OK(once.Put<UrlRow>({first, second, third}));
  PutBodyFile(once, first);
  ASSERT_OK_AND_ASSIGN(const Settled by_content, SettleOn(once.store(), {.options = {{"settle.store", "content"}}}));
  EXPECT_EQ(by_content.bytes_saved, 2000);
  EXPECT_EQ(once.Find<UrlRow>(third.key)->body_file, first.body_file);
  EXPECT_EQ(*crawl.Find<UrlRow>(first.key), first);

  first.state = UrlState::kGone;
  ASSERT_OK(crawl.Put<UrlRow>({first}));
  ASSERT_OK_AND_ASSIGN(const Settled handed_on, SettleOn(crawl.store()));
  EXPECT_EQ(handed_on.cleared, 1);
  row = *crawl.Find<UrlRow>(second.key);
  EXPECT_EQ(row.state, UrlState::kFetched);
  EXPECT_EQ(row.duplicate_of, "");
  EXPECT_EQ(row.due_ms, second.due_ms);
  EXPECT_EQ(crawl.Find<UrlRow>(third.key)->duplicate_of, second.key);
  EXPECT_TRUE(crawl.Find<UrlRow>(first.key)->duplicate_of.empty());
}

TEST(Settle, IsDoneAgainWhereAnotherJobPublishesMeanwhile) {
  SegmentFixture crawl;
  ASSERT_OK(crawl.Put<UrlRow>({PageOf("https://a.example/1", "text"), PageOf("https://a.example/12", "text")}));
  const UrlRow late = PageOf("https://a.example/", "text");
  ASSERT_OK_AND_ASSIGN(const Settled settled,
                       SettleOn(crawl.store(), {.meanwhile = [&] { ASSERT_OK(crawl.Put<UrlRow>({late})); }}));
  EXPECT_TRUE(settled.changed);
  EXPECT_EQ(PointersIn(crawl.store()), DuplicatesByComparing(AllUrls(crawl.store())));
  EXPECT_EQ(crawl.Find<UrlRow>("example,a)/1")->duplicate_of, late.key);
  EXPECT_FALSE(HasToSettle(crawl.Present(), {}));
}

TEST(Settle, OtherOptionsDecideAllAnew) {
  SegmentFixture crawl;
  ASSERT_OK(crawl.Put<UrlRow>({PageOf("https://a.example/1", "text")}));
  ASSERT_OK(SettleOn(crawl.store()).status());
  EXPECT_FALSE(HasToSettle(crawl.Present(), {}));
  EXPECT_TRUE(HasToSettle(crawl.Present(), {.distance = 4}));
  ASSERT_OK_AND_ASSIGN(const Settled anew, SettleOn(crawl.store(), {.options = {{"settle.distance", "4"}}}));
  EXPECT_TRUE(anew.all);
  EXPECT_EQ(crawl.Present().tables.at(DigestRow::kTable).size(), 1u) << "it took the place of the run before";
}

// A trap may have any number of equal pages.
TEST(Settle, AGroupOfAHundredThousandIsJoinedCheaply) {
  SegmentFixture crawl;
  constexpr int kPages = 100'000;
  std::vector<UrlRow> rows;
  for (int i = 0; i < kPages; ++i) {
    rows.push_back(PageOf("https://h" + std::to_string(i % 500) + ".example/page/" + std::to_string(i), "trap"));
  }
  ASSERT_OK(crawl.Put<UrlRow>(rows));
  ASSERT_OK_AND_ASSIGN(const Settled first, SettleOn(crawl.store()));
  EXPECT_EQ(first.exact, kPages - 1);

  ASSERT_OK(crawl.Put<UrlRow>({PageOf("https://late.example/page/of/it", "trap")}));
  ASSERT_OK_AND_ASSIGN(const Settled joined, SettleOn(crawl.store()));
  EXPECT_EQ(joined.exact, 1);
  EXPECT_EQ(joined.counters.Get("groups_read"), 0) << "the others were read";
  EXPECT_EQ(joined.counters.Get("urls"), 1);

  // One that stands for all of them.
  ASSERT_OK(crawl.Put<UrlRow>({PageOf("https://z.example/", "trap")}));
  ASSERT_OK_AND_ASSIGN(const Settled led, SettleOn(crawl.store()));
  EXPECT_EQ(led.counters.Get("groups_read"), 1);
  EXPECT_EQ(led.exact, kPages + 1);
  EXPECT_EQ(crawl.Find<UrlRow>("example,late)/page/of/it")->duplicate_of, "example,z)/");
}

// Runs the third job alone, with this verdict of the second one.
arrow::Status JudgeNear(SegmentFixture& crawl, const VerdictRow& verdict, const char* near_policy) {
  RunWriter<VerdictRow> writer(crawl.store(), RunFolder(VerdictRow::kTable, "near-1"), "r0-0", {});
  ARROW_RETURN_NOT_OK(writer.Append(verdict));
  RunRecord record = {.table = VerdictRow::kTable, .schema = VerdictRow::kVersion, .job = "near-1"};
  ARROW_ASSIGN_OR_RAISE(record.files, writer.Finish());
  ARROW_ASSIGN_OR_RAISE(const RunReference run, WriteRunRecord(crawl.store(), "near-1", record));
  LocalRunner runner({.threads = 1, .memory_bytes = 64 << 20, .attempts = 1});
  JobEnvironment environment;
  environment.store = crawl.store();
  environment.runner = &runner;
  environment.clock = &SystemClock();
  environment.now_ms = kStartMs;
  environment.options = SettleOptionTexts();
  environment.options["settle.near"] = near_policy;
  JobRequest request;
  request.spec = SettleVerdictsSpec();
  request.plan = [&run](const JobEnvironment&, const Snapshot& base, Plan* plan) {
    return PlanVerdicts(base.manifest, {.near_verdicts = {run}}, {}, 1, plan);
  };
  request.apply = AppendRuns;
  ARROW_RETURN_NOT_OK(RunJob(environment, request).status());
  return crawl.store()->RemoveFolder(RunFolder(VerdictRow::kTable, "near-1"));
}

TEST(Settle, ANearVerdictIsOnThePageOrWhereNearOnesAreDuplicatesOnAllPagesOfTheContent) {
  SegmentFixture crawl;
  const UrlRow first = PageOf("https://a.example/", "text"), second = PageOf("https://b.example/x", "text");
  const UrlRow third = PageOf("https://c.example/x/y", "text"), other = PageOf("https://n.example/", "other");
  ASSERT_OK(crawl.Put<UrlRow>({first, second, third, other}));
  ASSERT_OK(SettleOn(crawl.store()).status());
  VerdictRow verdict = {.key = ToHex(first.content_digest) + ")" + first.key,
                        .is_near = true,
                        .near_duplicate_of = other.key,
                        .distance = 2};
  const auto pointers = [&crawl](const UrlRow& page) {
    const UrlRow row = *crawl.Find<UrlRow>(page.key);
    return std::vector<std::string>{TextOf(row.state), row.duplicate_of, row.near_duplicate_of};
  };
  ASSERT_OK(JudgeNear(crawl, verdict, "mark"));
  EXPECT_THAT(pointers(first), ElementsAre("fetched", "", other.key));
  EXPECT_THAT(pointers(second), ElementsAre("duplicate", first.key, ""));
  ASSERT_OK(JudgeNear(crawl, verdict, "duplicate"));
  for (const UrlRow& page : {first, second, third}) {
    EXPECT_THAT(pointers(page), ElementsAre("duplicate", "", other.key)) << page.key;
  }
  EXPECT_THAT(pointers(other), ElementsAre("fetched", "", ""));
  verdict.near_duplicate_of.clear();
  verdict.distance = 0;
  ASSERT_OK(JudgeNear(crawl, verdict, "duplicate"));
  EXPECT_THAT(pointers(first), ElementsAre("fetched", "", ""));
  for (const UrlRow& page : {second, third}) EXPECT_THAT(pointers(page), ElementsAre("duplicate", first.key, ""));
}

}  // namespace
}  // namespace trawl
