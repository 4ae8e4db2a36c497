#include "tests/support/web/dated_site.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <string>
#include <string_view>

namespace trawl {

namespace {

constexpr int kOldPages = 20;
constexpr int kNewPagesADay = 2;
constexpr int kDaysInFeed = 3;
constexpr char kSite[] = "http://dated.test";

std::string DateOf(int day) {
  char text[32];
  std::snprintf(text, sizeof text, "2026-01-%02d", day + 1);
  return text;
}

// The number after `folder`; -1 where the path has another form.
int NumberIn(std::string_view path, std::string_view folder) {
  if (!path.starts_with(folder)) return -1;
  path.remove_prefix(folder.size());
  int number = -1;
  const auto [end, error] = std::from_chars(path.data(), path.data() + path.size(), number);
  return error == std::errc() && end == path.data() + path.size() ? number : -1;
}

// The day on which the page was written last.
int WrittenOn(int page, int day) {
  const int first = page / kNewPagesADay;
  return page % 3 == 0 ? day : first;
}

std::string Entry(const std::string& path, const std::string& lastmod, const std::string& more = "") {
  return "<url><loc>" + (kSite + path) + "</loc><lastmod>" + lastmod + "</lastmod>" + more + "</url>";
}

std::string UrlSet(const std::string& entries) {
  return "<?xml version=\"1.0\"?><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">" + entries +
         "</urlset>";
}

std::string Index(int day) {
  const auto entry = [](const std::string& path, const std::string& lastmod) {
    return "<sitemap><loc>" + (kSite + path) + "</loc><lastmod>" + lastmod + "</lastmod></sitemap>";
  };
  return "<?xml version=\"1.0\"?><sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">" +
         entry("/old.xml", "2025-12-01") + entry("/new.xml", DateOf(day)) + "</sitemapindex>";
}

std::string OldPages() {
  std::string entries;
  for (int page = 0; page < kOldPages; ++page) {
    entries +=
        Entry("/old/" + std::to_string(page), "2025-12-01", "<changefreq>monthly</changefreq><priority>0.3</priority>");
  }
  return UrlSet(entries);
}

std::string NewPages(int day) {
  std::string entries;
  for (int page = 0; page < kNewPagesADay * (day + 1); ++page) {
    entries += Entry("/new/" + std::to_string(page), DateOf(WrittenOn(page, day)), "<changefreq>daily</changefreq>");
  }
  return UrlSet(entries);
}

std::string Feed(int day) {
  std::string items;
  for (int item = std::max(0, day - kDaysInFeed + 1); item <= day; ++item) {
    items += "<item><title>Day " + std::to_string(item) + "</title><link>" + kSite + "/item/" + std::to_string(item) +
             "</link></item>";
  }
  return "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>News</title>" + items + "</channel></rss>";
}

TestPage OldPage(int page, int day) {
  TestPage answer = {.body = "<title>Old " + std::to_string(page) + "</title><p>as it always was"};
  const bool is_wavering = page == 6;
  if (page % 3 == 0 && (!is_wavering || day % 2 == 0)) answer.headers.emplace_back("X-Robots-Tag", "noarchive");
  if (page % 5 == 0) answer.body += "<meta name=robots content=noai>";
  return answer;
}

TestPage PageOf(std::string_view path, int day) {
  const auto xml = [](std::string body) {
    return TestPage{.content_type = "application/xml", .body = std::move(body)};
  };
  if (path == "/robots.txt") {
    return {.content_type = "text/plain",
            .body = "User-agent: *\nContent-Signal: search=yes, ai-train=no\nSitemap: http://dated.test/index.xml\n"};
  }
  if (path == "/index.xml") return xml(Index(day));
  if (path == "/old.xml") return xml(OldPages());
  if (path == "/new.xml") return xml(NewPages(day));
  if (path == "/feed.xml") return {.content_type = "application/rss+xml", .body = Feed(day)};
  if (path == "/") {
    return {.body =
                "<title>Dated</title><link rel=alternate type=application/rss+xml href=/feed.xml><a href=/old/0>x</a>"
                "<script type=application/ld+json>{\"@type\":\"WebPage\",\"datePublished\":\"2025-12-01\",}</script>"};
  }
  if (const int page = NumberIn(path, "/old/"); page >= 0 && page < kOldPages) return OldPage(page, day);
  if (const int page = NumberIn(path, "/new/"); page >= 0 && page < kNewPagesADay * (day + 1)) {
    return {.body = "<title>New</title><p>of " + DateOf(WrittenOn(page, day))};
  }
  if (const int item = NumberIn(path, "/item/"); item >= 0 && item <= day) {
    return {.body = "<title>Item</title><p>" + DateOf(item) + " <a href=/old/" + std::to_string(item % kOldPages) +
                    ">x</a>"};
  }
  return NotFound();
}

}  // namespace

TestHandler ServeDatedSite(std::shared_ptr<const std::atomic<int>> day) {
  return [day](const TestRequest& request) { return AnswerWith(PageOf(request.path, day->load()), request); };
}

}  // namespace trawl
