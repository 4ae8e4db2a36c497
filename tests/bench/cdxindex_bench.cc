// Measures the indexes of an archive: capture rows in no order, shuffled into sorted CDXJ in blocks and into Parquet.
// The lines of all shards then go through sort -c.
//
//   cdxindex_bench [ROWS [FOLDER]]    the archive is made in FOLDER, or in one that is removed
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "formats/cdx/capture_row.h"
#include "formats/cdx/urlkey.h"
#include "jobs/cdxindex/indexes.h"
#include "jobs/verb/job_options.h"
#include "runtime/job/local_runner.h"
#include "runtime/tables/run_writer.h"
#include "tests/bench/bench_main.h"
#include "tests/support/crawl/segment_fixture.h"
#include "tests/support/process/manual_clock.h"
#include "tests/support/process/own_memory.h"
#include "tests/support/store/temporary_folder.h"
#include "tests/support/values/mix.h"

namespace trawl {
namespace {

constexpr int64_t kBeganMs = 1'790'000'000'000;
constexpr int64_t kRowsAPart = 250'000;
constexpr int64_t kHosts = 100'000;
constexpr int kThreads = 2;
constexpr char kName[] = "TRAWL-BENCH";

double Seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

double CpuSeconds() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// Characters of base32 that do not compress, as those of digests.
std::string Base32(uint64_t seed) {
  std::string text;
  for (int i = 0; i < 32; ++i) {
    if (i % 12 == 0) seed = Mix(seed);
    text += "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[seed >> (i % 12 * 5) & 31];
  }
  return text;
}

CaptureRow Capture(int64_t number) {
  const uint64_t random = Mix(static_cast<uint64_t>(number));
  const bool is_page = random % 8 != 0;
  char path[64];
  std::snprintf(path, sizeof path, "/section-%d/%s-%llu.html", static_cast<int>(random >> 8 & 31),
                is_page ? "article" : "moved", static_cast<unsigned long long>(random >> 40));
  CaptureRow row;
  row.url = "https://www.site" + std::to_string(random / 7 % kHosts) + ".example.com" + path;
  row.key = UrlKeyForIndex(row.url);
  row.began_ms = kBeganMs + number * 7;
  row.record_type = "response";
  row.record_id = "<urn:uuid:" + std::to_string(random) + ">";
  row.subset = is_page ? "warc" : "crawldiagnostics";
  row.segment = "20260921T120000Z-0cf50b1e";
  row.status = is_page ? 200 : 301;
  row.mime = "text/html";
  row.mime_detected = is_page ? "text/html" : "";
  row.digest = "sha1:" + Base32(random);
  row.charset = "UTF-8";
  row.languages = is_page ? "eng" : "";
  row.redirect = is_page ? "" : row.url + "?moved";
  row.title = "Article " + std::to_string(random >> 40);
  row.filename = "crawl-data/TRAWL-BENCH/segments/" + row.segment + "/" + row.subset +
                 "/TRAWL-BENCH-20260921120000-20260921130000-00000.warc.gz";
  row.offset = number % 50'000 * 19'000;
  row.length = static_cast<int64_t>(random >> 20 & 0x7FFF);
  return row;
}

arrow::Result<std::vector<ArchivePart>> WriteCaptures(Store* to, int64_t rows) {
  std::vector<ArchivePart> parts;
  const std::string name = kName;
  for (int64_t row = 0; row < rows;) {
    ArchivePart& part = parts.emplace_back();
    part.number = static_cast<int>(parts.size()) - 1;
    RowFileOptions unsorted;
    unsorted.sorted = false;
    RunWriter<CaptureRow> writer(to, ArchivePaths(name).Captures(), "part-" + std::to_string(part.number), unsorted);
    for (const int64_t end = std::min(rows, row + kRowsAPart); row < end; ++row) {
      ARROW_RETURN_NOT_OK(writer.Append(Capture(row)));
    }
    ARROW_ASSIGN_OR_RAISE(part.captures, writer.Finish());
  }
  return parts;
}

arrow::Status Measure(int64_t rows, const std::string& folder) {
  ARROW_ASSIGN_OR_RAISE(const auto to, OpenStore(folder));
  ARROW_ASSIGN_OR_RAISE(const auto parts, WriteCaptures(to.get(), rows));
  const SegmentFixture crawl;
  LocalRunner runner({.threads = kThreads, .temp_folder = folder});
  const ManualClock clock(kBeganMs);
  JobEnvironment environment;
  environment.store = crawl.store();
  environment.runner = &runner;
  environment.clock = &clock;
  environment.now_ms = kBeganMs;
  environment.options = JobOptionGroup().Print({});
  ArchiveBegin begin;
  begin.name = kName;
  begin.snapshot = -1;
  const ArchiveOptions options;

  StartPeak();
  const int64_t resident = ResidentBytes();
  const double began = Seconds(), began_cpu = CpuSeconds();
  ARROW_ASSIGN_OR_RAISE(const auto files, MakeIndexes(environment, {begin, options, folder, to.get(), parts}));
  const double wall = Seconds() - began, cpu = CpuSeconds() - began_cpu;
  int64_t lines = 0, line_bytes = 0, table_bytes = 0;
  for (const ArchiveFile& file : files) {
    const bool is_shard = file.path.ends_with(".gz") && file.path.starts_with(ArchivePaths(begin.name).Cdxj());
    lines += is_shard ? file.records : 0;
    line_bytes += is_shard ? file.size_bytes : 0;
    table_bytes += file.path.ends_with(".parquet") ? file.size_bytes : 0;
  }
  const auto each = static_cast<double>(rows);
  std::printf("capture rows: %lld rows\n", static_cast<long long>(rows));
  std::printf("indexes made in: %.1f s\n", wall);
  std::printf("CPU time: %.1f s\n", cpu);
  std::printf("rows per CPU second: %.0f\n", each / cpu);
  std::printf("CDXJ, compressed: %.1f bytes a line\n", static_cast<double>(line_bytes) / each);
  std::printf("Parquet: %.1f bytes a row\n", static_cast<double>(table_bytes) / each);
  std::printf("memory, at most: %.0f MiB (%.0f MiB before; the shuffle may have 1,024)\n",
              static_cast<double>(PeakResidentBytes()) / (1 << 20), static_cast<double>(resident) / (1 << 20));
  if (lines != rows) return arrow::Status::Invalid(lines, " lines of ", rows, " rows");
  const std::string check =
      "gzip -dc '" + folder + "'/cc-index/collections/TRAWL-BENCH/indexes/cdx-*.gz | LC_ALL=C sort -c";
  const bool is_sorted = std::system(check.c_str()) == 0;
  std::printf("sort -c: %s\n", is_sorted ? "1 (all in order)" : "0");
  return is_sorted ? arrow::Status::OK() : arrow::Status::Invalid("the lines are not in order");
}

}  // namespace
}  // namespace trawl

int main(int argc, char** argv) {
  const int64_t rows = argc > 1 ? std::atoll(argv[1]) : 1'000'000;
  if (argc > 2) {
    trawl::Check(trawl::Measure(rows, argv[2]));
    return 0;
  }
  const trawl::TemporaryFolder folder;
  trawl::Check(trawl::Measure(rows, folder.path()));
}
