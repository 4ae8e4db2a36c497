// Compares reading a page with bare gumbo, and measures finding out its encoding.
//
//   parse_bench [SECONDS]     of each measurement, default 2
//
// Pages are made here and look like real ones: navigation, an article with entities and inline markup, lists, images,
// inline styles and scripts, a footer. Our parse takes title, text, links and meta; bare gumbo builds its tree and
// frees it, with no error list, as any user of it must. Both get UTF-8. They run in turns, so that both see the same
// machine.
#include <gumbo.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "formats/charset/charset.h"
#include "formats/charset/decode.h"
#include "formats/html/content_digest.h"
#include "formats/html/html.h"

namespace {

// Processor time of this thread: the machine's other work is not measured.
double CpuSeconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

class PageMaker {
 public:
  std::string Page(size_t bytes, uint32_t seed) {
    random_ = seed * 2654435761u + 1;
    html_ = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>" + Words(7) +
            " | Example News</title>\n<meta name=\"description\" content=\"" + Words(20) +
            "\">\n<link rel=\"canonical\" href=\"https://www.example.com/news/" + Number() +
            ".html\">\n<link rel=\"stylesheet\" href=\"/css/site.css?v=" + Number() +
            "\">\n<style>.nav{margin:0;padding:0 4px}.nav li{display:inline}@media "
            "(max-width:600px){.nav{display:none}}</style>\n"
            "<script>window.dataLayer=window.dataLayer||[];function g(){dataLayer.push(arguments)}for(var "
            "i=0;i<3;i++){g('js',i)}"
            "</script>\n</head>\n<body class=\"page article\">\n<header><nav class=\"nav\"><ul>\n";
    for (int i = 0; i < 12; ++i) {
      html_ += "  <li class=\"nav-item\"><a class=\"nav-link\" href=\"/section/" + Number() + "/\">" + Words(1) +
               "</a></li>\n";
    }
    html_ += "</ul></nav></header>\n<main>\n<article>\n<h1>" + Words(8) + "</h1>\n";
    while (html_.size() + 900 < bytes) Paragraph();
    html_ +=
        "</article>\n</main>\n<footer><div class=\"footer\" style=\"color:#999\">&copy; 2026 Example &middot; <a "
        "href=\"/imprint\">Imprint</a>"
        " &middot; <a href=\"/privacy\" rel=\"nofollow\">Privacy</a></div></footer>\n"
        "<script async src=\"https://cdn.example.net/a.js\"></script>\n</body>\n</html>\n";
    return html_;
  }

 private:
  uint32_t Next() { return random_ = random_ * 1103515245 + 12345, random_ >> 8; }
  std::string Number() { return std::to_string(Next() % 1000000); }

  std::string Words(int count) {
    static constexpr const char* kWords[] = {
        "the",       "market", "of",     "new",   "city",    "after", "a",         "council", "to",
        "years",     "and",    "report", "in",    "people",  "said",  "caf\u00e9", "which",   "government",
        "\u00fcber", "with",   "plans",  "water", "Tuesday", "that",  "energy",    "for",     "prices"};
    std::string words;
    for (int i = 0; i < count; ++i) words += std::string(i == 0 ? "" : " ") + kWords[Next() % 27];
    return words;
  }

  void Paragraph() {
    switch (Next() % 6) {
      case 0:
        html_ += "<div class=\"teaser teaser--" + Number() + "\" data-id=\"" + Number() +
                 "\" style=\"margin-top:12px\"><a href=\"/news/" + Number() +
                 ".html\" class=\"teaser__link\" title=\"" + Words(5) + "\"><img src=\"/img/" + Number() +
                 ".jpg\" alt=\"" + Words(4) +
                 "\" width=\"320\" height=\"180\" loading=\"lazy\"><span class=\"teaser__title\">" + Words(6) +
                 "</span></a><time datetime=\"2026-11-18\">18&nbsp;Nov</time></div>\n";
        break;
      case 1:
        html_ += "<ul class=\"list\">\n<li>" + Words(6) + "</li>\n<li><a href=\"/tag/" + Number() + "\">" + Words(2) +
                 "</a></li>\n<li>" + Words(9) + "</li>\n</ul>\n";
        break;
      case 2:
        html_ += "<h2 id=\"s" + Number() + "\">" + Words(5) + "</h2>\n<!-- slot " + Number() + " -->\n";
        break;
      default:
        html_ += "<p>" + Words(24) + " &amp; " + Words(8) + " <a href=\"/news/" + Number() + ".html?ref=inline\">" +
                 Words(3) + "</a>, " + Words(18) + " <b>" + Words(2) + "</b> &ldquo;" + Words(12) + "&rdquo; <em>" +
                 Words(1) + "</em> " + Words(15) + ".</p>\n";
    }
  }

  uint32_t random_ = 1;
  std::string html_;
};

void ParseBare(const std::string& page) {
  GumboOptions options = kGumboDefaultOptions;
  options.max_errors = 0;
  GumboOutput* output = gumbo_parse_with_options(&options, page.data(), page.size());
  gumbo_destroy_output(&options, output);
}

// Runs the two in turns over all pages for that time; returns the seconds that each took for one round of the pages.
template <typename First, typename Second>
std::pair<double, double> InTurns(const std::vector<std::string>& pages, double seconds, First first, Second second) {
  double spent[2] = {0, 0};
  int rounds = 0;
  for (; spent[0] + spent[1] < seconds; ++rounds) {
    const double start = CpuSeconds();
    for (const std::string& page : pages) first(page);
    const double middle = CpuSeconds();
    for (const std::string& page : pages) second(page);
    spent[0] += middle - start;
    spent[1] += CpuSeconds() - middle;
  }
  return {spent[0] / rounds, spent[1] / rounds};
}

double TotalMb(const std::vector<std::string>& pages) {
  size_t bytes = 0;
  for (const std::string& page : pages) bytes += page.size();
  return static_cast<double>(bytes) / 1e6;
}

void CompareParse(size_t bytes, double seconds) {
  std::vector<std::string> pages;
  for (uint32_t i = 0; i < 20; ++i) pages.push_back(PageMaker().Page(bytes, i));
  trawl::HtmlParser parser;
  size_t sink = 0;
  const auto [ours, bare] = InTurns(
      pages, seconds, [&](const std::string& page) { sink += parser.Parse(page).text.size(); }, ParseBare);
  const size_t kib = bytes >> 10;
  const double mb = TotalMb(pages);
  std::printf("parse %zu KiB pages: %.1f MB/s\n", kib, mb / ours);
  std::printf("bare gumbo %zu KiB pages: %.1f MB/s\n", kib, mb / bare);
  std::printf("ratio parse %zu KiB to bare gumbo: %.2f (target >= 0.75)\n", kib, bare / ours);
  if (sink == 0) std::abort();
}

void MeasureCharset(const char* name, const std::string& sentence, double seconds) {
  std::vector<std::string> pages;
  std::string page = "<html><head><title>x</title></head><body class=\"a\">";
  while (page.size() < 64 << 10) page += "<p class=\"text\">" + sentence + "</p>\n";
  pages.assign(10, page);
  size_t sink = 0;
  std::string storage;
  const auto [detect, decode] = InTurns(
      pages, seconds, [&](const std::string& body) { sink += trawl::SniffCharset(body, {}).encoding.size(); },
      [&](const std::string& body) {
        sink += trawl::DecodeToUtf8(body, trawl::SniffCharset(body, {}).encoding, &storage).size();
      });
  const double mb = TotalMb(pages);
  std::printf("charset detection, %s: %.0f MB/s\n", name, mb / detect);
  std::printf("charset detection and decoding, %s: %.0f MB/s\n", name, mb / decode);
  if (sink == 0) std::abort();
}

void MeasureDigest(double seconds) {
  trawl::HtmlParser parser;
  const std::string page = PageMaker().Page(64 << 10, 1);
  const trawl::HtmlPage parsed = parser.Parse(page);
  const std::vector<std::string> pages(50, page);
  size_t sink = 0;
  const auto [digest, nothing] = InTurns(
      pages, seconds, [&](const std::string&) { sink += trawl::ContentDigest(parsed, "http://example.com/")[0]; },
      [](const std::string&) {});
  (void)nothing;
  std::printf("content digest, of the page's bytes: %.0f MB/s\n", TotalMb(pages) / digest);
  if (sink == 0) std::abort();
}

}  // namespace

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? std::atof(argv[1]) : 2;
  CompareParse(16 << 10, seconds);
  CompareParse(64 << 10, seconds);
  MeasureCharset("ASCII", "A plain sentence of some length, as it stands on many pages.", seconds / 4);
  MeasureCharset("UTF-8", "Ein Satz \u00fcber B\u00e4ume, Stra\u00dfen und M\u00e4rkte, wie er oft steht.",
                 seconds / 4);
  MeasureCharset("windows-1251",
                 "\xDD\xF2\xEE \xEF\xF0\xE5\xE4\xEB\xEE\xE6\xE5\xED\xE8\xE5 \xED\xE0 \xF0\xF3\xF1\xF1\xEA\xEE\xEC.",
                 seconds / 4);
  MeasureCharset("Shift_JIS", "\x93\x96\x93\x58\x82\xD6\x82\xE6\x82\xA4\x82\xB1\x82\xBB\x81\x42", seconds / 4);
  MeasureDigest(seconds / 4);
  return 0;
}
