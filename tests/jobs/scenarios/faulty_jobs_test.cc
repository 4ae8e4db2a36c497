// inject, compact, generate, updatedb, settle, reparse and graph on a store that goes wrong at each of their operations in turn: run
// again, all
// is as if nothing had happened.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <type_traits>

#include "formats/digests/digest.h"
#include "formats/rows/host_graph_row.h"
#include "formats/rows/host_row.h"
#include "formats/rows/outlinks_row.h"
#include "formats/rows/robots_row.h"
#include "formats/rows/times.h"
#include "formats/rows/url_row.h"
#include "jobs/generate/generate.h"
#include "jobs/graph/graph.h"
#include "jobs/graph/rescore.h"
#include "jobs/inject/inject.h"
#include "jobs/reparse/reparse.h"
#include "jobs/segment/life.h"
#include "jobs/stats/round.h"
#include "jobs/stats/totals.h"
#include "jobs/updatedb/updatedb.h"
#include "jobs/upkeep/compact.h"
#include "jobs/upkeep/move_bodies.h"
#include "jobs/urls/score_urls.h"
#include "jobs/urls/set_urls.h"
#include "jobs/verb/job_options.h"
#include "runtime/job/local_runner.h"
#include "runtime/root/segment_data.h"
#include "runtime/tables/merge_scan.h"
#include "tests/support/crawl/segment_fixture.h"
#include "tests/support/crawl/settled_web.h"
#include "tests/support/store/faulty_store.h"
#include "tests/support/store/temporary_folder.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

using arrow::Result;
using arrow::Status;

constexpr int64_t kNow = 1'767'225'600'000;

// -- jobs -------------------------------------------------------------------------------------------------------------

JobEnvironment EnvironmentOn(Store* store, Runner* runner, OptionTexts options) {
  JobEnvironment environment;
  environment.store = store;
  environment.runner = runner;
  environment.clock = &SystemClock();
  environment.now_ms = kNow;
  environment.version = "test";
  environment.options = std::move(options);
  return environment;
}

Status Inject(Store* store, int first) {
  Manifest constants;
  constants.normal_form = "standard";
  ARROW_RETURN_NOT_OK(CreateCrawl(store, constants).status());
  std::vector<std::string> urls;
  for (int i = 0; i < 40; ++i)
    urls.push_back("https://h" + std::to_string(i % 7) + ".example/" + std::to_string(first + i));
  const SeedParts seeds = *CutSeeds({.urls = urls}, 1 << 20);
  const JobOptions job = {.partitions = 2};
  LocalRunner runner({.threads = 1, .memory_bytes = 16 << 20, .attempts = 1});
  return RunJob(EnvironmentOn(store, &runner, InjectOptionTexts()), InjectRequest(seeds, job)).status();
}

Status InjectSome(Store* store) { return Inject(store, 0); }
Status InjectMore(Store* store) { return Inject(store, 20); }
Status Compact(Store* store) {
  LocalRunner runner({.threads = 1, .attempts = 1});
  return RunJob(EnvironmentOn(store, &runner, InjectOptionTexts()), CompactRequest(false, 1)).status();
}
// As a scheduler's retry that knows no segment.
Status Generate(Store* store) {
  LocalRunner runner({.threads = 1, .attempts = 1});
  return GenerateSegment(EnvironmentOn(store, &runner, GenerateOptionTexts()), "", 2).status();
}
Status DropUrls(Store* store) {
  const NamedUrls all;
  UrlOrder order;
  order.selection.states = {UrlState::kUnfetched};
  order.change.drop = true;
  const JobOptions job;
  LocalRunner runner({.threads = 1, .attempts = 1});
  const SetUrlsParts parts = {.named = all, .order = order, .job = job};
  return RunJob(EnvironmentOn(store, &runner, UpdatedbOptionTexts()), SetUrlsRequest(parts)).status();
}
Status ScoreUrls(Store* store) {
  SeedParts lists;
  lists.parts = {{{"name", "scores"}, {"lines", {"https://h0.example/0 0.9", "example,h1)/1 0.1"}}}};
  const JobOptions job;
  LocalRunner runner({.threads = 1, .attempts = 1});
  return RunJob(EnvironmentOn(store, &runner, UpdatedbOptionTexts()), ScoreUrlsRequest({lists, job})).status();
}
Status Updatedb(Store* store) {
  LocalRunner runner({.threads = 1, .memory_bytes = 64 << 20, .attempts = 1});
  return RunJob(EnvironmentOn(store, &runner, UpdatedbOptionTexts()), UpdatedbRequest(store, "s1", {.partitions = 2}))
      .status();
}

Status ReadStoredAgain(Store* store) {
  LocalRunner runner({.threads = 1, .memory_bytes = 64 << 20, .attempts = 1});
  OptionTexts options = UpdatedbOptionTexts();
  options.merge(ReparseOptionTexts());
  options["job.partitions"] = "2";
  const JobEnvironment environment = EnvironmentOn(store, &runner, options);
  const auto run = [&](const JobRequest& request) { return RunJob(environment, request); };
  return ReadAgain(store, options, {}, StopToken(), run).status();
}

Status SettlePages(Store* store) { return SettleOn(store, {.partitions = 2}).status(); }

// Puts the bodies that rows point to into a store of bodies.
Status MoveStored(Store* store) {
  LocalRunner runner({.threads = 1, .memory_bytes = 64 << 20, .attempts = 1});
  OptionTexts options = JobOptionGroup().Print({});
  options["job.partitions"] = "2";
  const JobEnvironment environment = EnvironmentOn(store, &runner, options);
  const auto run = [&](const JobRequest& request) { return RunJob(environment, request); };
  return MoveBodies(kNow + kDayMs, run).status();
}
Status Graph(Store* store) {
  LocalRunner runner({.threads = 1, .memory_bytes = 64 << 20, .attempts = 1});
  const JobEnvironment environment = EnvironmentOn(store, &runner, GraphOptionTexts());
  ARROW_RETURN_NOT_OK(RunJob(environment, GraphRequest({.partitions = 2}, 1)).status());
  return RunJob(environment, RescoreRequest(1)).status();
}

// -- what they find ---------------------------------------------------------------------------------------------------

Status Nothing(const std::string&) { return Status::OK(); }
Status OneInject(const std::string& root) {
  ARROW_ASSIGN_OR_RAISE(const auto store, OpenStore(root, {.sync = false}));
  return InjectSome(store.get());
}
Status TwoInjects(const std::string& root) {
  ARROW_RETURN_NOT_OK(OneInject(root));
  ARROW_ASSIGN_OR_RAISE(const auto store, OpenStore(root, {.sync = false}));
  return InjectMore(store.get());
}

// What a round over 12 hosts fetched and parsed: of each a page, new ones and known ones that it links, one that is
// gone, the host and its robots.txt.
Status ParsedSegment(const std::string& root) {
  SegmentFixture crawl(root);
  std::vector<UrlRow> urls;
  SegmentRows rows;
  for (int host = 0; host < 12; ++host) {
    const std::string name = "com,h" + std::to_string(host);
    for (const char* path : {")/", ")/gone", ")/known"}) urls.push_back(UnfetchedRow(name + path));
    const UrlRow* const listed = &urls[urls.size() - 3];
    rows.fetch.push_back(FetchOf(listed[0], Outcome::kFetched, 200, kNow - 1000));
    rows.fetch.back().body_digest = "body";
    rows.fetch.push_back(FetchOf(listed[1], Outcome::kGone, 410, kNow - 500));
    ParseRow& parsed = rows.parse.emplace_back();
    parsed.key = listed[0].key;
    parsed.fetched_ms = kNow - 1000;
    parsed.content_digest = "content-" + name;
    parsed.body_digest = "body";
    for (const char* path : {")/1", ")/2", ")/known"}) rows.links.push_back(LinkOf(listed[0].key, name + path, 1));
    rows.links.push_back(LinkOf(listed[0].key, "com,h" + std::to_string((host + 1) % 12) + ")/shared", 1));
    HostRow& seen = rows.hosts.emplace_back();
    seen.key = name;
    seen.answered_ms = kNow - 500;
    RobotsRow& robots = rows.robots.emplace_back();
    robots.key = name + ")";
    robots.text = "User-agent: *\nAllow: /\n";
  }
  ARROW_RETURN_NOT_OK(crawl.Put<UrlRow>(urls));
  ARROW_RETURN_NOT_OK(crawl.Open("s1"));
  return crawl.Finish("s1", rows);
}

// A page of each of 9 hosts that is stored, and was read by a version that noted no rules. It was fetched so many times.
Status StorePages(const std::string& root, int times) {
  SegmentFixture crawl(root);
  std::vector<UrlRow> urls;
  SegmentRows rows;
  for (int host = 0; host < 9; ++host) urls.push_back(UnfetchedRow("com,h" + std::to_string(host) + ")/"));
  for (int i = 0; i < 9 * times; ++i) {
    const int host = i % 9;
    FetchRow& fetch = rows.fetch.emplace_back(
        FetchOf(urls[static_cast<size_t>(host)], Outcome::kFetched, 200, kNow - 1000 * (times - i / 9)));
    fetch.body_digest = "body-" + std::to_string(host);
    fetch.content_file = "m0-0-0.orc";
    fetch.content_row = i;
    ContentRow& content = rows.content.emplace_back();
    content.key = fetch.key;
    content.url = "https://h" + std::to_string(host) + ".com/";
    content.content_type = "text/html";
    content.body = "<a href=/new>new</a><a href=https://shared.com/>shared</a>";
    content.body_digest = fetch.body_digest;
    content.fetched_ms = fetch.fetched_ms;
    ParseRow& parsed = rows.parse.emplace_back();
    parsed.key = fetch.key;
    parsed.fetched_ms = fetch.fetched_ms;
    parsed.body_digest = fetch.body_digest;
  }
  ARROW_RETURN_NOT_OK(crawl.Put<UrlRow>(urls));
  ARROW_RETURN_NOT_OK(crawl.Open("s1"));
  ARROW_RETURN_NOT_OK(crawl.Finish("s1", rows));
  return crawl.Apply("s1").status();
}

// Pages that are settled, and changed since: groups are joined, left and led by others.
Status ChangedPages(const std::string& root) {
  SegmentFixture crawl(root);
  ChangingWeb web(3, 60, 8);
  for (int round = 1; round <= 2; ++round) {
    std::map<std::string, UrlRow> present;
    for (UrlRow& row : AllUrls(crawl.store())) present[row.key] = std::move(row);
    ARROW_RETURN_NOT_OK(crawl.Put<UrlRow>(web.NextRound(present)));
    if (round == 1) ARROW_RETURN_NOT_OK(SettlePages(crawl.store()));
  }
  return Status::OK();
}
// The same, with texts that are near each other, so that the job of near ones has work, too.
Status ChangedTexts(const std::string& root) {
  SegmentFixture crawl(root);
  ChangingWeb web(3, 60, 8);
  for (int round = 1; round <= 2; ++round) {
    std::map<std::string, UrlRow> present;
    for (UrlRow& row : AllUrls(crawl.store())) present[row.key] = std::move(row);
    std::vector<UrlRow> rows = web.NextRound(present);
    for (UrlRow& row : rows) {
      if (row.content_digest.empty()) continue;
      const auto content = static_cast<uint64_t>(static_cast<uint8_t>(row.content_digest[0]));
      row.simhash = static_cast<int64_t>((content % 3 + 1) * 0x1111'2222'4444'8888 ^ uint64_t{1} << content % 60);
    }
    ARROW_RETURN_NOT_OK(crawl.Put<UrlRow>(rows));
    if (round == 1) ARROW_RETURN_NOT_OK(SettlePages(crawl.store()));
  }
  return Status::OK();
}
Status StoredPages(const std::string& root) { return StorePages(root, 1); }
Status PagesStoredThrice(const std::string& root) { return StorePages(root, 3); }
// Their links are known.
Status LinkedPages(const std::string& root) {
  ARROW_RETURN_NOT_OK(StoredPages(root));
  ARROW_ASSIGN_OR_RAISE(const auto store, OpenStore(root, {.sync = false}));
  return ReadStoredAgain(store.get());
}

// -- what they leave --------------------------------------------------------------------------------------------------

template <typename Row>
Status AddTable(Store* store, const Manifest& present, std::string* state) {
  ARROW_ASSIGN_OR_RAISE(const auto table, Table::Open<Row>(store, present));
  DigestSum digest;
  std::string bytes;
  ARROW_RETURN_NOT_OK(ForEachRow<Row>(table, {}, [&](Row row) {
    // A file has the name of the job that wrote it.
    if constexpr (std::is_same_v<Row, UrlRow>) {
      row.parse_file.clear();
      row.body_file.clear();
    }
    EncodeRow(row, &bytes);
    digest.Add(Hash128(bytes));
    return Status::OK();
  }));
  *state += std::string(Row::kTable) + " " + digest.ToHex() + "\n";
  return Status::OK();
}

// The URLs of an open segment's lists, whatever its name.
Status AddLists(Store* store, const OpenSegment& open, std::string* state) {
  ARROW_ASSIGN_OR_RAISE(const StepRecord record, ReadLists(store, open.id, open.job, open.lists));
  for (const StepTask& task : record.tasks) {
    const auto files = task.files.find("fetchlist");
    if (files == task.files.end()) continue;
    *state += "list";
    for (const FileReceipt& file : files->second) {
      ARROW_RETURN_NOT_OK(ForEachDatasetRow<UrlRow>(store, open.id, "fetchlist", file, [state](const UrlRow& row) {
        *state += " " + row.key;
        return Status::OK();
      }));
    }
    *state += "\n";
  }
  *state += "open until " + std::to_string(open.until_ms) + "\n";
  return Status::OK();
}

Result<std::string> ReadState(Store* store) {
  ARROW_ASSIGN_OR_RAISE(const Snapshot present, ReadPresent(store));
  std::string state;
  ARROW_RETURN_NOT_OK(AddTable<UrlRow>(store, present.manifest, &state));
  ARROW_RETURN_NOT_OK(AddTable<HostRow>(store, present.manifest, &state));
  ARROW_RETURN_NOT_OK(AddTable<RobotsRow>(store, present.manifest, &state));
  ARROW_RETURN_NOT_OK(AddTable<DigestRow>(store, present.manifest, &state));
  ARROW_RETURN_NOT_OK(AddTable<FingerprintRow>(store, present.manifest, &state));
  ARROW_RETURN_NOT_OK(AddTable<PatternRow>(store, present.manifest, &state));
  ARROW_RETURN_NOT_OK(AddTable<InlinksRow>(store, present.manifest, &state));
  ARROW_RETURN_NOT_OK(AddTable<HostEdgeRow>(store, present.manifest, &state));
  ARROW_RETURN_NOT_OK(AddTable<RankRow>(store, present.manifest, &state));
  for (const OpenSegment& open : present.manifest.open_segments) ARROW_RETURN_NOT_OK(AddLists(store, open, &state));
  for (const ClosedSegment& closed : present.manifest.closed_segments) {
    state += closed.id + " " + TextOf(closed.end) + "\n";
    ARROW_ASSIGN_OR_RAISE(const auto round, ReadRound(store, closed));
    if (closed.end != SegmentEnd::kApplied || IsStoreOfBodies(closed)) continue;
    if (!round) return Status::Invalid("the round of ", closed.id, " has no document");
    state += DumpJson((*round)["totals"]) + DumpJson((*round)["fetch"]) + DumpJson((*round)["links"]) + "\n";
  }
  if (const auto& totals = present.manifest.totals) {
    ARROW_ASSIGN_OR_RAISE(const Totals counted, CountTotals(store, present.manifest, 1, StopToken()));
    state += DumpJson(ToJson(*totals)) + (*totals == counted ? "" : " but " + DumpJson(ToJson(counted))) + "\n";
  }
  return state;
}

// All that the next job reads: rows of the tables, lists of open segments, what became of others.
std::string StateOf(Store* store) {
  const Result<std::string> state = ReadState(store);
  return state.ok() ? *state : state.status().ToString();
}

// A job and the root that it finds.
struct Step {
  const char* name;
  Status (*before)(const std::string& root);
  Status (*job)(Store*);
};

// Nothing of a root is ever changed in place, so names for the same files are a copy.
void CopyRoot(const std::string& from, const std::string& to) {
  using std::filesystem::copy_options;
  std::filesystem::copy(from, to, copy_options::recursive | copy_options::create_hard_links);
}

class FaultyJobTest : public ::testing::TestWithParam<Step> {};

TEST_P(FaultyJobTest, EveryFaultAtEveryOperationLosesNothing) {
  const Step& step = GetParam();
  const TemporaryFolder folder;
  const std::string before = folder.path() + "/before";
  std::filesystem::create_directory(before);
  ASSERT_OK(step.before(before));
  const std::string undisturbed = folder.path() + "/undisturbed";
  CopyRoot(before, undisturbed);
  const std::shared_ptr<Store> clean = *OpenStore(undisturbed, {.sync = false});
  ASSERT_OK(step.job(clean.get()));
  ASSERT_OK_AND_ASSIGN(const std::string expected, ReadState(clean.get()));

  // Every operation in a soak (TRAWL_TEST_SOAK); else every `stride`-th, each fault beginning elsewhere.
  const int64_t stride = std::getenv("TRAWL_TEST_SOAK") != nullptr ? 1 : 37;
  int64_t begin = 1;
  int64_t cases = 0;
  for (const Fault fault : {Fault::kFail, Fault::kTear, Fault::kForget, Fault::kLoseReply}) {
    for (int64_t n = begin;; n += stride) {
      const std::string root = folder.path() + "/root";
      std::filesystem::remove_all(root);
      CopyRoot(before, root);
      const std::shared_ptr<Store> inner = *OpenStore(root, {.sync = false});
      FaultyStore faulty(inner, {.fault = fault, .at = n});
      const Status first = step.job(&faulty);
      if (!faulty.reached()) break;
      ++cases;
      ASSERT_OK(step.job(inner.get())) << faulty.fault_point() << "; first: " << first;
      ASSERT_EQ(StateOf(inner.get()), expected) << faulty.fault_point();
    }
    begin = begin * 2 % stride + 1;
  }
  EXPECT_GT(cases, 4);
  std::printf("Faults at operations of %s, run again, same rows and lists: %lld\n", step.name,
              static_cast<long long>(cases));
}

INSTANTIATE_TEST_SUITE_P(
    Jobs, FaultyJobTest,
    ::testing::Values(Step{"FirstInject", Nothing, InjectSome}, Step{"SecondInject", OneInject, InjectMore},
                      Step{"Compact", TwoInjects, Compact}, Step{"DropUrls", TwoInjects, DropUrls},
                      Step{"ScoreUrls", TwoInjects, ScoreUrls}, Step{"Generate", TwoInjects, Generate},
                      Step{"Updatedb", ParsedSegment, Updatedb}, Step{"Reparse", StoredPages, ReadStoredAgain},
                      Step{"MoveBodies", PagesStoredThrice, MoveStored}, Step{"Settle", ChangedPages, SettlePages},
                      Step{"SettleNear", ChangedTexts, SettlePages}, Step{"Graph", LinkedPages, Graph}),
    [](const auto& step) { return std::string(step.param.name); });

}  // namespace
}  // namespace trawl
