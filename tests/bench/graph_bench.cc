// Measures the ranks of hosts: PageRank and HyperBall over a graph and over one of a tenth of its size, and the whole of
// trawl graph over pages with as many links.
//
// Usage: graph_bench [HOSTS [FOLDER]]. The target is stated for 10,000,000 hosts with ten edges for each, against a tenth of
// them: a smaller graph lies in the processor's caches. Half of the edges lead anywhere, half to few hosts, so no order of
// the hosts helps. The whole job is measured at a tenth of HOSTS. Every measurement is a process of its own, so that its
// peak memory is its own. Two threads.
//
//        graph_bench --edges FILE    for comparison with other programs: lines "from to", ascending by from, each edge
//                                    once; prints for each host its number, PageRank, harmonic centrality, and that by
//                                    HyperBall
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "formats/digests/digest.h"
#include "formats/rows/outlinks_row.h"
#include "formats/rows/url_row.h"
#include "jobs/graph/graph.h"
#include "jobs/graph/harmonic.h"
#include "jobs/graph/pagerank.h"
#include "runtime/job/local_runner.h"
#include "runtime/root/snapshot.h"
#include "runtime/tables/run_writer.h"
#include "tests/bench/bench_main.h"
#include "tests/support/crawl/crawled_rows.h"
#include "tests/support/store/temporary_folder.h"

namespace trawl {
namespace {

constexpr int kThreads = 2;
constexpr int kRegisters = 128;

uint64_t Mix(uint64_t x) {
  x ^= x >> 33;
  x *= 0xFF51AFD7ED558CCDULL;
  x ^= x >> 33;
  x *= 0xC4CEB9FE1A85EC53ULL;
  return x ^ x >> 33;
}

// To whom a host links: 1 to 19 others, ascending.
void TargetsOf(uint32_t from, uint32_t hosts, std::vector<uint32_t>* targets) {
  targets->clear();
  const uint64_t seed = Mix(from + 1);
  for (uint64_t i = 0; i < 1 + seed % 19; ++i) {
    const uint64_t random = Mix(seed + i);
    const double unit = static_cast<double>(random >> 11) / static_cast<double>(uint64_t{1} << 53);
    const uint64_t popular = Mix(static_cast<uint64_t>(std::pow(unit, 4) * hosts)) % hosts;
    const auto to = static_cast<uint32_t>(i % 2 == 0 ? random % hosts : popular);
    if (to != from) targets->push_back(to);
  }
  std::sort(targets->begin(), targets->end());
  targets->erase(std::unique(targets->begin(), targets->end()), targets->end());
}

std::unique_ptr<NumberedEdges> MakeEdges(const std::string& folder, uint32_t hosts) {
  auto edges = Check(NumberedEdges::Make(folder, hosts));
  std::vector<uint32_t> targets;
  for (uint32_t from = 0; from < hosts; ++from) {
    TargetsOf(from, hosts, &targets);
    for (const uint32_t to : targets) Check(edges->Add(from, to));
  }
  Check(edges->Finish());
  return edges;
}

std::vector<uint64_t> HashesOf(uint32_t hosts) {
  std::vector<uint64_t> hashes;
  for (uint32_t host = 0; host < hosts; ++host) hashes.push_back(Hash64(std::to_string(host)));
  return hashes;
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
  int64_t peak_bytes = 0;
};

Cost Measure(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  const double cpu = CpuSeconds();
  work();
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(), CpuSeconds() - cpu};
}

// Runs the measurement in a child, and returns what it wrote down with the child's peak memory.
Cost InChild(const std::function<Cost()>& run) {
  int pipe_ends[2];
  if (pipe(pipe_ends) != 0) std::exit(1);
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    const Cost cost = run();
    const bool wrote = write(pipe_ends[1], &cost, sizeof cost) == sizeof cost;
    std::fflush(stdout);
    _exit(wrote ? 0 : 1);
  }
  Cost cost;
  close(pipe_ends[1]);
  const bool has_read = read(pipe_ends[0], &cost, sizeof cost) == sizeof cost;
  close(pipe_ends[0]);
  rusage usage{};
  int status = 0;
  wait4(child, &status, 0, &usage);
  if (!has_read || status != 0) std::exit(1);
  cost.peak_bytes = int64_t{usage.ru_maxrss} * 1024;
  return cost;
}

Cost RankCost(const std::string& folder, uint32_t hosts) {
  return InChild([&] {
    const auto edges = MakeEdges(folder, hosts);
    int iterations = 0;
    const Cost cost =
        Measure([&] { iterations = Check(PageRankOf(*edges, {.threads = kThreads}, StopToken())).iterations; });
    std::printf("PageRank of %u hosts, %lld edges: %.2f s, %.2f s of CPU, %d iterations\n", hosts,
                static_cast<long long>(edges->edges()), cost.wall, cost.cpu, iterations);
    return cost;
  });
}

Cost BallCost(const std::string& folder, uint32_t hosts) {
  return InChild([&] {
    const auto edges = MakeEdges(folder, hosts);
    const std::vector<uint64_t> hashes = HashesOf(hosts);
    int steps = 0;
    const Cost cost =
        Measure([&] { steps = Check(HyperBall(*edges, hashes, kRegisters, kThreads, StopToken())).steps; });
    std::printf("HyperBall of %u hosts, %lld edges: %.2f s, %.2f s of CPU, %d steps\n", hosts,
                static_cast<long long>(edges->edges()), cost.wall, cost.cpu, steps);
    return cost;
  });
}

void Compare(const char* what, const Cost& small, const Cost& large, bool is_target_size) {
  std::printf("%s, peak memory of the process: %lld MiB\n", what, static_cast<long long>(large.peak_bytes >> 20));
  std::printf("ratio %s, cost of a graph ten times as large: %.2f%s\n", what, large.cpu / small.cpu,
              is_target_size ? " (target <= 11)" : "");
}

// A crawl of one page for each host, with as many links as the graph has edges.
void MakeCrawl(Store* store, uint32_t wanted) {
  Manifest first;
  first.normal_form = "standard";
  Check(CreateCrawl(store, first).status());
  const std::vector<std::string> hosts = HostPartsInOrder(wanted);
  RunWriter<UrlRow> urls(store, RunFolder(UrlRow::kTable, "bench-urls"), "m0-0", {});
  RunWriter<OutlinksRow> pages(store, RunFolder(OutlinksRow::kTable, "bench-pages"), "m0-0",
                               {.batch_rows = OutlinksRow::kBatchRows});
  UrlRow url;
  url.state = UrlState::kFetched;
  OutlinksRow page;
  LinkListWriter list;
  std::vector<uint32_t> targets;
  for (uint32_t from = 0; from < hosts.size(); ++from) {
    url.key = page.key = hosts[from] + ")/";
    TargetsOf(from, static_cast<uint32_t>(hosts.size()), &targets);
    list.Clear();
    for (const uint32_t to : targets) list.Add({.key = hosts[to] + ")/", .how = "a", .text = "a text of a link"});
    page.links = page.listed = list.links();
    page.list.assign(list.bytes());
    Check(urls.Append(url));
    Check(pages.Append(page));
  }
  Manifest next = NextManifest(Check(ReadPresent(store)), "bench-0", "bench", 0);
  const auto finish = [&](auto& writer, const char* table, const char* run) {
    const RunRecord record = {.table = table, .schema = 1, .job = run, .files = Check(writer.Finish())};
    next.tables[table] = {Check(WriteRunRecord(store, run, record))};
  };
  finish(urls, UrlRow::kTable, "bench-urls");
  finish(pages, OutlinksRow::kTable, "bench-pages");
  Check(PublishSnapshot(store, next));
}

void MeasureJob(const std::string& folder, uint32_t hosts) {
  const auto store = Check(OpenStore(folder, {.sync = false}));
  InChild([&] {
    MakeCrawl(store.get(), hosts);
    return Cost();
  });
  const Cost cost = InChild([&] {
    LocalRunner runner({.threads = kThreads, .memory_bytes = int64_t{1} << 30, .temp_folder = folder});
    JobEnvironment environment;
    environment.store = store.get();
    environment.runner = &runner;
    environment.clock = &SystemClock();
    environment.version = "bench";
    environment.options = GraphOptionTexts();
    environment.options["threads"] = std::to_string(kThreads);
    environment.options["temp_dir"] = folder;
    return Measure([&] {
      const JobResult result = Check(RunJob(environment, GraphRequest({}, kThreads)));
      std::printf("trawl graph: %s\n", DumpJson(result.details).c_str());
    });
  });
  std::printf("trawl graph of %u pages with ten links each: %.1f s, %.1f s of CPU\n", hosts, cost.wall, cost.cpu);
  std::printf("trawl graph, peak memory of the process: %lld MiB\n", static_cast<long long>(cost.peak_bytes >> 20));
}

void PrintRanks(const std::string& path) {
  std::ifstream in(path);
  std::vector<std::pair<uint32_t, uint32_t>> pairs;
  uint32_t from = 0, to = 0, hosts = 0;
  while (in >> from >> to) {
    pairs.emplace_back(from, to);
    hosts = std::max({hosts, from + 1, to + 1});
  }
  const auto edges = Check(NumberedEdges::Make("/tmp", hosts));
  for (const auto& [source, target] : pairs) Check(edges->Add(source, target));
  Check(edges->Finish());
  const PageRanks ranks = Check(PageRankOf(*edges, {.threads = kThreads}, StopToken()));
  const Harmonics exact = Check(ExactHarmonics(*edges, kThreads, StopToken()));
  const Harmonics ball = Check(HyperBall(*edges, HashesOf(hosts), kRegisters, kThreads, StopToken()));
  for (uint32_t host = 0; host < hosts; ++host) {
    std::printf("%u %.15g %.15g %.15g\n", host, ranks.rank[host], exact.value[host], ball.value[host]);
  }
}

void Run(uint32_t hosts, const std::string& folder) {
  const bool is_target_size = hosts >= 10'000'000;
  const Cost small_rank = RankCost(folder, hosts / 10), small_ball = BallCost(folder, hosts / 10);
  Compare("PageRank", small_rank, RankCost(folder, hosts), is_target_size);
  Compare("HyperBall", small_ball, BallCost(folder, hosts), is_target_size);
  MeasureJob(folder, hosts / 10);
}

}  // namespace
}  // namespace trawl

int main(int argc, char** argv) {
  const std::string file = trawl::TextOption(argc, argv, "--edges");
  if (!file.empty()) {
    trawl::PrintRanks(file);
    return 0;
  }
  const trawl::TemporaryFolder folder;
  const int hosts = argc > 1 ? std::atoi(argv[1]) : 1'000'000;
  trawl::Run(static_cast<uint32_t>(hosts), argc > 2 ? argv[2] : folder.path());
  return 0;
}
