// Measures reading from a large crawldb: the binary's `readdb stats` and `readdb get`, wall time including the start of
// the process, on files that lie in the page cache.
//
// Usage: readdb_bench TRAWL [FOLDER [ROWS…]]. By default crawls of 1, 5 and 20 million URLs, the last of which takes 8
// GB in FOLDER; each has a base and two small runs.
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "formats/rows/url_row.h"
#include "formats/url/key.h"
#include "runtime/root/snapshot.h"
#include "runtime/tables/run_writer.h"
#include "tests/bench/bench_main.h"
#include "tests/support/crawl/crawled_rows.h"
#include "tests/support/store/temporary_folder.h"

namespace trawl {
namespace {

constexpr int kTimes = 9;
constexpr size_t kWriters = 2;

void WriteRun(Store* store, const std::vector<std::string>& hosts, const std::string& run, int64_t step) {
  RunRecord record = {.table = UrlRow::kTable, .schema = UrlRow::kVersion, .job = run};
  std::vector<std::vector<FileReceipt>> files(kWriters);
  std::vector<std::jthread> threads;
  for (size_t i = 0; i < kWriters; ++i) {
    threads.emplace_back([&, i] {
      const size_t begin = hosts.size() * i / kWriters;
      const size_t end = hosts.size() * (i + 1) / kWriters;
      RunWriter<UrlRow> writer(store, RunFolder(UrlRow::kTable, run), "m" + std::to_string(i) + "-0", {});
      CrawledRows rows({hosts.data() + begin, end - begin}, step);
      UrlRow row;
      while (rows.Next(&row)) Check(writer.Append(row));
      files[i] = Check(writer.Finish());
    });
  }
  threads.clear();
  for (const auto& part : files) record.files.insert(record.files.end(), part.begin(), part.end());
  Manifest next = NextManifest(Check(ReadPresent(store)), run, "bench", 0);
  next.tables[UrlRow::kTable].push_back(Check(WriteRunRecord(store, run, record)));
  Check(PublishSnapshot(store, next));
}

// Returns the seconds until the process has ended; its output is dropped.
double SecondsOf(const std::string& trawl, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), trawl);
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  const auto begin = std::chrono::steady_clock::now();
  pid_t child = 0;
  int status = -1;
  if (posix_spawn(&child, argv[0], &actions, nullptr, argv.data(), environ) == 0) waitpid(child, &status, 0);
  if (status != 0) {
    std::fprintf(stderr, "readdb_bench: %s %s failed\n", trawl.c_str(), arguments[2].c_str());
    std::exit(1);
  }
  posix_spawn_file_actions_destroy(&actions);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// Prints the median of several times, and the longest.
void PrintTimes(const std::string& name, std::vector<double> seconds, double target_ms) {
  std::sort(seconds.begin(), seconds.end());
  std::printf("%s: %.0f ms\n", name.c_str(), seconds[seconds.size() / 2] * 1e3);
  std::printf("%s, longest of %zu: %.0f ms\n", name.c_str(), seconds.size(), seconds.back() * 1e3);
  if (target_ms > 0) {
    std::printf("ratio %s, to %.0f ms: %.2f (target <= 1)\n", name.c_str(), target_ms,
                seconds[seconds.size() / 2] * 1e3 / target_ms);
  }
}

void Run(const std::string& trawl, const std::string& parent, int64_t rows) {
  const TemporaryFolder folder(parent);
  const std::string root = folder.path() + "/crawl";
  const auto store = Check(OpenStore(root, {.sync = false}));
  const std::vector<std::string> hosts = HostPartsInOrder(rows / CrawledRows::kPagesAHost);
  Manifest constants;
  constants.normal_form = "standard";
  constants.unicode = "17.0";
  Check(CreateCrawl(store.get(), constants));
  WriteRun(store.get(), hosts, "base", 1);
  WriteRun(store.get(), hosts, "small0", 97);
  WriteRun(store.get(), hosts, "small1", 1009);

  const std::string size = std::to_string(rows / 1'000'000) + " M URLs";
  std::vector<double> gets;
  UrlRow row;
  CrawledRows some(hosts, static_cast<int64_t>(hosts.size()) * CrawledRows::kPagesAHost / kTimes);
  while (some.Next(&row)) gets.push_back(SecondsOf(trawl, {"readdb", "get", Check(UrlOfKey(row.key)), "--root", root}));
  PrintTimes("readdb get, " + size, gets, 200);
  std::vector<double> stats;
  for (int time = 0; time < 5; ++time) stats.push_back(SecondsOf(trawl, {"readdb", "stats", "--root", root}));
  PrintTimes("readdb stats, " + size, stats, rows == 5'000'000 ? 2000 : 0);
}

}  // namespace
}  // namespace trawl

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: readdb_bench TRAWL [FOLDER [ROWS...]]\n");
    return 2;
  }
  std::vector<int64_t> sizes;
  for (int i = 3; i < argc; ++i) sizes.push_back(std::atoll(argv[i]));
  if (sizes.empty()) sizes = {1'000'000, 5'000'000, 20'000'000};
  for (const int64_t rows : sizes) trawl::Run(argv[1], argc > 2 ? argv[2] : "", rows);
  return 0;
}
