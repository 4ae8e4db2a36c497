// Measures hostile pages. The time limit is 1.5 times the time of bare gumbo for as many ordinary bytes, plus 250 ms;
// the memory limit is 16 times the page, plus 64 MiB. Each page is read in a process of its own.
//
//   hostile_html_bench [PART OF A NAME]
#include <gumbo.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "formats/charset/charset.h"
#include "formats/charset/decode.h"
#include "formats/html/content_digest.h"
#include "formats/html/html.h"
#include "tests/support/web/hostile_pages.h"

namespace {

double CpuSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double PeakMib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

// Bytes per second of bare gumbo on an ordinary page.
double LinearRate() {
  const std::string page =
      "<!DOCTYPE html><title>x</title>" +
      trawl::Repeated(
          "<div class=\"c\"><p>Some words of text &amp; more <a href=\"/a/b.html\" title=\"foo\">link</a> "
          "<b>bold</b> and again some words.</p></div>\n",
          1000);
  GumboOptions options = kGumboDefaultOptions;
  options.max_errors = 0;
  const double start = CpuSeconds();
  int rounds = 0;
  for (; CpuSeconds() - start < 0.5; ++rounds) {
    gumbo_destroy_output(&options, gumbo_parse_with_options(&options, page.data(), page.size()));
  }
  return static_cast<double>(page.size()) * rounds / (CpuSeconds() - start);
}

struct Cost {
  double seconds = 0;
  double mib = 0;
  char what[64] = "died";
};

Cost Measure(const std::string& page) {
  Cost cost;
  const double memory = PeakMib();
  const double start = CpuSeconds();
  std::string storage;
  const trawl::HtmlPage parsed =
      trawl::HtmlParser().Parse(trawl::DecodeToUtf8(page, trawl::SniffCharset(page, {}).encoding, &storage));
  trawl::ContentDigest(parsed, "http://example.com/");
  cost.seconds = CpuSeconds() - start;
  cost.mib = PeakMib() - memory;
  std::snprintf(cost.what, sizeof cost.what, "%s, %zu links, %zu text",
                std::string(HtmlTreeStateName(parsed.tree)).c_str(), parsed.links.size(), parsed.text.size());
  return cost;
}

// Runs in a process of its own, so that its peak memory is its own.
Cost MeasureApart(const std::string& page) {
  int ends[2];
  if (pipe(ends) != 0) std::abort();
  const pid_t child = fork();
  if (child == 0) {
    const Cost cost = Measure(page);
    const bool is_written = write(ends[1], &cost, sizeof cost) == static_cast<ssize_t>(sizeof cost);
    _exit(is_written ? 0 : 1);
  }
  close(ends[1]);
  Cost cost;
  if (read(ends[0], &cost, sizeof cost) < 0) std::abort();
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return cost;
}

}  // namespace

int main(int argc, char** argv) {
  const double rate = LinearRate();
  std::printf("bare gumbo, ordinary bytes: %.1f MB/s\n", rate / 1e6);
  double worst_time = 0, worst_memory = 0;
  for (const trawl::HostilePage& hostile : trawl::HostilePages()) {
    if (argc > 1 && hostile.name.find(argv[1]) == std::string::npos) continue;
    const std::string page = hostile.make();
    const Cost cost = MeasureApart(page);
    const double size = static_cast<double>(page.size());
    const double time_share = cost.seconds / (1.5 * size / rate + 0.25);
    const double memory_share = cost.mib / (16 * size / 1048576 + 64);
    std::printf("%-40s %8.0f KB: %6.0f ms (%.2f of its bound) %6.0f MiB (%.2f)  %s%s\n", hostile.name.c_str(),
                size / 1e3, cost.seconds * 1e3, time_share, cost.mib, memory_share, cost.what,
                time_share > 1 || memory_share > 1 ? "  <== OVER" : "");
    worst_time = std::max(worst_time, time_share);
    worst_memory = std::max(worst_memory, memory_share);
    if (std::strcmp(cost.what, "died") == 0) worst_time = 99;
  }
  std::printf("ratio hostile time to its bound: %.2f (target <= 1)\n", worst_time);
  std::printf("ratio hostile memory to its bound: %.2f (target <= 1)\n", worst_memory);
  return 0;
}
