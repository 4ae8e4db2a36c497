// Measures applying a round, and how little its cost depends on the size of the crawldb.
//
// A round has 100,000 pages with 20 links each, 60 % of them to known URLs, a fifth of those unfetched. It is spread
// out over all hosts of a crawldb, or lies on 100 hosts alone; it is applied to 1 M and to 20 M urls, in a base and
// three newer runs. The rounds differ only in where their keys lie: they have as many distinct targets, each linked as
// often.
//
//   updatedb_bench [FOLDER [LARGE_MILLIONS]]    tables and segments are made there (some 4 GB), and removed
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "formats/rows/times.h"
#include "formats/url/key.h"
#include "runtime/root/layout.h"
#include "tests/bench/bench_main.h"
#include "tests/support/crawl/segment_fixture.h"
#include "tests/support/store/temporary_folder.h"
#include "tests/support/values/mix.h"

namespace trawl {
namespace {

constexpr int64_t kPagesAHost = 1000;
constexpr int64_t kPages = 100'000;
constexpr int64_t kLinksAPage = 20;
constexpr int64_t kKnownTargets = 500'000;  // of 1.2 M links
constexpr int64_t kNewTargets = 400'000;    // of 0.8 M links
// No link of the round makes a known page nearer: in a crawl that goes from page to page few links do.
constexpr int32_t kDepth = 3;
constexpr int64_t kNow = 1'790'000'000'000;
constexpr int kThreads = 2;

double Seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// CPU time of the whole process, all threads: better than wall time where others use the machine, too.
double CpuSeconds() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// A crawldb's hosts in the order of the table, and its pages by number.
class Hosts {
 public:
  explicit Hosts(int64_t count) {
    std::vector<std::pair<uint32_t, std::string>> parts;
    for (int64_t i = 0; i < count; ++i) {
      std::string part = "com,site" + std::to_string(i) + (i % 3 == 0 ? "" : ",www");
      const uint32_t slot = SlotOfKey(part);
      parts.emplace_back(slot, std::move(part));
    }
    std::sort(parts.begin(), parts.end());
    for (auto& [slot, part] : parts) {
      slots_.push_back(slot);
      parts_.push_back(std::move(part));
    }
  }
  int64_t count() const { return static_cast<int64_t>(parts_.size()); }
  int64_t pages() const { return count() * kPagesAHost; }
  uint32_t slot(int64_t host) const { return slots_[static_cast<size_t>(host)]; }
  const std::string& part(int64_t host) const { return parts_[static_cast<size_t>(host)]; }
  // An `extra` other than 0 gives a page that is in no crawldb.
  std::string Key(int64_t page, int extra = 0) const {
    char path[64];
    const int64_t number = page % kPagesAHost;
    std::snprintf(path, sizeof path,
                  extra == 0 ? ")/section/%02d/article-%06d.html" : ")/section/%02d/article-%06d-%d.html",
                  static_cast<int>(number / 10), static_cast<int>(number * 37), extra);
    return part(page / kPagesAHost) + path;
  }

 private:
  std::vector<uint32_t> slots_;
  std::vector<std::string> parts_;
};

// Seven of ten pages are fetched.
bool IsFetched(int64_t page) { return Mix(static_cast<uint64_t>(page)) % 10 < 7; }

UrlRow RowOf(const Hosts& hosts, int64_t page) {
  const uint64_t random = Mix(static_cast<uint64_t>(page));
  const bool fetched = IsFetched(page);
  UrlRow row;
  row.key = hosts.Key(page);
  row.state = fetched ? UrlState::kFetched : UrlState::kUnfetched;
  row.discovered_ms = kNow - static_cast<int64_t>(random % 10'000'000'000);
  row.due_ms = fetched ? kNow + static_cast<int64_t>(random % 5'000'000'000) : row.discovered_ms;
  row.via = row.key.substr(0, row.key.size() - 20);
  row.depth = kDepth;
  row.score = static_cast<int32_t>((random >> 13) % kScoreOne);
  row.inlinks = static_cast<int32_t>((random >> 17) % 50);
  // One in ten was found in a spelling that differs from its key.
  if (random % 11 == 0)
    row.spelling = "https://" + HostOfKey(row.key) + "/" + row.key.substr(row.key.find('/') + 1) + "?utm_source=x";
  if (!fetched) return row;
  row.outcome = Outcome::kFetched;
  row.interval_ms = kDayMs * static_cast<int64_t>(1 + random % 30);
  row.fetched_ms = row.changed_ms = row.discovered_ms + kDayMs;
  row.status = 200;
  row.fetches = 1 + static_cast<int32_t>(random >> 19) % 9;
  row.response_ms = static_cast<int32_t>((random >> 23) % 900);
  row.content_type = "text/html";
  row.bytes = 5000 + static_cast<int64_t>(random % 90'000);
  row.parser = kParserVersion;
  row.body_segment = "20261118T125139Z-7b1d3f02";
  row.body_file = "m3-0-1.orc";
  row.body_row = static_cast<int64_t>(random % 100'000);
  for (uint64_t word = 0; word < 4; ++word) {
    const uint64_t piece = Mix(random + word);
    row.body_digest.append(reinterpret_cast<const char*>(&piece), sizeof piece);
    row.content_digest.append(reinterpret_cast<const char*>(&piece), sizeof piece);
  }
  if (random % 5 == 0) row.etag = "\"" + std::to_string(random) + "\"";
  return row;
}

// Writes every `step`th page, from the `offset`th on, as one run, several files at once.
void WriteUrls(SegmentFixture* crawl, const Hosts& hosts, const std::string& run, int64_t step, int64_t offset) {
  RunRecord record = {.table = UrlRow::kTable, .schema = UrlRow::kVersion, .job = run};
  std::vector<std::vector<FileReceipt>> files(kThreads);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      RunWriter<UrlRow> writer(crawl->store(), RunFolder(UrlRow::kTable, run), "r" + std::to_string(t) + "-0", {});
      const int64_t begin = hosts.count() * t / kThreads * kPagesAHost;
      const int64_t end = hosts.count() * (t + 1) / kThreads * kPagesAHost;
      for (int64_t page = begin; page < end; ++page) {
        if (page % step == offset) Check(writer.Append(RowOf(hosts, page)));
      }
      files[static_cast<size_t>(t)] = Check(writer.Finish());
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (auto& part : files) record.files.insert(record.files.end(), part.begin(), part.end());
  const RunReference reference = Check(WriteRunRecord(crawl->store(), run, record));
  Check(crawl->Publish("bench", [&](Manifest* next) { next->tables[UrlRow::kTable].push_back(reference); }));
}

void WriteTables(SegmentFixture* crawl, const Hosts& hosts) {
  const double begin = Seconds();
  WriteUrls(crawl, hosts, "base", 1, 0);
  for (int i = 1; i <= 3; ++i) WriteUrls(crawl, hosts, "delta" + std::to_string(i), 50, i);
  std::vector<HostRow> rows;
  for (int64_t host = 0; host < hosts.count(); ++host) {
    HostRow row;
    row.key = hosts.part(host);
    row.fetched = row.pages = 700;
    row.discovered = 1000;
    row.answered_ms = kNow - kDayMs;
    rows.push_back(std::move(row));
  }
  Check(crawl->Put<HostRow>(std::move(rows)));
  // Every job leaves them to the next one.
  Totals totals;
  for (int64_t page = 0; page < hosts.pages(); ++page) {
    ++totals.states[IsFetched(page) ? "fetched" : "unfetched"];
    totals.bodies += IsFetched(page) ? 1 : 0;
  }
  Check(crawl->Publish("bench", [&](Manifest* next) { next->totals = totals; }));
  std::printf("%.0f M urls: tables made in: %.1f s\n", static_cast<double>(hosts.pages()) / 1e6, Seconds() - begin);
}

// Says which hosts a round visits, and to which pages it links.
struct Round {
  const Hosts* hosts;
  int64_t visited;  // hosts; the others are not touched at all

  // Returns the i-th of `count` pages that lie evenly over the visited hosts.
  int64_t PageAt(int64_t i, int64_t count) const {
    const int64_t nth = i * (visited * kPagesAHost / count);
    const int64_t host = nth / kPagesAHost * (hosts->count() / visited);
    return host * kPagesAHost + nth % kPagesAHost;
  }
  int64_t KnownTarget(uint64_t random) const {
    const int64_t count = std::min(kKnownTargets, visited * kPagesAHost);
    // A fifth of the linked pages is unfetched.
    const bool fetched = random % 5 != 0;
    for (uint64_t i = random / 5;; ++i) {
      const int64_t page = PageAt(static_cast<int64_t>(i % static_cast<uint64_t>(count)), count);
      if (IsFetched(page) == fetched) return page;
    }
  }
  std::string NewTarget(uint64_t random) const {
    const int64_t count = visited * kPagesAHost;
    const auto i = static_cast<int64_t>(random % kNewTargets);
    return hosts->Key(PageAt(i % count, std::min(count, kNewTargets)), 1 + static_cast<int>(i / count));
  }
};

template <typename Row>
class DatasetWriter {
 public:
  DatasetWriter(SegmentFixture* crawl, const std::string& segment, const std::string& dataset)
      : dataset_(dataset), writer_(crawl->store(), DatasetFolder(segment, dataset), "m0-0", {.sorted = false}) {}
  void Append(const Row& row) { Check(writer_.Append(row)); }
  void Finish(StepRecord* record) {
    record->schemas[dataset_] = Row::kVersion;
    record->tasks[0].files[dataset_] = Check(writer_.Finish());
  }

 private:
  std::string dataset_;
  RunWriter<Row> writer_;
};

void WriteSegment(SegmentFixture* crawl, const std::string& segment, const Round& round) {
  DatasetWriter<FetchRow> fetches(crawl, segment, "fetch");
  DatasetWriter<ParseRow> parses(crawl, segment, "parse");
  DatasetWriter<LinkRow> links(crawl, segment, "links");
  DatasetWriter<HostRow> hosts(crawl, segment, "hosts");
  const Hosts& all = *round.hosts;
  std::string last_host;
  uint64_t random = 1;
  for (int64_t i = 0; i < kPages; ++i) {
    const int64_t page = round.PageAt(i, kPages);
    const UrlRow listed = RowOf(all, page);
    FetchRow fetch = FetchOf(listed, Outcome::kFetched, 200, kNow - 1000);
    fetch.url = Check(UrlOfKey(listed.key));
    fetch.body_digest = std::string(32, static_cast<char>(i % 251));
    fetch.content_file = "m0-0-0.orc";
    fetch.response_headers = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
    fetches.Append(fetch);
    ParseRow parse;
    parse.key = listed.key;
    parse.fetched_ms = fetch.fetched_ms;
    parse.content_digest = fetch.body_digest;
    parse.links = kLinksAPage;
    parses.Append(parse);
    for (int64_t n = 0; n < kLinksAPage; ++n) {
      random = Mix(random);
      const bool known = n % 5 < 3;
      LinkRow link = LinkOf(listed.key, known ? all.Key(round.KnownTarget(random)) : round.NewTarget(random),
                            listed.depth + 1, !IsFetched(page));
      link.text = "Some words of an anchor";
      links.Append(link);
    }
    if (std::string host(HostPartOfKey(listed.key)); host != last_host) {
      HostRow row;
      row.key = last_host = host;
      row.answered_ms = kNow - 1000;
      hosts.Append(row);
    }
  }
  StepRecord fetch = {.segment = segment, .step = kFetchStep, .job = "fetch", .tasks = {StepTask()}};
  fetches.Finish(&fetch);
  hosts.Finish(&fetch);
  Check(crawl->CreateRecord(fetch));
  StepRecord parse = {.segment = segment, .step = kParseStep, .job = "parse", .tasks = {StepTask()}};
  parses.Finish(&parse);
  links.Finish(&parse);
  Check(crawl->CreateRecord(parse));
}

// Returns the best of several times; the tables are restored in between.
double Measure(SegmentFixture* crawl, const Hosts& hosts, const char* name, int64_t visited) {
  constexpr int kTimes = 3;
  const Manifest before = crawl->Present();
  double best = 1e9;
  double best_passed = 1e9;
  WriteSegment(crawl, name, {&hosts, visited});
  Check(crawl->Open(name));
  const Manifest opened = crawl->Present();
  for (int time = 0; time < kTimes; ++time) {
    const double begin = CpuSeconds();
    const double began = Seconds();
    const JobResult result = Check(crawl->Apply(name, {}, 0));
    best = std::min(best, CpuSeconds() - begin);
    best_passed = std::min(best_passed, Seconds() - began);
    if (time == 0) {
      for (const auto& [counter, count] : result.output.counters.counts())
        std::printf("  %s: %ld\n", counter.c_str(), static_cast<long>(count));
    }
    for (const auto& [table, run] : result.output.runs) Check(crawl->store()->RemoveFolder(RunFolder(table, run.run)));
    Check(crawl->Publish("back", [&](Manifest* next) {
      next->tables = opened.tables;
      next->open_segments = opened.open_segments;
      next->closed_segments.clear();
    }));
  }
  Check(crawl->Publish("back", [&](Manifest* next) { next->open_segments.clear(); }));
  const double millions = static_cast<double>(hosts.pages()) / 1e6;
  std::printf("%s into %.0f M urls: %.2f CPU s\n", name, millions, best);
  std::printf("%s into %.0f M urls, passed: %.2f s\n", name, millions, best_passed);
  std::fflush(stdout);
  return best;
}

struct Times {
  double spread;
  double few;
};

Times MeasureInto(const std::string& parent, int64_t millions) {
  const TemporaryFolder folder(parent);
  SegmentFixture crawl(folder.path());
  crawl.now_ms = kNow;
  crawl.threads = kThreads;
  const Hosts hosts(millions * 1'000'000 / kPagesAHost);
  WriteTables(&crawl, hosts);
  return {Measure(&crawl, hosts, "spread-out", hosts.count()), Measure(&crawl, hosts, "100-hosts", 100)};
}

int Run(const std::string& parent, int64_t large) {
  (void)nice(10);
  const Times small_times = MeasureInto(parent, 1);
  const Times large_times = MeasureInto(parent, large);
  std::printf("ratio updatedb of a spread-out round into a %ld times larger crawldb: %.2f (target <= 1.5)\n",
              static_cast<long>(large), large_times.spread / small_times.spread);
  std::printf("ratio updatedb of a round on 100 hosts into a %ld times larger crawldb: %.2f (target <= 1.1)\n",
              static_cast<long>(large), large_times.few / small_times.few);
  return 0;
}

}  // namespace
}  // namespace trawl

int main(int argc, char** argv) { return trawl::Run(argc > 1 ? argv[1] : "", argc > 2 ? std::atol(argv[2]) : 20); }
