// Sitemaps and feeds over 60 simulated days, by the binary on a test web: an index with three sitemaps, one of them gzip and
// one of news; a host that lies; feeds that a page links; guesses at /sitemap.xml.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <mutex>
#include <sstream>
#include <string>
#include <vector>

#include "formats/rows/times.h"
#include "runtime/terminal/timestamp.h"
#include "tests/support/crawl/crawled_web.h"
#include "tests/support/process/trawl_command.h"
#include "tests/support/values/encode.h"

namespace trawl {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr int64_t kFirstDay = 1'767'225'600'000;  // 2026-01-01
constexpr int kDays = 60;
constexpr int kModifiedOn = 10;

std::string Urlset(const std::string& entries) {
  return "<?xml version='1.0'?><urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>" + entries + "</urlset>";
}
std::string Entry(const std::string& loc, const std::string& more = "") {
  return "<url><loc>" + loc + "</loc>" + more + "</url>";
}
TestPage Xml(const std::string& body) { return {.content_type = "application/xml", .body = body, .headers = {}}; }
TestPage Robots(const std::string& text) { return {.content_type = "text/plain", .body = text, .headers = {}}; }
TestPage Html(const std::string& body) { return {.body = body, .headers = {}}; }

// A web that knows the day, and notes on which day it was asked for what.
class SitemapWeb {
 public:
  SitemapWeb() {
    const std::string site = "http://site.test/";
    Add("site.test",
        {{"/robots.txt", Robots("Sitemap: http://site.test/index.xml\n")},
         {"/", Html("<p>home")},
         {"/index.xml",
          Xml("<sitemapindex><sitemap><loc>" + site + "s1.xml</loc></sitemap><sitemap><loc>" + site +
              "s2.xml.gz</loc></sitemap><sitemap><loc>" + site + "news.xml</loc></sitemap></sitemapindex>")},
         {"/s1.xml",
          Xml(Urlset(Entry(site + "high", "<priority>1.0</priority><changefreq>hourly</changefreq>") +
                     Entry(site + "low", "<priority>0</priority><changefreq>yearly</changefreq>") +
                     Entry(site + "mid", "<priority>0.5</priority><changefreq>weekly</changefreq>") +
                     Entry(site + "plain") + Entry("http://other.test/allowed") + Entry("http://stranger.test/no")))},
         {"/s2.xml.gz",
          {.content_type = "application/gzip",
           .body = Gzip(Urlset(Entry(site + "gz", "<priority>0.8</priority><changefreq>daily</changefreq>"))),
           .headers = {}}}});
    Add("other.test", {{"/robots.txt", Robots("Sitemap: http://site.test/s1.xml\n")}, {"/", Html("<p>other")}});
    Add("stranger.test", {{"/robots.txt", Robots("Disallow: /sitemap.xml\nUser-agent: *\nDisallow: /sitemap.xml\n")},
                          {"/", Html("<p>stranger")}});
    Add("liar.test", {{"/robots.txt", Robots("Sitemap: http://liar.test/map.xml\n")}, {"/", Html("<p>liar")}});
    Add("blog.test",
        {{"/robots.txt", Robots("User-agent: *\nDisallow: /sitemap.xml\n")},
         {"/", Html("<link rel=alternate type=application/rss+xml href=/rss><link rel=alternate "
                    "type=application/atom+xml href=/atom><link rel=alternate type=application/feed+json href=/json>")},
         {"/atom",
          {.content_type = "application/atom+xml",
           .body = "<feed xmlns='http://www.w3.org/2005/Atom'><entry><link href='http://blog.test/a'/></entry></feed>",
           .headers = {}}},
         {"/json",
          {.content_type = "application/feed+json",
           .body = R"({"version":"https://jsonfeed.org/version/1.1","items":[{"id":"1","url":"/j"}]})",
           .headers = {}}}});
    Add("without.test", {{"/robots.txt", NotFound()}, {"/", Html("<p>none")}, {"/sitemap.xml", NotFound()}});
    Add("with.test", {{"/robots.txt", NotFound()},
                      {"/", Html("<p>one")},
                      {"/sitemap.xml", Xml(Urlset(Entry("http://with.test/hidden")))}});
    web_.Start();
  }

  // What one day brings; the answer of the verb.
  Json Day(int day) {
    day_ = day;
    std::vector<std::string> arguments = {"--now", FormatTimestamp(kFirstDay + day * kDayMs), "--sitemaps.guess=true"};
    if (day == 0) {
      for (const char* host : {"site", "other", "stranger", "liar", "blog", "without", "with"}) {
        arguments.push_back(std::string("http://") + host + ".test/");
      }
    }
    // On the first day as many rounds as it takes; then one a day.
    const BinaryResult result =
        web_.Run(day == 0 ? web_.CrawlArguments("a", arguments) : web_.Arguments("round", "a", arguments));
    EXPECT_LE(result.exit_code, 1) << day << ": " << result.err;
    return ParseJson(result.out).ValueOr(Json());
  }

  std::vector<int> DaysOf(const std::string& url) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return asked_[url];
  }
  Json Row(const std::string& url) {
    return ParseJson(web_.Run(web_.Arguments("readdb get", "a", {url})).out).ValueOr(Json());
  }
  Json Host(const std::string& host) { return web_.Object(web_.Arguments("host", "a", {host})); }
  // The rows of `trawl sitemaps HOST`, by URL.
  std::map<std::string, Json> Lists(const std::string& host) {
    std::map<std::string, Json> lists;
    std::istringstream lines(web_.Run(web_.Arguments("sitemaps", "a", {host})).out);
    for (std::string line; std::getline(lines, line);) {
      const Json row = ParseJson(line).ValueOr(Json());
      lists[row["url"].get<std::string>()] = row;
    }
    return lists;
  }
  std::string ListsText(const std::string& host) { return web_.Run({"sitemaps", "--root", web_.root("a"), host}).out; }

 private:
  void Add(const std::string& host, std::map<std::string, TestPage> pages) {
    web_.web().AddHost(host, [this, host, pages](const TestRequest& request) {
      const int day = day_;
      {
        const std::lock_guard<std::mutex> lock(mutex_);
        asked_[host + request.path].push_back(day);
      }
      const auto page = pages.find(request.path);
      return AnswerWith(page != pages.end() ? page->second : PageOf(host + request.path, day), request);
    });
  }

  // What changes with the days.
  static TestPage PageOf(const std::string& url, int day) {
    const std::string today = FormatTimestamp(kFirstDay + day * kDayMs);
    if (url == "site.test/news.xml") {
      const std::string modified = day < kModifiedOn ? "2025-12-01" : "2026-01-11";
      return Xml(Urlset(
          Entry("http://site.test/mod", "<lastmod>" + modified + "</lastmod>") +
          Entry("http://site.test/news-" + std::to_string(day),
                "<n:news><n:title>News</n:title><n:publication_date>" + today + "</n:publication_date></n:news>")));
    }
    if (url == "site.test/mod") return Html("<p>version " + std::to_string(day < kModifiedOn ? 1 : 2));
    if (url == "liar.test/map.xml") {
      std::string entries;
      for (int i = 0; i < 12; ++i) {
        entries +=
            Entry("http://liar.test/" + std::to_string(i), "<priority>1.0</priority><lastmod>" + today + "</lastmod>");
      }
      return Xml(Urlset(entries));
    }
    if (url == "blog.test/rss") {
      return {.content_type = "application/rss+xml",
              .body = "<rss><channel><item><link>http://blog.test/post-" + std::to_string(day) +
                      "</link></item></channel></rss>",
              .headers = {}};
    }
    return Html("<p>page " + url);
  }

  CrawledWeb web_;
  std::atomic<int> day_ = 0;
  std::mutex mutex_;
  std::map<std::string, std::vector<int>> asked_;
};

// "2026-01-31T00:00:00Z" after an interval of 30 days from the first day.
std::string DayText(int day) { return FormatTimestamp(kFirstDay + day * kDayMs); }

TEST(Sitemaps, SixtyDays) {
  SitemapWeb web;
  const Json first = web.Day(0);
  EXPECT_EQ(first["outcomes"].value("client_error", 0), 0) << DumpJson(first);
  EXPECT_EQ(first["outcomes"].value("no_sitemap", 0), 1) << DumpJson(first);
  EXPECT_EQ(first["success_rate"], 1.0) << DumpJson(first);

  // Depth, score, first interval and due time of each entry.
  static constexpr struct {
    const char* url;
    double score;
    int64_t interval_ms;
    const char* sitemap;
  } kEntries[] = {{"http://site.test/high", 0.9, kHourMs, "http://site.test/s1.xml"},
                  {"http://site.test/low", 0.3, 30 * kDayMs, "http://site.test/s1.xml"},
                  {"http://site.test/mid", 0.5, 7 * kDayMs, "http://site.test/s1.xml"},
                  {"http://site.test/plain", 0.5, 7 * kDayMs, "http://site.test/s1.xml"},
                  {"http://site.test/gz", 0.74, kDayMs, "http://site.test/s2.xml.gz"},
                  {"http://site.test/mod", 0.5, 7 * kDayMs, "http://site.test/news.xml"},
                  {"http://site.test/news-0", 0.5, 7 * kDayMs, "http://site.test/news.xml"},
                  {"http://other.test/allowed", 0.5, 7 * kDayMs, "http://site.test/s1.xml"},
                  {"http://with.test/hidden", 0.5, 7 * kDayMs, "http://with.test/sitemap.xml"},
                  // Every priority was the highest: none counts, in this round already.
                  {"http://liar.test/3", 0.5, 7 * kDayMs, "http://liar.test/map.xml"}};
  for (const auto& entry : kEntries) {
    const Json row = web.Row(entry.url);
    EXPECT_EQ(row["depth"], 0) << entry.url;
    EXPECT_EQ(row["kind"], "page") << entry.url;
    EXPECT_EQ(row["via"], entry.sitemap) << entry.url;
    EXPECT_EQ(row["sitemap"], entry.sitemap) << entry.url;
    EXPECT_EQ(row["score"], entry.score) << entry.url;
    EXPECT_EQ(row["interval_ms"], entry.interval_ms) << entry.url;
    if (entry.interval_ms > kHourMs) {
      EXPECT_EQ(row["due"], DayText(static_cast<int>(entry.interval_ms / kDayMs))) << entry.url;
    }
  }
  EXPECT_EQ(web.Row("http://stranger.test/no")["state"], Json());
  EXPECT_EQ(web.Row("http://without.test/sitemap.xml")["state"], Json());
  // The entries of feeds are links.
  for (const char* url : {"http://blog.test/a", "http://blog.test/j", "http://blog.test/post-0"}) {
    EXPECT_EQ(web.Row(url)["depth"], 2) << url;
    EXPECT_EQ(web.Row(url)["score"], 0.3) << url;
  }
  auto lists = web.Lists("site.test");
  ASSERT_THAT(lists, SizeIs(4));
  EXPECT_EQ(lists["http://site.test/index.xml"]["type"], "index");
  EXPECT_EQ(lists["http://site.test/index.xml"]["entries"], 3);
  EXPECT_EQ(lists["http://site.test/index.xml"]["named_by"], "http://site.test/robots.txt");
  EXPECT_EQ(lists["http://site.test/s2.xml.gz"]["type"], "urlset");
  EXPECT_EQ(lists["http://site.test/s2.xml.gz"]["named_by"], "http://site.test/index.xml");
  EXPECT_EQ(lists["http://site.test/s2.xml.gz"]["next"], DayText(1));
  lists = web.Lists("blog.test");
  EXPECT_EQ(lists["http://blog.test/rss"]["type"], "rss");
  EXPECT_EQ(lists["http://blog.test/atom"]["type"], "atom");
  EXPECT_EQ(lists["http://blog.test/json"]["type"], "json");
  EXPECT_EQ(lists["http://blog.test/json"]["kind"], "feed");
  EXPECT_EQ(lists["http://blog.test/json"]["interval_ms"], 6 * kHourMs);
  EXPECT_EQ(web.Lists("with.test")["http://with.test/sitemap.xml"]["named_by"], "nobody: a guess");
  EXPECT_THAT(web.ListsText("without.test"), HasSubstr("no sitemap or feed of without.test is known\n/sitemap.xml, "));

  for (int day = 1; day < kDays; ++day) web.Day(day);

  // A sitemap that never changes: 1, 2, 4, 8, 16, 30 days; one that changes: each day, its shortest interval being an hour.
  for (const char* url : {"site.test/index.xml", "site.test/s1.xml", "site.test/s2.xml.gz", "with.test/sitemap.xml"}) {
    EXPECT_THAT(web.DaysOf(url), ElementsAre(0, 1, 3, 7, 15, 31)) << url;
  }
  EXPECT_THAT(web.DaysOf("site.test/news.xml"), SizeIs(kDays));
  EXPECT_THAT(web.DaysOf("blog.test/rss"), SizeIs(kDays));
  // 6 h, 12 h, 1, 2, 4, 7 days.
  for (const char* url : {"blog.test/atom", "blog.test/json"}) {
    EXPECT_THAT(web.DaysOf(url), ElementsAre(0, 1, 2, 3, 5, 9, 16, 23, 30, 37, 44, 51, 58)) << url;
  }
  // Nothing there: once in 30 days. The first robots.txt that is read after them brings the guess, and the round after that
  // asks.
  const std::vector<int> guesses = web.DaysOf("without.test/sitemap.xml");
  ASSERT_THAT(guesses, SizeIs(2));
  EXPECT_GE(guesses[1] - guesses[0], 30);
  EXPECT_LE(guesses[1] - guesses[0], 32);
  EXPECT_THAT(web.DaysOf("stranger.test/sitemap.xml"), IsEmpty());
  EXPECT_THAT(web.DaysOf("stranger.test/no"), IsEmpty());

  // The page that its sitemap said to have changed was asked for in the next round, and only then out of turn.
  const std::vector<int> mod = web.DaysOf("site.test/mod");
  ASSERT_GE(mod.size(), 3u);
  EXPECT_THAT(std::vector<int>(mod.begin(), mod.begin() + 3), ElementsAre(0, 7, kModifiedOn + 1));
  EXPECT_EQ(web.Host("site.test")["sitemaps"], "what its sitemaps state is believed");
  // Entries that left the sitemap stay.
  EXPECT_EQ(web.Row("http://site.test/news-0")["state"], "fetched");

  // The lie of every day is believed once: then its pages are read at their own intervals, and its sitemap once a day.
  EXPECT_THAT(web.DaysOf("liar.test/3"), ElementsAre(0, 2, 9, 16, 30, 44, 58));
  EXPECT_THAT(web.DaysOf("liar.test/map.xml"), SizeIs(kDays));
  EXPECT_THAT(web.Host("liar.test")["sitemaps"].get<std::string>(),
              HasSubstr("were wrong; priorities are not believed, "));
  EXPECT_EQ(web.Lists("liar.test")["http://liar.test/map.xml"]["believed"], false);
}

}  // namespace
}  // namespace trawl
