// Compares HttpClient with a bare libcurl loop that makes the same requests with the same options, and hashes (SHA-256)
// and compresses (zstd 1) the same bodies. Both sides run in turns in this process; the server is another process, so
// that only a client's CPU is counted.
//
//   fetch_bench [--pages N] [--hosts N] [--rounds N] [--under_way N] [--only http|https|many]
#include <curl/curl.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "runtime/http/http.h"
#include "tests/bench/bare_fetch.h"
#include "tests/bench/bench_main.h"
#include "tests/support/process/own_memory.h"

namespace trawl {
namespace {

// -- ours -------------------------------------------------------------------------------------------------------------

int RunOurs(const BenchPlan& plan, const BenchPlace& place) {
  HttpClientOptions options;
  options.allow_private = true;
  options.ca_file = place.ca_file;
  options.dns.hosts_file.clear();
  options.dns.fixed = place.hosts;
  options.headers.insert(options.headers.begin(), {"User-Agent", "bench/1 (+https://bench.test/)"});
  auto made = HttpClient::Make(options, SystemClock());
  if (!made.ok()) Die(made.status().ToString());
  HttpClient& client = **made;
  Work work(plan);
  Compressor compressor;
  int failed = 0;
  const auto submit = [&](int host) {
    int page = work.NextPage(host);
    if (page < 0) {
      host = work.NextHost();
      if (host < 0) return;
      page = work.NextPage(host);
    }
    HttpRequest request;
    request.id = static_cast<uint64_t>(host);
    request.url = work.Url(host, page);
    request.reuse_idle_ms = 4'000;
    request.keep_connection = !work.IsLast(page);
    client.Submit(std::move(request));
  };
  for (int i = 0; i < plan.under_way; ++i) {
    const int host = work.NextHost();
    if (host >= 0) submit(host);
  }
  std::vector<HttpAnswer> answers;
  while (client.under_way() > 0) {
    answers.clear();
    client.Poll(1'000, &answers);
    for (const HttpAnswer& answer : answers) {
      if (answer.status != 200 || answer.body.size() != kPageBytes) ++failed;
      compressor.Compress(answer.body);  // it is already hashed
      submit(static_cast<int>(answer.id));
    }
  }
  return failed;
}

// -- comparing --------------------------------------------------------------------------------------------------------

void Keep(Cost& best, const Cost& cost) {
  best.cpu_s = std::min(best.cpu_s, cost.cpu_s);
  best.wall_s = std::min(best.wall_s, cost.wall_s);
  best.failed = std::max(best.failed, cost.failed);
}

void Compare(const char* name, const BenchPlan& plan, int rounds) {
  const ServerProcess server(plan.hosts, plan.https);
  Cost ours, bare;
  for (int round = 0; round < rounds; ++round) {
    Keep(ours, Measure([&] { return RunOurs(plan, server.place); }));
    Keep(bare, Measure([&] { return BareLoop(plan, server.place).Run(); }));
  }
  const double ours_rate = plan.pages() / ours.cpu_s, bare_rate = plan.pages() / bare.cpu_s;
  std::printf("%s pages: %d of %d hosts, %d under way\n", name, plan.pages(), plan.hosts, plan.under_way);
  std::printf("%s client: %.0f pages per CPU second, %.0f pages/s, %d failed\n", name, ours_rate,
              plan.pages() / ours.wall_s, ours.failed);
  std::printf("%s bare loop: %.0f pages per CPU second, %.0f pages/s, %d failed\n", name, bare_rate,
              plan.pages() / bare.wall_s, bare.failed);
  std::printf("ratio fetch %s: %.2f (target >= 0.75)\n", name, ours_rate / bare_rate);
  std::fflush(stdout);
}

int Main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  curl_global_init(CURL_GLOBAL_ALL);
  const std::string only = TextOption(argc, argv, "--only");
  const int rounds = NumberOption(argc, argv, "--rounds", 3);
  BenchPlan plan;
  plan.hosts = NumberOption(argc, argv, "--hosts", plan.hosts);
  plan.pages_a_host = std::max(NumberOption(argc, argv, "--pages", 20'000) / plan.hosts, 1);
  plan.under_way = NumberOption(argc, argv, "--under_way", plan.under_way);
  if (only.empty() || only == "http") Compare("http", plan, rounds);
  plan.https = true;
  if (only.empty() || only == "https") Compare("https", plan, rounds);
  const BenchPlan many = {.hosts = 10'000, .pages_a_host = 2, .under_way = plan.under_way, .https = false};
  if (only.empty() || only == "many") Compare("http 10,000 hosts", many, 1);
  std::printf("peak memory: %lld MiB\n", static_cast<long long>(PeakResidentBytes() >> 20));
  return 0;
}

}  // namespace
}  // namespace trawl

int main(int argc, char** argv) { return trawl::Main(argc, argv); }
