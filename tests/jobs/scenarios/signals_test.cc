// What pages ask for, over rounds: noted, counted, shown, and respected by exports.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/crawl/crawled_web.h"

namespace trawl {
namespace {

using ::testing::HasSubstr;

constexpr char kLater[] = "2026-02-10T00:00:00Z";
constexpr char kLast[] = "2026-04-10T00:00:00Z";
constexpr char kNoArchive[] = "<meta name=robots content=noarchive>";

// Each page is asked for once a round: the number of the request is that of the round.
TestHandler Wishing() {
  return [](const TestRequest& request) {
    const bool is_first = request.number == 1;
    TestPage page{.body = "<p>" + request.path};
    const auto header = [&page](const char* name, const char* value) { page.headers.emplace_back(name, value); };
    if (request.path == "/robots.txt") return AnswerWith(NotFound(), request);
    if (request.path == "/") {
      for (const char* name : {"header", "both", "meta", "late", "same", "ai", "tdm", "over"}) {
        page.body += "<a href=/" + std::string(name) + ">x</a>";
      }
      page.body += "<a href=http://b.test/>b</a>";
    }
    if (request.path == "/header" && is_first) header("X-Robots-Tag", "otherbot: nofollow, *: noarchive");
    if (request.path == "/both") page.body += kNoArchive;
    if (request.path == "/both" && is_first) header("X-Robots-Tag", "noarchive");
    if (request.path == "/meta" && is_first) page.body += kNoArchive;
    if (request.path == "/late" && !is_first) header("X-Robots-Tag", "noarchive");
    if (request.path == "/same") page.etag = "\"1\"";
    if (request.path == "/same" && !is_first) header("X-Robots-Tag", "noarchive");
    if (request.path == "/ai") page.body += "<meta name=robots content='NOAI noimageai'>";
    if (request.path == "/tdm") {
      header("tdm-reservation", "1");
      header("Content-Signal", "search=yes, ai-input=no");
    }
    if (request.path == "/over") header("X-Robots-Tag", "unavailable_after: 2026-03-01");
    return AnswerWith(page, request);
  };
}

TestHandler WithRobots() {
  return [](const TestRequest& request) {
    const bool is_first = request.number == 1;
    if (request.path != "/robots.txt") return AnswerWith({.body = "<p>b"}, request);
    return AnswerWith({.content_type = "text/plain",
                       .body = is_first ? "User-agent: *\nContent-Signal: search=yes, ai-train=no\nAllow: /\n"
                                        : "User-agent: *\nAllow: /\n"},
                      request);
  };
}

class SignalsOverRounds : public ::testing::Test {
 protected:
  SignalsOverRounds() {
    web_.web().AddHost("a.test", Wishing());
    web_.web().AddHost("b.test", WithRobots());
    web_.Start();
  }
  // All rounds that are due by then. Returns how many bodies were stored.
  int Crawl(const char* now) {
    int stored = 0;
    while (true) {
      const BinaryResult round =
          web_.Run(web_.Arguments("round", "c",
                                  {"--now", now, "--fetch.allow_private", "--fetch.delay_ms", "0", "--fetch.hosts_file",
                                   web_.hosts_file(), "--urls.scope", "any"}));
      EXPECT_LE(round.exit_code, 1) << round.err;
      if (round.exit_code != 0) return stored;
      stored += ParseJson(round.out).ValueOr(Json()).value("pages", 0);
    }
  }
  void Set(const std::string& setting, const char* now) {
    web_.Object(web_.Arguments("config set", "c", {setting, "--now", now}));
  }
  void Inject() { web_.Object(web_.Arguments("inject", "c", {"--now", CrawledWeb::kNow, "http://a.test/"})); }
  Json Get(const std::string& url) { return web_.Object(web_.Arguments("readdb get", "c", {url}))["signals"]; }
  Json Export(std::vector<std::string> more) {
    more.insert(more.begin(), {"pages", web_.root("out" + std::to_string(exports_++))});
    return web_.Object(web_.Arguments("export", "c", more));
  }
  Json Stats() { return web_.Object(web_.Arguments("readdb stats", "c", {}))["signals"]; }

  CrawledWeb web_;
  int exports_ = 0;
};

TEST_F(SignalsOverRounds, AreRespectedAsTheyAreNow) {
  Inject();
  EXPECT_EQ(Crawl(CrawledWeb::kNow), 10);
  EXPECT_EQ(Get("http://a.test/header"), Json({"noarchive"}));
  EXPECT_EQ(Get("http://a.test/ai"), Json({"noai", "noimageai"}));
  EXPECT_EQ(Get("http://a.test/tdm"), Json({"tdm-reserved", "no-ai-input"}));
  EXPECT_EQ(Stats(), Json({{"noarchive", 3}, {"noai", 1}, {"noimageai", 1}, {"tdm-reserved", 1}, {"no-ai-input", 1}}));
  const BinaryResult dump = web_.Run(web_.Arguments("readdb dump", "c", {"--signal", "noarchive,noai"}));
  EXPECT_EQ(std::count(dump.out.begin(), dump.out.end(), '\n'), 4);

  const Json usual = Export({});
  EXPECT_EQ(usual["left_out"], 3);
  EXPECT_EQ(usual["left_out.noarchive"], 3);
  EXPECT_EQ(usual["pages"], 7);
  EXPECT_EQ(Export({"--respect", "none"})["pages"], 10) << "the bodies are stored all the same";
  const Json of_robots = Export({"--respect", "no-ai-train"});
  EXPECT_EQ(of_robots["left_out.no-ai-train"], 1) << "b.test's robots.txt says so";
  const BinaryResult text = web_.Run({"export", "pages", web_.root("text"), "--root", web_.root("c")});
  EXPECT_THAT(text.err, HasSubstr("3 pages left out: noarchive 3 (--respect none writes them, too)"));

  // A setting of the crawl, kept as such.
  Set("signals.respect=noarchive,noai,no-ai-train,noindex", CrawledWeb::kNow);
  const Json set = Export({"--now", "2026-01-02T00:00:00Z"});
  EXPECT_EQ(set["left_out"], 5);
  EXPECT_EQ(set["left_out.noai"], 1);
  EXPECT_EQ(Export({"--now", kLater})["left_out"], 5);
  EXPECT_EQ(Export({"--now", "2026-03-02T00:00:00Z"})["left_out.noindex"], 1) << "its time is over";

  // The second round: the same bodies with other fields, a body without its wish, and a 304 with one.
  EXPECT_EQ(Crawl(kLater), 4) << "header, both, meta and late";
  EXPECT_EQ(Get("http://a.test/header"), Json::array());
  EXPECT_EQ(Get("http://a.test/both"), Json({"noarchive"})) << "the page itself still says so";
  EXPECT_EQ(Get("http://a.test/meta"), Json::array());
  EXPECT_EQ(Get("http://a.test/late"), Json({"noarchive"}));
  EXPECT_EQ(Get("http://a.test/same"), Json({"noarchive"}));
  const Json second = Export({"--now", kLater});
  EXPECT_EQ(second["left_out.noarchive"], 3);
  EXPECT_EQ(second["left_out.noai"], 1);
  EXPECT_FALSE(second.contains("left_out.no-ai-train")) << "robots.txt has changed";
  EXPECT_EQ(second["pages"], 6) << second;

  // The third: nothing has changed, but that the time of /over is over.
  EXPECT_EQ(Crawl(kLast), 1);
  EXPECT_EQ(Get("http://a.test/over"), Json({"noindex"}));
  EXPECT_EQ(Export({"--now", kLast})["left_out.noarchive"], 3);
  Set("signals.respect=", kLast);
  EXPECT_EQ(Export({"--now", kLast})["left_out"], 3) << "the default again";
}

TEST_F(SignalsOverRounds, AreShownWithThePage) {
  Inject();
  Crawl(CrawledWeb::kNow);
  const Json page = web_.Object(web_.Arguments("page", "c", {"http://a.test/tdm"}));
  EXPECT_EQ(page["content_signal"], "ai-input=no, search=yes");
  EXPECT_EQ(page["tdm_reservation"], true);
  EXPECT_EQ(page["signals"], Json({"tdm-reserved", "no-ai-input"}));
  EXPECT_EQ(web_.Object(web_.Arguments("page", "c", {"http://a.test/over"}))["unavailable_after"],
            "2026-03-01T00:00:00Z");
}

TEST_F(SignalsOverRounds, TheWishMayComeWithTheFirstCommand) {
  web_.Crawl("c", {"http://a.test/", "--respect", "noai"});
  EXPECT_EQ(web_.Object(web_.Arguments("config get", "c", {"signals.respect"}))["signals.respect"], "noai");
  EXPECT_EQ(Export({})["left_out.noai"], 1);
}

}  // namespace
}  // namespace trawl
