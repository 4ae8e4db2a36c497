// Measures what structured data costs on real pages: reading them with it and without it, in one run with bare gumbo. Says
// how many pages have items of each syntax, and that both readers give the same.
//
//   structured_bench [FOLDER]     a folder of *.html; default ../shared/pages beside the checkout. Without it the benchmark
//                                 makes pages with a block of JSON-LD, Open Graph and an article in microdata
#include <gumbo.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "formats/charset/charset.h"
#include "formats/charset/decode.h"
#include "formats/html/html.h"
#include "formats/html/urls.h"
#include "formats/structured/structured.h"
#include "tests/support/html/difference.h"

namespace {

constexpr char kUrl[] = "https://www.example.com/a";
constexpr int64_t kNowMs = 1'800'000'000'000;

// The processor time of this thread, so that other work of the machine is not measured.
double CpuSeconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

std::vector<std::string> PagesOf(const std::filesystem::path& folder) {
  std::vector<std::string> pages;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".html") continue;
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string body{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    std::string storage;
    pages.emplace_back(trawl::DecodeToUtf8(body, trawl::SniffCharset(body, {}).encoding, &storage));
  }
  return pages;
}

std::vector<std::string> MadePages() {
  std::vector<std::string> pages;
  for (int i = 0; i < 100; ++i) {
    std::string page =
        "<!DOCTYPE html><html lang=en><head><title>T</title><meta property=og:type content=article>"
        "<meta property=og:title content=T><script type=application/ld+json>{\"@context\":\"https://schema.org\","
        "\"@type\":\"NewsArticle\",\"headline\":\"T\",\"datePublished\":\"2025-01-02T03:04:05Z\",\"author\":"
        "{\"@type\":\"Person\",\"name\":\"A\"}}</script></head><body>";
    for (int k = 0; k < 300; ++k) {
      page += "<div class=\"teaser item\" id=d" + std::to_string(k) + "><a href=/x?" + std::to_string(k) +
              "><span class=t>some words</span></a><p>and many more words in a paragraph of text</p></div>\n";
    }
    page +=
        "<article itemscope itemtype=http://schema.org/Article><h1 itemprop=headline>T</h1><p "
        "itemprop=articleBody>B</p></article>";
    pages.push_back(std::move(page));
  }
  return pages;
}

double ReadAll(trawl::HtmlParser* parser, const std::vector<std::string>& pages) {
  const double begin = CpuSeconds();
  for (const std::string& page : pages) parser->Parse(page);
  return CpuSeconds() - begin;
}

double MakeItems(const std::vector<trawl::HtmlPage>& pages) {
  const double begin = CpuSeconds();
  for (const trawl::HtmlPage& page : pages) {
    const trawl::BaseUrl base = trawl::BaseOfPage(page, kUrl, "UTF-8").ValueOrDie();
    trawl::ReadStructured(page.structured, {&base, kUrl, kNowMs});
  }
  return CpuSeconds() - begin;
}

double BareGumbo(const std::vector<std::string>& pages) {
  const double begin = CpuSeconds();
  GumboOptions options = kGumboDefaultOptions;
  options.max_errors = 0;
  for (const std::string& page : pages) {
    gumbo_destroy_output(&options, gumbo_parse_with_options(&options, page.data(), page.size()));
  }
  return CpuSeconds() - begin;
}

}  // namespace

int main(int argc, char** argv) {
  const std::filesystem::path folder = argc > 1 ? argv[1] : "../shared/pages";
  const bool are_real = std::filesystem::is_directory(folder);
  const std::vector<std::string> pages = are_real ? PagesOf(folder) : MadePages();
  if (pages.empty()) return 1;

  trawl::HtmlOptions without_options;
  without_options.structured = false;
  trawl::HtmlParser with, without(without_options);
  std::map<std::string, int> pages_of, items_of;
  int repaired = 0, problems = 0, dated = 0, differences = 0;
  std::vector<trawl::HtmlPage> read;
  for (const std::string& page : pages) {
    read.push_back(with.Parse(page));
    const trawl::BaseUrl base = trawl::BaseOfPage(read.back(), kUrl, "UTF-8").ValueOrDie();
    const trawl::StructuredPage made = trawl::ReadStructured(read.back().structured, {&base, kUrl, kNowMs});
    std::set<std::string> syntaxes;
    for (const trawl::PageItem& item : made.items) {
      syntaxes.emplace(trawl::ItemSyntaxName(item.syntax));
      ++items_of[std::string(trawl::ItemSyntaxName(item.syntax))];
      repaired += !item.repaired.empty();
      problems += !item.problem.empty();
    }
    for (const std::string& syntax : syntaxes) ++pages_of[syntax];
    dated += made.statements.published_ms != 0;
    trawl::HtmlWild wild;
    const std::string difference = trawl::DifferenceBetweenReaders(page, {}, &wild);
    if (!difference.empty()) std::fprintf(stderr, "%s\n", difference.c_str());
    differences += !difference.empty();
  }
  double with_seconds = 1e9, without_seconds = 1e9, items_seconds = 1e9, gumbo_seconds = 1e9;
  for (int round = 0; round < 7; ++round) {
    with_seconds = std::min(with_seconds, ReadAll(&with, pages));
    without_seconds = std::min(without_seconds, ReadAll(&without, pages));
    items_seconds = std::min(items_seconds, MakeItems(read));
    gumbo_seconds = std::min(gumbo_seconds, BareGumbo(pages));
  }
  const auto count = static_cast<double>(pages.size());
  std::printf("%s pages: %zu\n", are_real ? "real" : "made", pages.size());
  for (const auto& [syntax, number] : pages_of) {
    std::printf("%s: %d pages, %d items\n", syntax.c_str(), number, items_of[syntax]);
  }
  std::printf("repaired items: %d\nproblems: %d\npages with a date: %d\n", repaired, problems, dated);
  std::printf("pages that the readers read differently: %d\n", differences);
  std::printf("read without: %.4f ms per page\n", without_seconds * 1e3 / count);
  std::printf("read with: %.4f ms per page\n", with_seconds * 1e3 / count);
  std::printf("make items: %.4f ms per page\n", items_seconds * 1e3 / count);
  std::printf("bare gumbo: %.4f ms per page\n", gumbo_seconds * 1e3 / count);
  std::printf("ratio structured data to bare gumbo: %.4f (target <= 0.05)\n",
              (with_seconds - without_seconds + items_seconds) / gumbo_seconds);
  return differences == 0 ? 0 : 1;
}
