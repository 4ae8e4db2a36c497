// Measures the API over a large crawldb: GET /status warm, and in the two seconds after a new snapshot; and one page of each
// list. Within this process, without a server.
//
// Usage: api_bench [FOLDER [ROWS]]. By default 5 million URLs, which take 2 GB in FOLDER.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "formats/rows/host_row.h"
#include "formats/rows/url_row.h"
#include "formats/url/key.h"
#include "jobs/api/api.h"
#include "jobs/verb/verb.h"
#include "runtime/root/snapshot.h"
#include "runtime/server/message.h"
#include "runtime/tables/run_writer.h"
#include "tests/bench/bench_main.h"
#include "tests/support/crawl/crawled_rows.h"
#include "tests/support/store/temporary_folder.h"

namespace trawl {
namespace {

constexpr TimeMs kNow = 1'790'000'000'000;

template <typename Row, typename Write>
void WriteRun(Store* store, const std::string& run, Write&& write) {
  RunRecord record = {.table = Row::kTable, .schema = Row::kVersion, .job = run};
  RunWriter<Row> writer(store, RunFolder(Row::kTable, run), "m0-0", {});
  write(writer);
  record.files = Check(writer.Finish());
  Manifest next = NextManifest(Check(ReadPresent(store)), run, "bench", kNow);
  next.tables[Row::kTable].push_back(Check(WriteRunRecord(store, run, record)));
  Check(PublishSnapshot(store, next));
}

void WriteUrls(Store* store, const std::vector<std::string>& hosts, const std::string& run, int64_t step) {
  WriteRun<UrlRow>(store, run, [&](RunWriter<UrlRow>& writer) {
    CrawledRows rows(hosts, step);
    UrlRow row;
    while (rows.Next(&row)) Check(writer.Append(row));
  });
}

// A host for every key, with numbers that differ.
void WriteHosts(Store* store, const std::vector<std::string>& hosts) {
  WriteRun<HostRow>(store, "hosts", [&](RunWriter<HostRow>& writer) {
    HostRow row;
    for (size_t i = 0; i < hosts.size(); ++i) {
      row.key = hosts[i];
      row.response_ms = static_cast<int32_t>(i * 7919 % 5000);
      row.pages = static_cast<int64_t>(i * 31 % 100'000);
      row.bytes = row.pages * 10'000;
      row.fetched = row.pages / 2;
      row.discovered = row.pages * 3;
      row.discovered_ms = kNow;
      row.failures_in_a_row = static_cast<int32_t>(i % 97 == 0);
      Check(writer.Append(row));
    }
  });
}

double MsOf(Api& api, const std::string& target) {
  ServerRequest request;
  request.method = "GET";
  request.target = target;
  const auto begin = std::chrono::steady_clock::now();
  const ServerAnswer answer = api.Answer(request, StopToken());
  const double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  if (answer.status != 200) {
    std::fprintf(stderr, "api_bench: %s answered %d: %s\n", target.c_str(), answer.status, answer.body.c_str());
    std::exit(1);
  }
  return ms;
}

void Print(const std::string& name, std::vector<double> ms, double target_ms) {
  std::sort(ms.begin(), ms.end());
  std::printf("%s: median %.1f ms, longest of %zu %.1f ms\n", name.c_str(), ms[ms.size() / 2], ms.size(), ms.back());
  if (target_ms > 0)
    std::printf("ratio %s, longest, to %.0f ms: %.2f (target <= 1)\n", name.c_str(), target_ms, ms.back() / target_ms);
}

void Run(const std::string& parent, int64_t rows) {
  const TemporaryFolder folder(parent);
  const auto store = Check(OpenStore(folder.path() + "/crawl", {.sync = false}));
  const std::vector<std::string> hosts = HostPartsInOrder(rows / CrawledRows::kPagesAHost);
  Manifest constants;
  constants.normal_form = "standard";
  constants.unicode = "17.0";
  Check(CreateCrawl(store.get(), constants));
  WriteUrls(store.get(), hosts, "base", 1);
  WriteUrls(store.get(), hosts, "small", 97);
  WriteHosts(store.get(), hosts);

  const EffectiveOptions options(ApiOptionGroups(), AllGroups(Verbs()));
  const auto api = Check(Api::Make({.store = store.get(),
                                    .options = &options,
                                    .clock = &SystemClock(),
                                    .name = "bench",
                                    .now_ms = kNow,
                                    .threads = 2}));
  std::printf("the first /status, which counts the crawl: %.0f ms\n", MsOf(*api, "/status"));
  std::vector<double> warm;
  for (int i = 0; i < 200; ++i) warm.push_back(MsOf(*api, "/status"));
  Print("/status, warm", warm, 50);
  WriteUrls(store.get(), hosts, "small2", 1009);
  std::vector<double> after;
  for (int i = 0; i < 100; ++i) {
    after.push_back(MsOf(*api, "/status"));
    std::this_thread::sleep_for(std::chrono::milliseconds(40));
  }
  Print("/status, in the 4 s after a new snapshot", after, 50);
  for (const char* target : {"/api/v1/urls", "/api/v1/domains", "/api/v1/domains?top=slowest", "/api/v1/pages",
                             "/api/v1/stats", "/api/v1/urls?state=gone", "/api/v1/domains?hold=blocked"}) {
    std::vector<double> ms;
    for (int i = 0; i < 5; ++i) ms.push_back(MsOf(*api, target));
    Print(target, ms, 0);
  }
  const std::string host = HostOfKey(hosts[hosts.size() / 2]);
  Print("one host", {MsOf(*api, "/api/v1/domains/" + host), MsOf(*api, "/api/v1/domains/" + host)}, 0);
}

}  // namespace
}  // namespace trawl

int main(int argc, char** argv) {
  trawl::Run(argc > 1 ? argv[1] : "/tmp", argc > 2 ? std::atoll(argv[2]) : 5'000'000);
  return 0;
}
