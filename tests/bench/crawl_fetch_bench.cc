// Compares the fetch job with a bare libcurl loop (bench/bare_fetch.h): the whole task, from the list to the parts on
// disk. Then measures many hosts with two pages each, and the memory of a list of a million URLs of 10,000 hosts.
//
//   crawl_fetch_bench [--pages N] [--hosts N] [--rounds N] [--only http|https|many|memory]
#include <curl/curl.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "jobs/fetch/fetch.h"
#include "jobs/fetch/state.h"
#include "jobs/policy/fetch_options.h"
#include "jobs/policy/robots_options.h"
#include "jobs/policy/scope.h"
#include "runtime/job/local_runner.h"
#include "runtime/root/layout.h"
#include "runtime/tables/run_writer.h"
#include "tests/bench/bare_fetch.h"
#include "tests/bench/bench_main.h"
#include "tests/support/crawl/fetch_lists.h"
#include "tests/support/process/own_memory.h"
#include "tests/support/store/temporary_folder.h"

namespace trawl {
namespace {

// A crawl of its own, with one list of the plan's pages.
class Scene {
 public:
  Scene(const BenchPlan& plan, const BenchPlace& place) : plan_(plan), place_(place), root_(folder_.path() + "/crawl") {
    auto store = OpenStore(root_);
    if (!store.ok()) Die(store.status().ToString());
    store_ = std::move(*store);
    FetchListContent list;
    for (int host = 0; host < plan.hosts; ++host) {
      for (int page = 0; page < plan.pages_a_host; ++page) {
        list.urls.push_back(
            ListedUrl((plan.https ? "https://" : "http://") + HostName(host) + "/p/" + std::to_string(page) + ".html"));
      }
    }
    auto segment = OpenFetchSegment(store_.get(), {list});
    if (!segment.ok()) Die(segment.status().ToString());
    segment_ = *segment;
    std::ofstream(folder_.path() + "/hosts") << place.hosts_text;
  }

  int Fetch() {
    LocalRunner runner({.threads = 1, .attempts = 1});
    FetchOptions fetch;
    fetch.allow_private = true;
    fetch.delay_ms = 0;
    fetch.connections = plan_.under_way;
    fetch.ca_file = place_.ca_file;
    fetch.hosts_file = folder_.path() + "/hosts";
    JobEnvironment environment;
    environment.store = store_.get();
    environment.runner = &runner;
    environment.clock = &SystemClock();
    environment.now_ms = FetchListOptions().now_ms;
    environment.version = "bench";
    environment.options = FetchOptionGroup().Print(fetch);
    environment.options.merge(RobotsOptionGroup().Print({}));
    environment.options.merge(ScopeOptionGroup().Print({.scope = UrlScope::kAny}));
    const auto result = RunJob(environment, FetchRequest(store_.get(), ChoiceOf(segment_)));
    if (!result.ok()) Die(result.status().ToString());
    return plan_.pages() - static_cast<int>(result->output.counters.Get("pages"));
  }

 private:
  const BenchPlan plan_;
  const BenchPlace& place_;
  TemporaryFolder folder_;
  std::string root_;
  std::unique_ptr<Store> store_;
  OpenSegment segment_;
};

void Keep(Cost& best, const Cost& cost) {
  best.cpu_s = std::min(best.cpu_s, cost.cpu_s);
  best.wall_s = std::min(best.wall_s, cost.wall_s);
  best.failed = std::max(best.failed, cost.failed);
}

void Compare(const char* name, const BenchPlan& plan, int rounds) {
  const ServerProcess server(plan.hosts, plan.https);
  // The bare loop requests one page more of each host, because the job requests the host's robots.txt.
  BenchPlan bare_plan = plan;
  ++bare_plan.pages_a_host;
  Cost ours, bare;
  for (int round = 0; round < rounds; ++round) {
    Scene scene(plan, server.place);
    Keep(ours, Measure([&] { return scene.Fetch(); }));
    Keep(bare, Measure([&] { return BareLoop(bare_plan, server.place).Run(); }));
  }
  const double ours_rate = bare_plan.pages() / ours.cpu_s, bare_rate = bare_plan.pages() / bare.cpu_s;
  std::printf("%s pages: %d of %d hosts, %d under way\n", name, plan.pages(), plan.hosts, plan.under_way);
  std::printf("%s fetch job: %.0f requests per CPU second, %.0f requests/s, %d failed\n", name, ours_rate,
              bare_plan.pages() / ours.wall_s, ours.failed);
  std::printf("%s bare loop: %.0f requests per CPU second, %.0f requests/s, %d failed\n", name, bare_rate,
              bare_plan.pages() / bare.wall_s, bare.failed);
  std::printf("ratio fetch job %s: %.2f (target >= 0.75)\n", name, ours_rate / bare_rate);
  std::fflush(stdout);
}

// Measures the state of a task with a long list, with rows as full as those of recrawled pages.
void MeasureMemory(int urls, int hosts) {
  TemporaryFolder folder;
  auto store = OpenStore(folder.path() + "/crawl", {.sync = false});
  if (!store.ok()) Die(store.status().ToString());
  StepTask task;
  {
    RowFileOptions options;
    options.sorted = false;
    RunWriter<UrlRow> writer(store->get(), DatasetFolder("seg", "fetchlist"), "list", options);
    UrlRow row;
    for (int i = 0; i < urls; ++i) {
      const int host = static_cast<int>(int64_t{i} * hosts / urls);
      row = ListedUrl("https://www.host-" + std::to_string(host) + ".example/articles/2026/01/some-longer-title-" +
                      std::to_string(i));
      row.state = UrlState::kFetched;
      row.outcome = Outcome::kFetched;
      row.fetched_ms = row.due_ms = row.discovered_ms = row.changed_ms = 1'772'366'400'000;
      row.status = 200;
      row.fetches = 3;
      row.content_type = "text/html; charset=utf-8";
      row.bytes = 40'000;
      row.etag = "\"0123456789abcdef\"";
      row.last_modified = "Wed, 01 Jan 2025 00:00:00 GMT";
      row.body_digest = row.content_digest = std::string(32, 'd');
      row.body_segment = "20260101T000000Z-01234567";
      row.body_file = "20260101T000000Z-fetch-01234567-m0-0-3-0.orc";
      row.via = row.key.substr(0, row.key.find(')') + 2);
      if (!writer.Append(row).ok()) Die("append");
    }
    auto files = writer.Finish();
    if (!files.ok()) Die(files.status().ToString());
    task.files["fetchlist"] = *files;
  }
  const int64_t before = ResidentBytes();
  FetchInputs inputs({}, {}, 1);
  const arrow::Status loaded = LoadFetchInputs(store->get(), "seg", task, {}, &inputs);
  if (!loaded.ok()) Die(loaded.ToString());
  FetchState state(std::move(inputs));
  std::printf("memory of a list of %d URLs of %d hosts: %lld MiB\n", urls, hosts,
              static_cast<long long>((ResidentBytes() - before) >> 20));
}

int Main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  curl_global_init(CURL_GLOBAL_ALL);
  const std::string only = TextOption(argc, argv, "--only");
  const int rounds = NumberOption(argc, argv, "--rounds", 2);
  BenchPlan plan;
  plan.hosts = NumberOption(argc, argv, "--hosts", plan.hosts);
  plan.pages_a_host = std::max(NumberOption(argc, argv, "--pages", 20'000) / plan.hosts, 1);
  if (only.empty() || only == "http") Compare("http", plan, rounds);
  plan.https = true;
  if (only.empty() || only == "https") Compare("https", plan, rounds);
  const BenchPlan many = {.hosts = 10'000, .pages_a_host = 2, .under_way = 1'000, .https = false};
  if (only.empty() || only == "many") Compare("http 10,000 hosts", many, 1);
  if (only.empty() || only == "memory") MeasureMemory(1'000'000, 10'000);
  std::printf("peak memory: %lld MiB\n", static_cast<long long>(PeakResidentBytes() >> 20));
  return 0;
}

}  // namespace
}  // namespace trawl

int main(int argc, char** argv) { return trawl::Main(argc, argv); }
