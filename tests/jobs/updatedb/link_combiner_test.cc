// Links that are folded on their way to the reducer: the rows are those of all links.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "jobs/updatedb/link_fold.h"
#include "jobs/updatedb/updatedb.h"
#include "runtime/job/local_runner.h"
#include "runtime/streaming/output.h"
#include "runtime/streaming/task.h"
#include "tests/support/crawl/segment_fixture.h"
#include "tests/support/process/sanitized.h"
#include "tests/support/values/assert_ok.h"
#include "tests/support/values/byte_streams.h"
#include "tests/support/values/hadoop_sort.h"

namespace trawl {
namespace {

using arrow::Result;
using arrow::Status;

class Values : public CombinedValues {
 public:
  Status Give(std::string_view value) override {
    EXPECT_LE(value.size(), kMostCombinedBytes);
    all.emplace_back(value);
    return Status::OK();
  }
  std::vector<std::string> all;
};

std::vector<std::string> Combine(const std::vector<std::string>& values) {
  LinkCombiner combiner;
  Values back;
  combiner.Begin("\x01\x02com,a)/");
  for (const std::string& value : values) EXPECT_OK(combiner.Add(value, back));
  EXPECT_OK(combiner.Finish(back));
  EXPECT_LE(back.all.size(), values.size());
  return back.all;
}

// What the reducer takes from the links of a URL.
struct Taken {
  std::optional<LinkNews> news;
  int64_t links = 0;
  std::set<uint64_t> hosts;
  std::multiset<std::string> others;  // events of other kinds

  explicit Taken(const std::vector<std::string>& values) {
    LinkFold fold;
    for (const std::string& value : values) {
      if (value.front() != static_cast<char>(UpdateTag::kLink)) {
        others.insert(value);
        continue;
      }
      LinkEvent link;
      EXPECT_OK(DecodeLinkEvent(value, &link));
      fold.Add(link);
      ForEachLinkingHost(link, [this](uint64_t host) { hosts.insert(host); });
    }
    news = fold.News();
    links = fold.links();
  }
};

void ExpectEqual(const Taken& a, const Taken& b) {
  EXPECT_EQ(a.links, b.links);
  EXPECT_EQ(a.hosts, b.hosts);
  EXPECT_EQ(a.others, b.others);
  ASSERT_EQ(a.news.has_value(), b.news.has_value());
  if (!a.news) return;
  EXPECT_EQ(a.news->depth, b.news->depth);
  EXPECT_EQ(a.news->via, b.news->via);
  EXPECT_EQ(a.news->spelling, b.news->spelling);
  EXPECT_EQ(a.news->kind, b.news->kind);
  EXPECT_EQ(a.news->inlinks, b.news->inlinks);
  EXPECT_EQ(a.news->is_guess, b.news->is_guess);
  EXPECT_EQ(a.news->is_entry, b.news->is_entry);
  EXPECT_EQ(a.news->is_named, b.news->is_named);
  EXPECT_EQ(a.news->is_newly_named, b.news->is_newly_named);
  EXPECT_EQ(a.news->sitemap, b.news->sitemap);
  EXPECT_EQ(a.news->words, b.news->words);
}

std::string RandomEvent(std::mt19937_64& random) {
  const uint64_t kind = random() % 40;
  if (kind == 0) return "Panother event";
  const std::string via = "com,h" + std::to_string(random() % 9) + ")/" + std::to_string(random() % 5);
  const std::string spelling = random() % 3 == 0 ? "http://a.com/?" + std::to_string(random() % 200) : "";
  LinkEvent link = {.counts = random() % 4 != 0,
                    .kind = random() % 10 == 0 ? UrlKind::kFeed : UrlKind::kPage,
                    .depth = static_cast<int32_t>(1 + random() % 4),
                    .source_host = random() % (random() % 2 == 0 ? 10 : 100'000),
                    .via = via,
                    .spelling = spelling};
  if (kind == 1) link.is_guess = true;
  if (kind == 2) link.is_named = true;
  if (kind == 3) link.is_newly_named = link.is_named = true;
  if (kind == 4) link.words.lastmod_ms = static_cast<int64_t>(random() % 1000);
  if (kind == 5) link.is_entry = true, link.words.priority = static_cast<int32_t>(random() % 9);
  std::string event;
  EncodeLinkEvent(link, &event);
  return event;
}

TEST(LinkCombiner, AnyCutGivesWhatAllLinksGive) {
  std::mt19937_64 random(19);
  for (int round = 0; round < 300; ++round) {
    std::vector<std::string> events(random() % (round % 30 == 0 ? 20'000 : 60));
    for (std::string& event : events) event = RandomEvent(random);
    const Taken expected(events);
    // Pieces of the values are combined, in any order, and pieces of what came back.
    std::vector<std::string> values = events;
    for (int times = 0; times < 5; ++times) {
      std::shuffle(values.begin(), values.end(), random);
      const size_t first = random() % (values.size() + 1);
      const size_t last = first + random() % (values.size() - first + 1);
      const auto from = values.begin() + static_cast<std::ptrdiff_t>(first);
      const auto to = values.begin() + static_cast<std::ptrdiff_t>(last);
      const std::vector<std::string> back = Combine({from, to});
      values.erase(from, to);
      values.insert(values.end(), back.begin(), back.end());
      SCOPED_TRACE(testing::Message() << "round " << round << ", " << times);
      ExpectEqual(Taken(values), expected);
    }
  }
}

TEST(LinkCombiner, PlainLinksBecomeOneAndAllElsePasses) {
  std::mt19937_64 random(7);
  std::vector<std::string> plain;
  for (int i = 0; i < 100; ++i) {
    plain.emplace_back();
    EncodeLinkEvent({.counts = true, .depth = 1, .source_host = 7, .via = "com,b)/" + std::to_string(i)},
                    &plain.back());
  }
  EXPECT_EQ(Combine(plain).size(), 1U);
  EXPECT_EQ(Combine({plain[0]}), std::vector<std::string>{plain[0]});
  std::string guess, entry, large;
  EncodeLinkEvent({.is_guess = true, .kind = UrlKind::kSitemap}, &guess);
  EncodeLinkEvent({.is_entry = true, .via = "com,b)/s.xml"}, &entry);
  EncodeLinkEvent({.depth = 1, .via = "com,b)/", .spelling = std::string(60'000, 'x')}, &large);
  const std::vector<std::string> others = {guess, entry, large, "Fa fetch"};
  EXPECT_EQ(Combine(others), others);
}

// Half a million hosts, and half of the links from the same few.
TEST(LinkCombiner, AUrlWithAMillionLinksStaysInBoundedEvents) {
  constexpr int kLinks = kSanitized ? 50'000 : 1'000'000;
  LinkCombiner combiner;
  LinkFold all;
  Values back;
  combiner.Begin("\x01\x02com,a)/");
  std::string event;
  for (int i = 0; i < kLinks; ++i) {
    const uint64_t host = i % 2 == 0 ? static_cast<uint64_t>(i) * 0x9E3779B97F4A7C15 : static_cast<uint64_t>(i % 10);
    const std::string via = "com,h" + std::to_string(i) + ")/";
    const LinkEvent link = {.counts = true, .depth = 3, .source_host = host, .via = via};
    EncodeLinkEvent(link, &event);
    ASSERT_OK(combiner.Add(event, back));
    all.Add(link);
  }
  ASSERT_OK(combiner.Finish(back));
  EXPECT_LT(back.all.size(), static_cast<size_t>(kLinks / 2000));
  const Taken taken(back.all);
  EXPECT_EQ(taken.links, kLinks);
  EXPECT_EQ(taken.hosts.size(), static_cast<size_t>(kLinks / 2 + 5));
  EXPECT_EQ(taken.news->inlinks, all.News()->inlinks);
  EXPECT_EQ(taken.news->via, "com,h0)/");
}

// -- both runners -----------------------------------------------------------------------------------------------------

// Does what a cluster does: frames from the map tasks, sorted by Hadoop, to the reduce tasks.
class FramesRunner : public Runner {
 public:
  FramesRunner(int64_t memory_bytes, std::string temp_folder)
      : place_{.memory_bytes = memory_bytes, .temp_folder = std::move(temp_folder)} {}

  Result<std::vector<TaskReceipt>> Run(const JobSpec& spec, const JobInputs& inputs,
                                       const std::function<void(const RunnerProgress&)>&) override {
    const Plan& plan = *inputs.plan;
    StringSink frames, output;
    for (int part = 0; part < static_cast<int>(plan.parts.size()); ++part) {
      ARROW_RETURN_NOT_OK(RunStreamingMap(spec, inputs, part, place_, &frames).status());
    }
    for (int partition = 0; partition < plan.partitions; ++partition) {
      const std::string sorted = SortedByHadoop(FramesOfPartition(frames.written(), partition, plan.partitions));
      StringSource in(sorted);
      StreamingTaskPlace place = place_;
      place.partition = partition;
      ARROW_RETURN_NOT_OK(RunStreamingReduce(spec, inputs, place, &in, &output).status());
    }
    return ReceiptsIn(output.written(), plan);
  }

 private:
  const StreamingTaskPlace place_;
};

struct Round {
  std::map<std::string, std::string> digests;  // of the runs of each table
  Counters counters;
  ShuffleCounts shuffle;
};

// Pages of 20 hosts; each links to 200 of 400 pages, in several spellings, and some are entries of sitemaps.
SegmentRows ManyLinks(std::vector<UrlRow>* urls) {
  SegmentRows rows;
  std::mt19937_64 random(3);
  for (int page = 0; page < 300; ++page) {
    const std::string key = "com,h" + std::to_string(page % 20) + ")/" + std::to_string(page);
    urls->push_back(UnfetchedRow(key, 1));
    rows.fetch.push_back(FetchOf(urls->back(), Outcome::kFetched, 200, 1'767'222'000'000));
    rows.fetch.back().body_digest = "digest" + std::to_string(page);
    rows.parse.emplace_back();
    rows.parse.back().key = key;
    rows.parse.back().fetched_ms = rows.fetch.back().fetched_ms;
    rows.parse.back().body_digest = rows.fetch.back().body_digest;
    rows.parse.back().links = 200;
    for (int i = 0; i < 200; ++i) {
      const uint64_t target = random() % 400;
      const std::string to = "com,h" + std::to_string(target % 25) + ")/" + std::to_string(target);
      LinkRow link = LinkOf(key, to, 2, target % 20 != static_cast<uint64_t>(page % 20));
      if (random() % 5 == 0) link.url += "?from=" + std::to_string(random() % 50);
      if (random() % 50 == 0) {
        link.depth = 0;
        link.how = "sitemap";
        link.lastmod_ms = static_cast<int64_t>(1'767'000'000'000 + random() % 1000);
      }
      rows.links.push_back(link);
    }
  }
  return rows;
}

Round RoundWith(bool on_cluster, int64_t memory_mib, bool combines, int partitions) {
  SegmentFixture crawl;
  std::vector<UrlRow> urls;
  const SegmentRows rows = ManyLinks(&urls);
  EXPECT_OK(crawl.Put<UrlRow>(urls));
  EXPECT_OK(crawl.Open("s1"));
  EXPECT_OK(crawl.Finish("s1", rows));
  std::unique_ptr<Runner> runner;
  if (on_cluster) {
    runner = std::make_unique<FramesRunner>(memory_mib << 20, crawl.root());
  } else {
    runner = std::make_unique<LocalRunner>(
        LocalRunnerOptions{.threads = 2, .memory_bytes = memory_mib << 20, .temp_folder = crawl.root(), .attempts = 1});
  }
  JobEnvironment environment;
  environment.store = crawl.store();
  environment.runner = runner.get();
  environment.clock = &SystemClock();
  environment.now_ms = crawl.now_ms;
  environment.version = "test";
  environment.options = UpdatedbOptionTexts();
  JobRequest request = UpdatedbRequest(crawl.store(), "s1", {.partitions = partitions});
  EXPECT_TRUE(request.spec.combiner);
  if (!combines) request.spec.combiner = {};
  const Result<JobResult> result = RunJob(environment, request);
  EXPECT_OK(result.status());
  Round round = {.counters = result->output.counters, .shuffle = result->output.shuffle};
  for (const auto& [table, runs] : crawl.Present().tables) round.digests[table] = runs.back().digest.ToHex();
  return round;
}

TEST(LinkCombiner, RowsAndCountersAreEqualOnBothRunnersAtAnyMemory) {
  const Round plain = RoundWith(false, 256, false, 1);
  EXPECT_GT(plain.shuffle.records, 60'000);
  EXPECT_EQ(plain.shuffle.combined, 0);
  EXPECT_EQ(plain.counters.Get("links"), 60'000 - plain.counters.Get("links_foreign"));
  EXPECT_EQ(plain.digests.size(), 3U);
  struct Case {
    bool on_cluster;
    int64_t memory_mib;
    bool combines;
    int partitions;
  };
  for (const Case& c : {Case{false, 4, true, 1}, Case{false, 4, false, 2}, Case{false, 256, true, 3},
                        Case{true, 10, true, 1}, Case{true, 10, false, 1}, Case{true, 64, true, 3}}) {
    SCOPED_TRACE(testing::Message() << (c.on_cluster ? "cluster, " : "here, ") << c.memory_mib << " MiB, "
                                    << c.combines);
    const Round round = RoundWith(c.on_cluster, c.memory_mib, c.combines, c.partitions);
    EXPECT_EQ(round.digests, plain.digests);
    EXPECT_EQ(round.counters.counts(), plain.counters.counts());
    EXPECT_EQ(round.shuffle.records, plain.shuffle.records);
    const bool is_combined = c.combines && (c.on_cluster || c.memory_mib == 4);
    EXPECT_EQ(round.shuffle.combined > 0, is_combined);
    EXPECT_EQ(round.shuffle.bytes < plain.shuffle.bytes, is_combined);
    if (c.on_cluster && c.combines) {
      EXPECT_LT(5 * round.shuffle.bytes, 4 * plain.shuffle.bytes);
    }
  }
}

}  // namespace
}  // namespace trawl
