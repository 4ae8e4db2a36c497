// Measures choosing a round: a crawl of many URLs of which a tenth is due, and the best hundred thousand of them.
//
// Usage: generate_bench [ROWS [FOLDER]]. The target is stated for 10,000,000 rows: they take 4 GB in FOLDER, which is
// removed afterwards. A host has 100 pages, a hosts row and a robots.txt of 30 rules. Then the same with the patterns of
// all hosts, of which those of one host in a hundred have a budget. Files lie in the page cache. Two threads.
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "formats/rows/host_row.h"
#include "formats/rows/robots_row.h"
#include "formats/rows/settle_rows.h"
#include "formats/url/key.h"
#include "formats/url/pattern.h"
#include "jobs/generate/generate.h"
#include "runtime/job/local_runner.h"
#include "runtime/root/snapshot.h"
#include "runtime/tables/run_writer.h"
#include "tests/bench/bench_main.h"
#include "tests/support/crawl/crawled_rows.h"
#include "tests/support/store/temporary_folder.h"

namespace trawl {
namespace {

constexpr size_t kWriters = 2;
constexpr int kThreads = 2;
constexpr int kTimes = 3;
constexpr int64_t kTopN = 100'000;
// CrawledRows spreads due times over 5,000,000 s: a tenth of them is before this time.
constexpr TimeMs kNowMs = 1'790'500'000'000;

template <typename Row, typename Write>
RunReference WriteRun(Store* store, const std::vector<std::string>& hosts, const std::string& run, Write&& write) {
  RunRecord record = {.table = Row::kTable, .schema = Row::kVersion, .job = run};
  std::vector<std::vector<FileReceipt>> files(kWriters);
  std::vector<std::jthread> threads;
  for (size_t i = 0; i < kWriters; ++i) {
    threads.emplace_back([&, i] {
      const size_t begin = hosts.size() * i / kWriters;
      const size_t end = hosts.size() * (i + 1) / kWriters;
      RunWriter<Row> writer(store, RunFolder(Row::kTable, run), "m" + std::to_string(i) + "-0", {});
      write(std::span<const std::string>(hosts.data() + begin, end - begin), &writer);
      files[i] = Check(writer.Finish());
    });
  }
  threads.clear();
  for (const auto& part : files) record.files.insert(record.files.end(), part.begin(), part.end());
  return Check(WriteRunRecord(store, run, record));
}

std::string RobotsText() {
  std::string text = "User-agent: *\n";
  for (int i = 0; i < 30; ++i) text += "Disallow: /private/section-" + std::to_string(i) + "/\n";
  return text + "Sitemap: https://www.example.com/sitemap.xml\n";
}

// Makes a crawl of `rows` rows.
void MakeCrawl(Store* store, int64_t rows) {
  Manifest first;
  first.normal_form = "standard";
  Check(CreateCrawl(store, first).status());
  const std::vector<std::string> hosts = HostPartsInOrder(rows / CrawledRows::kPagesAHost);
  Manifest next = NextManifest(Check(ReadPresent(store)), "bench-0", "bench", 0);
  next.tables[UrlRow::kTable] = {WriteRun<UrlRow>(store, hosts, "bench-urls", [](auto part, RunWriter<UrlRow>* writer) {
    CrawledRows pages(part, 1);
    UrlRow row;
    while (pages.Next(&row)) Check(writer->Append(row));
  })};
  next.tables[HostRow::kTable] = {
      WriteRun<HostRow>(store, hosts, "bench-hosts", [](auto part, RunWriter<HostRow>* writer) {
        HostRow row;
        for (const std::string& host : part) {
          row.key = host;
          row.response_ms = 200;
          row.pages = row.fetched = 70;
          row.bytes = 70 * 50'000;
          Check(writer->Append(row));
        }
      })};
  const std::string text = RobotsText();
  next.tables[RobotsRow::kTable] = {
      WriteRun<RobotsRow>(store, hosts, "bench-robots", [&text](auto part, RunWriter<RobotsRow>* writer) {
        RobotsRow row;
        row.text = text;
        for (const std::string& host : part) {
          row.key = host + ")";
          Check(writer->Append(row));
        }
      })};
  Check(PublishSnapshot(store, next));
}

// Adds the patterns of all pages.
void AddPatterns(Store* store, int64_t rows) {
  const std::vector<std::string> hosts = HostPartsInOrder(rows / CrawledRows::kPagesAHost);
  Manifest next = NextManifest(Check(ReadPresent(store)), "bench-1", "bench", 0);
  next.tables[PatternRow::kTable] = {
      WriteRun<PatternRow>(store, hosts, "bench-patterns", [](auto part, RunWriter<PatternRow>* writer) {
        CrawledRows pages(part, 1);
        std::set<std::string> patterns;
        std::string host;
        int64_t number = 0;
        const auto write = [&] {
          PatternRow row;
          row.counted_ms = kNowMs - 1;
          row.fetched = 20'000;
          row.fetched_ever = 20;
          row.budget = ++number % 100 == 0 ? 4 : -1;
          for (const std::string& key : patterns) {
            row.key = key;
            Check(writer->Append(row));
          }
          patterns.clear();
        };
        for (UrlRow row; pages.Next(&row);) {
          if (HostPartOfKey(row.key) != host) write();
          host = HostPartOfKey(row.key);
          patterns.insert(PatternOfKey(row.key));
        }
        write();
      })};
  Check(PublishSnapshot(store, next));
}

double CpuSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

struct Cost {
  double wall = 0;
  double cpu = 0;
};

template <typename Work>
Cost Measure(Work&& work) {
  const auto begin = std::chrono::steady_clock::now();
  const double cpu = CpuSeconds();
  work();
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(), CpuSeconds() - cpu};
}

// Gives the round back, so that the next one finds the same state.
void Abandon(const JobEnvironment& environment) {
  Check(PublishChange(environment, "abandon", [](Manifest* next) -> arrow::Result<bool> {
    next->open_segments.clear();
    return true;
  }));
}

void Run(Store* store, int64_t rows, const std::string& what) {
  LocalRunner runner({.threads = kThreads});
  JobEnvironment environment;
  environment.store = store;
  environment.runner = &runner;
  environment.clock = &SystemClock();
  environment.now_ms = kNowMs;
  environment.version = "bench";
  environment.options = GenerateOptionTexts();
  environment.options["generate.top_n"] = std::to_string(kTopN);
  std::vector<Cost> choosing, whole;
  GenerateOutcome outcome;
  for (int i = 0; i < kTimes; ++i) {
    choosing.push_back(Measure([&] {
      auto tried = TryGenerate(environment, kThreads);
      Check(tried.status());
      outcome = *std::move(tried);
    }));
    whole.push_back(Measure([&] { Check(GenerateSegment(environment, "", kThreads).status()); }));
    Abandon(environment);
  }
  const auto faster = [](const Cost& a, const Cost& b) { return a.wall < b.wall; };
  const Cost choose = *std::min_element(choosing.begin(), choosing.end(), faster);
  const Cost best = *std::min_element(whole.begin(), whole.end(), faster);
  const char* const name = what.c_str();
  std::printf("%s, rows: %.1f M\n", name, static_cast<double>(rows) / 1e6);
  std::printf("%s, due: %lld, held by budgets: %lld\n", name,
              static_cast<long long>(outcome.selection.counters.Get("due")),
              static_cast<long long>(outcome.selection.counters.Get("pattern_budget")));
  std::printf("%s, taken: %lld\n", name, static_cast<long long>(outcome.assignment.urls));
  std::printf("%s, hosts and robots with them: %zu\n", name, outcome.selection.offers.size());
  std::printf("%s, choosing: %.2f s wall, %.2f s CPU\n", name, choose.wall, choose.cpu);
  std::printf("%s: %.2f s wall, %.2f s CPU (target <= 5 s on two cores)\n", name, best.wall, best.cpu);
  std::printf("ratio %s, seconds: %.2f (target <= 5.00)\n", name, best.wall);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf("%s, peak memory: %.0f MiB\n", name, static_cast<double>(usage.ru_maxrss) / 1024);
}

}  // namespace
}  // namespace trawl

int main(int argc, char** argv) {
  const int64_t rows = argc > 1 ? std::atoll(argv[1]) : 10'000'000;
  if (rows < 1000) {
    std::fprintf(stderr, "usage: generate_bench [ROWS [FOLDER]]\n");
    return 2;
  }
  const trawl::TemporaryFolder folder(argc > 2 ? argv[2] : "");
  const auto store = trawl::Check(trawl::OpenStore(folder.path(), {.sync = false}));
  trawl::MakeCrawl(store.get(), rows);
  trawl::Run(store.get(), rows, "generate");
  trawl::AddPatterns(store.get(), rows);
  trawl::Run(store.get(), rows, "generate with patterns");
  return 0;
}
