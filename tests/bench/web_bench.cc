// Measures every page of trawl serve on a large crawl: the time until the whole page is there, over HTTP on loopback, once the
// server has counted the snapshot.
//
// Usage: web_bench TRAWL [FOLDER [URLS [HOSTS]]]. By default 5 million URLs of 100,000 hosts, which take 2 GB in FOLDER, and 30
// rounds with documents of the largest size.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "formats/answers/target.h"
#include "formats/rows/host_row.h"
#include "formats/rows/url_row.h"
#include "formats/url/key.h"
#include "jobs/stats/round.h"
#include "runtime/root/snapshot.h"
#include "runtime/tables/run_writer.h"
#include "runtime/terminal/timestamp.h"
#include "tests/bench/bench_main.h"
#include "tests/support/crawl/crawled_rows.h"
#include "tests/support/process/run_binary.h"
#include "tests/support/store/temporary_folder.h"
#include "tests/support/web/raw_client.h"

namespace trawl {
namespace {

constexpr int kTimes = 7;
constexpr int kRounds = 30;
constexpr TimeMs kNow = 1'800'000'000'000;

RunRecord RecordOf(const std::string& table, uint8_t version, const std::string& run) {
  return {.table = table, .schema = version, .job = run};
}

void Publish(Store* store, const std::string& run, const RunRecord& record) {
  Manifest next = NextManifest(Check(ReadPresent(store)), run, "bench", 0);
  next.tables[record.table].push_back(Check(WriteRunRecord(store, run, record)));
  Check(PublishSnapshot(store, next));
}

void WriteUrls(Store* store, const std::vector<std::string>& hosts, const std::string& run, int64_t step) {
  RunRecord record = RecordOf(UrlRow::kTable, UrlRow::kVersion, run);
  RunWriter<UrlRow> writer(store, RunFolder(UrlRow::kTable, run), "m0-0", {});
  CrawledRows rows({hosts.data(), hosts.size()}, step);
  UrlRow row;
  while (rows.Next(&row)) Check(writer.Append(row));
  record.files = Check(writer.Finish());
  Publish(store, run, record);
}

void WriteHosts(Store* store, const std::vector<std::string>& hosts) {
  RunRecord record = RecordOf(HostRow::kTable, HostRow::kVersion, "hosts");
  RunWriter<HostRow> writer(store, RunFolder(HostRow::kTable, "hosts"), "m0-0", {});
  HostRow row;
  for (size_t i = 0; i < hosts.size(); ++i) {
    row = {};
    row.key = hosts[i];
    row.answered_ms = kNow - static_cast<int64_t>(i) * 1000;
    row.response_ms = static_cast<int32_t>(i % 4000);
    row.delay_ms = 1000;
    row.pages = static_cast<int64_t>(i % 900);
    row.fetched = row.pages;
    row.discovered = row.pages * 3;
    row.bytes = row.pages * 20'000;
    row.failures_in_a_row = static_cast<int32_t>(i % 7);
    if (i % 50 == 0) row.not_before_ms = kNow + 3'600'000;
    Check(writer.Append(row));
  }
  record.files = Check(writer.Finish());
  Publish(store, "hosts", record);
}

Json LargestRound(int number) {
  Json lists = Json::array(), minutes = Json::array();
  for (int i = 0; i < 1000; ++i)
    lists.push_back({{"list", i}, {"urls", 5000}, {"hosts", 100}, {"ran_ms", 900'000 + i * 13 % 977}});
  for (int i = 0; i < 1440; ++i) minutes.push_back({kNow - i * 60'000, 3000 + i % 31, 60'000'000, 3100, i % 17});
  const std::string at = FormatTimestamp(kNow - int64_t{number} * 86'400'000);
  return {{"format", 6},
          {"kind", "round"},
          {"segment", "20260101T000000Z-0000" + std::to_string(1000 + number)},
          {"snapshot", number},
          {"applied", at},
          {"steps", {{"fetch", {{"job", "j"}, {"began", at}, {"seconds", 80'000.0}}}}},
          {"lists", lists},
          {"fetch",
           {{"pages", 4'000'000},
            {"fetched", 5'000'000},
            {"success_rate", 0.9},
            {"bytes", 80'000'000'000},
            {"outcomes", {{"fetched", 4'000'000}}},
            {"statuses", {{"200", 4'000'000}}}}},
          {"minutes", {{"step_ms", 60'000}, {"rows", minutes}}},
          {"urls_new", 100'000}};
}

void WriteRounds(Store* store) {
  Manifest next = NextManifest(Check(ReadPresent(store)), "rounds", "bench", 0);
  for (int i = kRounds; i > 0; --i) {
    const Json round = LargestRound(i);
    const std::string job = "updatedb-" + std::to_string(i);
    ClosedSegment segment = {
        .id = round["segment"].get<std::string>(), .end = SegmentEnd::kApplied, .job = job, .lists = "lists"};
    segment.snapshot = next.number;
    segment.updatedb = job;
    segment.round = Check(StoreRound(store, job, round));
    next.closed_segments.push_back(std::move(segment));
  }
  Check(PublishSnapshot(store, next));
}

// The median of some times until the whole answer is there.
void Measure(int port, const std::string& name, const std::string& target) {
  std::vector<double> ms;
  for (int i = 0; i < kTimes; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    RawClient client(port);
    const std::string answer =
        client.Ask("GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) + "\r\n\r\n");
    ms.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
    if (StatusOf(answer) == 200) continue;
    std::fprintf(stderr, "web_bench: %s: status %d\n", target.c_str(), StatusOf(answer));
    std::exit(1);
  }
  std::sort(ms.begin(), ms.end());
  std::printf("page %s: %.0f ms\n", name.c_str(), ms[ms.size() / 2]);
  std::printf("page %s, longest of %d: %.0f ms\n", name.c_str(), kTimes, ms.back());
  std::printf("ratio page %s, to 300 ms: %.2f (target <= 1)\n", name.c_str(), ms[ms.size() / 2] / 300);
  std::fflush(stdout);
}

// Where the server listens; benchmarks run alone.
constexpr int kPort = 28'765;

void Run(const std::string& trawl, const std::string& parent, int64_t rows, int64_t host_count) {
  const TemporaryFolder folder(parent);
  const std::string root = folder.path() + "/crawl";
  const auto store = Check(OpenStore(root, {.sync = false}));
  const std::vector<std::string> all = HostPartsInOrder(host_count);
  const std::vector<std::string> some(
      all.begin(), all.begin() + std::min<int64_t>(static_cast<int64_t>(all.size()), rows / CrawledRows::kPagesAHost));
  Manifest constants;
  constants.normal_form = "standard";
  constants.unicode = "17.0";
  Check(CreateCrawl(store.get(), constants));
  WriteUrls(store.get(), some, "base", 1);
  WriteUrls(store.get(), some, "small", 97);
  WriteHosts(store.get(), all);
  WriteRounds(store.get());

  BinaryProcess server({.program = trawl,
                        .arguments = {"serve", "--root", root, "--serve.listen", "127.0.0.1:" + std::to_string(kPort)},
                        .limit_ms = 600'000});
  if (!server.WaitFor("listening on ")) {
    std::fprintf(stderr, "web_bench: trawl serve did not start\n%s", server.Wait().err.c_str());
    std::exit(1);
  }
  UrlRow row;
  CrawledRows one(some, static_cast<int64_t>(some.size()) * CrawledRows::kPagesAHost / 3);
  one.Next(&row);
  one.Next(&row);
  const std::string url = Check(UrlOfKey(row.key)), host = HostOfKey(row.key);
  RawClient(kPort).Ask("GET / HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(kPort) +
                       "\r\n\r\n");  // waits for the counts
  Measure(kPort, "/", "/");
  Measure(kPort, "/rounds", "/rounds");
  Measure(kPort, "/rounds/SEGMENT", "/rounds/20260101T000000Z-00001001");
  Measure(kPort, "/hosts", "/hosts");
  Measure(kPort, "/hosts?prefix", "/hosts?prefix=" + PercentEncoded(host.substr(0, host.size() / 2)));
  Measure(kPort, "/hosts/HOST", "/hosts/" + PercentEncoded(host));
  Measure(kPort, "/url", "/url?url=" + PercentEncoded(url));
  Measure(kPort, "/url, unknown", "/url?url=" + PercentEncoded("https://elsewhere.example/new"));
  Measure(kPort, "/search by prefix", "/search?prefix=" + PercentEncoded("https://" + host + "/"));
  Measure(kPort, "/search by state", "/search?state=fetched");
  Measure(kPort, "/workers", "/workers");
  Measure(kPort, "/jobs", "/jobs");
  server.Signal(SIGTERM);
  server.Wait();
}

}  // namespace
}  // namespace trawl

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: web_bench TRAWL [FOLDER [URLS [HOSTS]]]\n");
    return 2;
  }
  trawl::Run(argv[1], argc > 2 ? argv[2] : "", argc > 3 ? std::atoll(argv[3]) : 5'000'000,
             argc > 4 ? std::atoll(argv[4]) : 100'000);
  return 0;
}
