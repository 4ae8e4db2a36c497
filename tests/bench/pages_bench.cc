// Measures the time to read real pages: once as `--parse.reader auto` reads them, and once from gumbo's tree for all of
// them.
//
//   pages_bench [FOLDER]     a folder of *.html; default ../shared/pages beside the checkout. Without it the benchmark
//                            makes pages that resemble them: a framework's markup, inline scripts and drawings, lists
//                            of links, an article
//
// Both readers give the same pages (tests/formats/scan). They run in turns, so that both see the same machine.
#include <gumbo.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "formats/charset/charset.h"
#include "formats/charset/decode.h"
#include "formats/html/html.h"

namespace {

// The processor time of this thread, so that other work of the machine is not measured.
double CpuSeconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

std::string Decoded(const std::string& body) {
  std::string storage;
  return std::string(trawl::DecodeToUtf8(body, trawl::SniffCharset(body, {}).encoding, &storage));
}

std::vector<std::string> PagesOf(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".html") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<std::string> pages;
  for (const auto& path : files) {
    std::ifstream file(path, std::ios::binary);
    pages.push_back(Decoded({std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()}));
  }
  return pages;
}

std::string MadePage(uint32_t seed) {
  uint32_t random = seed * 2654435761u + 1;
  const auto next = [&](uint32_t of) { return random = random * 1103515245 + 12345, (random >> 8) % of; };
  const auto words = [&](uint32_t count) {
    constexpr const char* kWords[] = {"the",         "crawler", "reads", "a page",
                                      "caf\xC3\xA9", "of",      "many",  "links &amp; texts"};
    std::string text;
    for (uint32_t i = 0; i < count; ++i) text += std::string(i == 0 ? "" : " ") + kWords[next(8)];
    return text;
  };
  std::string page = "<!DOCTYPE html>\n<html lang=en>\n<head><meta charset=utf-8><title>" + words(6) +
                     "</title><link rel=canonical href=/c></head>\n<body class=\"page\">\n";
  for (uint32_t section = 0; section < 40 + next(120); ++section) {
    page += "<div class=\"col-md-" + std::to_string(next(12)) + " teaser\" data-id=\"" + std::to_string(next(100000)) +
            "\">\n  <ul class=nav>\n";
    for (uint32_t i = 0; i < next(8); ++i) {
      page += "    <li class=\"item\"><a class=\"link\" href=\"/s/" + std::to_string(next(1000000)) +
              "?a=1&amp;b=2\"><span>" + words(2) + "</span></a>\n";
    }
    page +=
        "  </ul>\n  <p class=text>" + words(30 + next(60)) + "<br><b>" + words(4) + "</b>.<p>" + words(20) + "</p>\n";
    page += "  <img src=\"/i/" + std::to_string(next(1000)) + ".jpg\" alt=\"" + words(3) + "\" width=300 height=200>\n";
    if (next(4) == 0) page += "<svg viewBox=\"0 0 24 24\"><path d=\"M12 2L2 7l10 5 10-5-10-5z\"/></svg>";
    if (next(3) == 0) {
      page += "<script>window.q=window.q||[];";
      for (uint32_t i = 0; i < next(60); ++i) page += "q.push({a:'" + std::to_string(next(1u << 30)) + "',b:x<y});";
      page += "</script>";
    }
    if (next(5) == 0) page += "<!-- " + words(20) + " -->";
    page += "</div>\n";
  }
  return page + "</body></html>\n";
}

std::vector<std::string> MadePages() {
  std::vector<std::string> pages;
  for (uint32_t seed = 0; seed < 100; ++seed) pages.push_back(MadePage(seed));
  return pages;
}

double SecondsFor(trawl::HtmlParser* parser, const std::vector<std::string>& pages) {
  const double begin = CpuSeconds();
  for (const std::string& page : pages) parser->Parse(page);
  return CpuSeconds() - begin;
}

void BareGumbo(const std::string& page) {
  GumboOptions options = kGumboDefaultOptions;
  options.max_errors = 0;
  gumbo_destroy_output(&options, gumbo_parse_with_options(&options, page.data(), page.size()));
}

}  // namespace

int main(int argc, char** argv) {
  const std::filesystem::path folder = argc > 1 ? argv[1] : "../shared/pages";
  const bool are_real = std::filesystem::is_directory(folder);
  const std::vector<std::string> pages = are_real ? PagesOf(folder) : MadePages();
  if (pages.empty()) return 1;

  size_t bytes = 0, tame = 0, tame_bytes = 0;
  std::map<std::string, int> wild;
  trawl::HtmlParser automatic;
  for (const std::string& page : pages) {
    const trawl::HtmlPage read = automatic.Parse(page);
    bytes += page.size();
    tame += read.read_by_scan;
    tame_bytes += read.read_by_scan ? page.size() : 0;
    if (!read.read_by_scan) ++wild[std::string(trawl::HtmlWildName(read.wild))];
  }
  trawl::HtmlParser tree({.reader = trawl::HtmlReading::kTree});
  double auto_seconds = 1e9, tree_seconds = 1e9, gumbo_seconds = 1e9;
  for (int round = 0; round < 5; ++round) {
    auto_seconds = std::min(auto_seconds, SecondsFor(&automatic, pages));
    tree_seconds = std::min(tree_seconds, SecondsFor(&tree, pages));
    const double begin = CpuSeconds();
    for (const std::string& page : pages) BareGumbo(page);
    gumbo_seconds = std::min(gumbo_seconds, CpuSeconds() - begin);
  }
  const auto count = static_cast<double>(pages.size());
  const auto report = [&](const char* name, double seconds) {
    std::printf("%s: %.3f ms per page, %.0f MB/s\n", name, seconds * 1e3 / count,
                static_cast<double>(bytes) / seconds / 1e6);
  };
  std::printf("%s pages: %zu of %.0f KB\n", are_real ? "real" : "made", pages.size(),
              static_cast<double>(bytes) / count / 1e3);
  report("auto", auto_seconds);
  report("tree", tree_seconds);
  report("bare gumbo", gumbo_seconds);
  for (const auto& [why, times] : wild) std::printf("wild, %s: %d\n", why.c_str(), times);
  std::printf("ratio tame pages, percent: %.1f (target >= 97)\n", 100 * static_cast<double>(tame) / count);
  std::printf("ratio tame bytes, percent: %.1f (target >= 97)\n",
              100 * static_cast<double>(tame_bytes) / static_cast<double>(bytes));
  std::printf("ratio tree to auto: %.1f (target >= 15)\n", tree_seconds / auto_seconds);
}
