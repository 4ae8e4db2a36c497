// Measures names as a fetch uses them: the time of a lookup that the cache answers; how long requests wait for names
// that are looked up ahead, as jobs/fetch/asker.cc does; and how long for names that are not. The name server is
// dnsmasq, a process of its own; each of its answers is delayed like one from far away.
//
//   dns_bench [--hosts N] [--answer_ms N] [--under_way N]
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <deque>
#include <string>
#include <vector>

#include "runtime/http/http.h"
#include "runtime/net/dns.h"
#include "runtime/net/poller.h"
#include "tests/bench/bench_main.h"
#include "tests/bench/distant_name_server.h"
#include "tests/support/crawl/fetch_scene.h"
#include "tests/support/web/fetch_all.h"
#include "tests/support/web/name_server.h"
#include "tests/support/web/test_web.h"

namespace trawl {
namespace {

using SteadyClock = std::chrono::steady_clock;

double MillisecondsSince(SteadyClock::time_point start) {
  return std::chrono::duration<double, std::milli>(SteadyClock::now() - start).count();
}

double Quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  return values[static_cast<size_t>(share * static_cast<double>(values.size() - 1))];
}

std::string NameOf(int host) { return "h" + std::to_string(host) + ".bench.test"; }

// -- lookups that the cache answers -----------------------------------------------------------------------------------

void MeasureCache(const std::string& server, int hosts) {
  const std::unique_ptr<Poller> poller = Check(Poller::Make());
  DnsOptions options;
  options.servers = server;
  const std::unique_ptr<DnsClient> client = Check(DnsClient::Make(options, SystemClock(), *poller, 0));
  int answered = 0, failed = 0;
  const auto count = [&](const DnsAnswer& answer) {
    ++answered;
    if (answer.addresses.empty()) ++failed;
  };
  auto start = SteadyClock::now();
  for (int host = 0; host < hosts; ++host) client->Lookup(NameOf(host), count);
  std::vector<Poller::Event> events;
  while (answered < hosts) {
    poller->Wait(DnsClient::kTickMs, &events);
    for (const Poller::Event& event : events) client->OnSocket(event.fd, event.readable, event.writable);
    client->OnTick();
  }
  std::printf("names of dnsmasq: %.0f names/s, %d of %d failed\n", hosts / MillisecondsSince(start) * 1000, failed,
              hosts);

  constexpr int kLookups = 500'000;
  std::vector<double> waits_us;
  waits_us.reserve(kLookups);
  for (int i = 0; i < kLookups; ++i) {
    const std::string name = NameOf(static_cast<int>(int64_t{i} * 7919 % hosts));
    start = SteadyClock::now();
    client->Lookup(name, count);
    waits_us.push_back(MillisecondsSince(start) * 1000);
  }
  if (client->counters().asked != hosts) Check(arrow::Status::Invalid("the cache did not answer"));
  const double late_us = Quantile(waits_us, 0.999);
  std::printf("cached lookup: %.2f us median, %.2f us in 99.9 %%\n", Quantile(waits_us, 0.5), late_us);
  std::printf("ratio cached lookup, of 1 ms: %.4f (target <= 1.0)\n", late_us / 1000);
}

// -- requests that wait for names -------------------------------------------------------------------------------------

struct Waits {
  std::vector<double> names_ms;  // of each request
  double wall_ms = 0;
  int failed = 0;
};

// Fetches one page of each host, `under_way` at once. With `ahead`, the next hosts are looked up first, while other
// hosts have the places of requests.
Waits FetchOnePageEach(const HttpClientOptions& options, const std::string& port, int hosts, size_t under_way,
                       bool ahead) {
  constexpr int kMostResolving = 512;  // as in jobs/fetch/task.cc
  const std::unique_ptr<HttpClient> client = Check(HttpClient::Make(options, SystemClock()));
  Waits waits;
  int next = 0, resolving = 0;
  std::deque<int> ready;
  std::vector<HttpAnswer> answers;
  const auto start = SteadyClock::now();
  while (waits.names_ms.size() < static_cast<size_t>(hosts)) {
    while (ahead && next < hosts && resolving < kMostResolving) {
      const int host = next++;
      ++resolving;
      client->Resolve(NameOf(host), [&ready, &resolving, host](const DnsAnswer&) {
        --resolving;
        ready.push_back(host);
      });
    }
    for (; !ahead && next < hosts && ready.size() < under_way; ++next) ready.push_back(next);
    for (; !ready.empty() && client->under_way() < under_way; ready.pop_front()) {
      HttpRequest request;
      request.id = static_cast<uint64_t>(ready.front());
      request.url = "http://" + NameOf(ready.front()) + port + "/";
      client->Submit(std::move(request));
    }
    answers.clear();
    client->Poll(50, &answers);
    for (const HttpAnswer& answer : answers) {
      waits.names_ms.push_back(static_cast<double>(answer.timings.dns_ms));
      if (answer.status != 200) ++waits.failed;
    }
  }
  waits.wall_ms = MillisecondsSince(start);
  return waits;
}

void Print(const char* name, const Waits& waits) {
  std::printf("requests' wait for %s: %.0f ms median, %.0f ms in 99 %%\n", name, Quantile(waits.names_ms, 0.5),
              Quantile(waits.names_ms, 0.99));
  std::printf("a page each with %s: %.0f pages/s, %d failed\n", name,
              static_cast<double>(waits.names_ms.size()) / waits.wall_ms * 1000, waits.failed);
}

// Runs the fetch job itself: a robots.txt and a page of each host.
double FetchJobMs(TestWeb& web, const std::string& port, int hosts, int under_way, const std::string& server) {
  FetchScene scene(web);
  scene.options.connections = under_way;
  if (!server.empty()) {
    scene.options.hosts_file = "/dev/null";
    scene.options.dns_servers = {server};
  }
  std::vector<std::string> urls;
  for (int host = 0; host < hosts; ++host) urls.push_back("http://" + NameOf(host) + port + "/");
  const OpenSegment segment = Check(scene.Open({{.urls = ListedUrls(urls)}}));
  const auto start = SteadyClock::now();
  const JobResult result = Check(scene.Fetch(segment));
  const double wall_ms = MillisecondsSince(start);
  if (result.output.counters.Get("pages") != hosts) Check(arrow::Status::Invalid("pages are missing"));
  return wall_ms;
}

int Main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  const int hosts = NumberOption(argc, argv, "--hosts", 2'000);
  const int answer_ms = NumberOption(argc, argv, "--answer_ms", 50);
  const int under_way = NumberOption(argc, argv, "--under_way", 20);
  TestWeb web({.hosts_per_address = hosts, .log = false});
  for (int host = 0; host < hosts; ++host) {
    web.AddHost(NameOf(host), ServePages({{"/robots.txt", NotFound()}, {"*", {.body = "<p>page"}}}));
  }
  Check(web.Start());
  const std::string where = web.HttpAddress(NameOf(0));
  const std::string port = where.substr(where.find(':'));
  // Without --local dnsmasq does not answer that there are no IPv6 addresses.
  const auto dnsmasq =
      Check(Dnsmasq::Start({"--address=/bench.test/" + where.substr(0, where.find(':')), "--local=/bench.test/"}));
  MeasureCache(dnsmasq->address(), hosts);

  const DistantNameServer distant(dnsmasq->address(), answer_ms);
  HttpClientOptions options;
  options.allow_private = true;
  options.dns.hosts_file.clear();
  options.dns.servers = distant.address();
  std::printf("name server: %d ms an answer, %d hosts, %d requests under way\n", answer_ms, hosts, under_way);
  Print("names asked with the request", FetchOnePageEach(options, port, hosts, static_cast<size_t>(under_way), false));
  const Waits ahead = FetchOnePageEach(options, port, hosts, static_cast<size_t>(under_way), true);
  Print("names asked ahead", ahead);
  std::printf("ratio median wait for a name asked ahead, of 10 ms: %.3f (target <= 1.0)\n",
              Quantile(ahead.names_ms, 0.5) / 10);
  const double known_ms = FetchJobMs(web, port, hosts, under_way, "");
  const double asked_ms = FetchJobMs(web, port, hosts, under_way, distant.address());
  std::printf("fetch job with known names: %.0f hosts/s\n", hosts / known_ms * 1000);
  std::printf("fetch job with names asked for: %.0f hosts/s\n", hosts / asked_ms * 1000);
  std::printf("ratio wall of the fetch job, names asked for over known: %.2f\n", asked_ms / known_ms);
  return 0;
}

}  // namespace
}  // namespace trawl

int main(int argc, char** argv) { return trawl::Main(argc, argv); }
