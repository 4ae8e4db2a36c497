// Measures a whole crawl, step by step, each step in a process of its own: CPU time per page, and by stage, beside the
// time in which bare gumbo builds and drops the trees of such pages.
//
//   crawl_bench [hosts] [pages per host] [bytes per page]   default: 200 100 16384; the target is stated for 1000 100 16384
#include <gumbo.h>
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "formats/documents/json.h"
#include "tests/support/process/run_binary.h"
#include "tests/support/store/temporary_folder.h"
#include "tests/support/web/link_graph.h"
#include "tests/support/web/test_web.h"

namespace trawl {
namespace {

double CpuSeconds(const rusage& usage) {
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double ChildrenCpuSeconds(int64_t* peak_kib) {
  rusage usage;
  getrusage(RUSAGE_CHILDREN, &usage);
  *peak_kib = usage.ru_maxrss;
  return CpuSeconds(usage);
}

// CPU seconds per page of bare gumbo, over some of the graph's pages.
double BareGumboSeconds(const LinkGraph& graph) {
  constexpr int kSample = 400;
  std::vector<std::string> pages;
  for (int i = 0; i < kSample; ++i) {
    pages.push_back(LinkGraphBody(graph, i % graph.hosts, i / graph.hosts % graph.pages));
  }
  GumboOptions options = kGumboDefaultOptions;
  options.max_errors = 0;
  rusage before, after;
  getrusage(RUSAGE_SELF, &before);
  for (const std::string& page : pages) {
    gumbo_destroy_output(&options, gumbo_parse_with_options(&options, page.data(), page.size()));
  }
  getrusage(RUSAGE_SELF, &after);
  return (CpuSeconds(after) - CpuSeconds(before)) / kSample;
}

class CrawlBench {
 public:
  explicit CrawlBench(const LinkGraph& graph) : graph_(graph), web_({.log = false}) {
    AddLinkGraph(graph_, &web_);
    if (!web_.Start().ok()) Fail("the web does not start");
    hosts_file_ = folder_.path() + "/hosts";
    std::ofstream(hosts_file_) << web_.HostsFileText();
  }

  int Run() {
    gumbo_seconds_ = BareGumboSeconds(graph_);
    Step("inject", Seeds());
    int rounds = 0;
    while (rounds < 1000) {
      const Json generate = Step("generate", {"--depth", "10000"}, /*may_be_idle=*/true);
      if (generate.is_null()) break;
      ++rounds;
      pages_ += Count(Step("fetch", FetchArguments()), "pages");
      Step("parse", {"--scope", "any", "--depth", "10000"});
      Step("updatedb", {"--scope", "any", "--depth", "10000"});
      Step("compact", {"--by_policy"});
    }
    // Once more at the end: the machine may have become slower or faster meanwhile.
    gumbo_seconds_ = (gumbo_seconds_ + BareGumboSeconds(graph_)) / 2;
    Print(rounds);
    return pages_ == int64_t{graph_.hosts} * graph_.pages ? 0 : 1;
  }

 private:
  [[noreturn]] static void Fail(const std::string& what) {
    std::fprintf(stderr, "crawl_bench: %s\n", what.c_str());
    std::exit(1);
  }

  std::vector<std::string> FetchArguments() const {
    return {"--fetch.allow_private", "--fetch.delay_ms", "0", "--fetch.hosts_file", hosts_file_, "--scope", "any"};
  }
  // One seed for every host: a host's own depth then gives the number of rounds.
  std::vector<std::string> Seeds() const {
    const std::string file = folder_.path() + "/seeds";
    std::ofstream seeds(file);
    for (int host = 0; host < graph_.hosts; ++host) seeds << LinkGraphUrl(graph_, host, 0) << "\n";
    return {file};
  }

  Json Step(const std::string& verb, const std::vector<std::string>& more, bool may_be_idle = false) {
    std::vector<std::string> arguments = {verb, "--root", folder_.path() + "/crawl", "--json"};
    if (verb == "generate") arguments.insert(arguments.end(), {"--scope", "any", "--fetch.delay_ms", "0"});
    arguments.insert(arguments.end(), more.begin(), more.end());
    const double before = ChildrenCpuSeconds(&peak_kib_);
    const int64_t peak_before = peak_kib_;
    const BinaryResult result = RunBinary({.arguments = arguments, .limit_ms = 1'800'000});
    cpu_seconds_[verb] += ChildrenCpuSeconds(&peak_kib_) - before;
    if (peak_kib_ > peak_before) peak_verb_ = verb;
    if (may_be_idle && result.exit_code == 1) return Json();
    if (result.exit_code != 0) Fail(verb + ": " + result.err);
    auto json = ParseJson(result.out);
    return json.ok() ? *json : Json();
  }

  static int64_t Count(const Json& json, const char* name) {
    const auto count = GetInt(json, name);
    return count.ok() ? *count : 0;
  }

  void Print(int rounds) const {
    double all = 0;
    for (const auto& [verb, seconds] : cpu_seconds_) all += seconds;
    const auto pages = static_cast<double>(pages_);
    std::printf("pages: %lld of %zu bytes from %d hosts, %d rounds\n", static_cast<long long>(pages_),
                graph_.page_bytes, graph_.hosts, rounds);
    for (const auto& [verb, seconds] : cpu_seconds_) {
      std::printf("%s: %.3f ms of CPU per page, %.0f pages per CPU second\n", verb.c_str(), seconds * 1e3 / pages,
                  pages / seconds);
    }
    std::printf("whole crawl: %.3f ms of CPU per page\n", all * 1e3 / pages);
    std::printf("bare gumbo: %.3f ms of CPU per page\n", gumbo_seconds_ * 1e3);
    std::printf("ratio whole crawl to bare gumbo: %.2f (target <= 0.6)\n", all / pages / gumbo_seconds_);
    std::printf("peak memory: %lld MiB, in %s\n", static_cast<long long>(peak_kib_ / 1024), peak_verb_.c_str());
  }

  const LinkGraph graph_;
  TestWeb web_;
  TemporaryFolder folder_;
  std::string hosts_file_;
  std::map<std::string, double> cpu_seconds_;
  double gumbo_seconds_ = 0;
  int64_t pages_ = 0;
  int64_t peak_kib_ = 0;
  std::string peak_verb_;
};

}  // namespace
}  // namespace trawl

int main(int argc, char** argv) {
  trawl::LinkGraph graph = {.hosts = 200, .pages = 100};
  graph.page_bytes = 16'384;
  if (argc > 1) graph.hosts = std::atoi(argv[1]);
  if (argc > 2) graph.pages = std::atoi(argv[2]);
  if (argc > 3) graph.page_bytes = static_cast<size_t>(std::atoi(argv[3]));
  return trawl::CrawlBench(graph).Run();
}
