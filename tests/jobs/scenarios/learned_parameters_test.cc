// Parameters that change nothing, learned by the crawl itself, over rounds: --urls.learn_parameters.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/support/crawl/crawled_web.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

using ::testing::HasSubstr;

constexpr int kItems = 24;

std::string ItemUrl(int item, int session) {
  return "/item?id=" + std::to_string(item) + "&sid=" + std::to_string(session);
}

std::string TextOf(int item) {
  std::string text;
  for (int word = 0; word < 60; ++word) text += "w" + std::to_string(item * 100 + word) + ' ';
  return text;
}

// Each answer makes a new session of the one that it is asked with: a trap without end.
TestHandler Shop(bool has_bare_urls = true) {
  return [has_bare_urls](const TestRequest& request) {
    TestPage page;
    if (request.path == "/") {
      for (int item = 0; item < kItems; ++item) {
        for (const int session : {1, 2}) page.body += "<a href='" + ItemUrl(item, session) + "'>x</a>";
      }
      return AnswerWith(page, request);
    }
    const size_t id = request.path.find("id="), sid = request.path.find("&sid=");
    if (id == std::string::npos) return AnswerWith(NotFound(), request);
    const int item = std::atoi(request.path.c_str() + id + 3);
    if (sid == std::string::npos && !has_bare_urls) return AnswerWith(NotFound(), request);
    const int session = sid == std::string::npos ? 0 : std::atoi(request.path.c_str() + sid + 5);
    page.body = "<title>Item " + std::to_string(item) + "</title><p>" + TextOf(item) + "<a href='" +
                ItemUrl(item, session + 2) + "'>again</a>";
    return AnswerWith(page, request);
  };
}

class LearnedParameters : public ::testing::Test {
 protected:
  LearnedParameters() {
    web_.web().AddHost("a.test", Shop());
    web_.web().AddHost("b.test", Shop(/*has_bare_urls=*/false));
    web_.Start();
  }
  // Rounds of one crawl, an hour apart.
  void Rounds(const std::string& crawl, int first, int last, std::vector<std::string> more,
              const std::string& host = "a.test") {
    if (first == 1) web_.Object(web_.Arguments("inject", crawl, {"--now", CrawledWeb::kNow, "http://" + host + "/"}));
    for (int round = first; round <= last; ++round) {
      const std::string now = "2026-01-01T" + std::to_string(10 + round) + ":00:00Z";
      std::vector<std::string> all = {
          "--now", now, "--fetch.allow_private", "--fetch.delay_ms", "0", "--fetch.hosts_file", web_.hosts_file()};
      all.insert(all.end(), more.begin(), more.end());
      const BinaryResult done = web_.Run(web_.Arguments("round", crawl, all));
      ASSERT_LE(done.exit_code, 1) << done.err;
    }
  }
  // The sessions of all URLs of items; 0: one without.
  std::set<int> Sessions(const std::string& crawl) {
    std::set<int> sessions;
    const std::string dump = web_.Run({"readdb", "dump", "--root", web_.root(crawl), "--format", "csv"}).out;
    for (size_t at = dump.find("/item?id="); at != std::string::npos; at = dump.find("/item?id=", at + 1)) {
      const std::string url = dump.substr(at, dump.find_first_of(",\"\n", at) - at);
      const size_t sid = url.find("&sid=");
      sessions.insert(sid == std::string::npos ? 0 : std::atoi(url.c_str() + sid + 5));
    }
    return sessions;
  }
  Json Patterns(const std::string& crawl) {
    return web_.Object(web_.Arguments("host", crawl, {"a.test", "--patterns"}));
  }

  CrawledWeb web_;
};

TEST_F(LearnedParameters, EndTheTrapThatTheyAre) {
  Rounds("off", 1, 6, {});
  EXPECT_GT(*Sessions("off").rbegin(), 4) << "never applied unasked";
  EXPECT_TRUE(Patterns("off")["learned"].empty());

  const std::vector<std::string> learn = {"--urls.learn_parameters"};
  Rounds("on", 1, 6, learn);
  // Learned from sessions 1 and 2, when the links of these pages had been read.
  EXPECT_EQ(Sessions("on"), (std::set<int>{0, 1, 2, 3, 4}));
  const Json learned = Patterns("on")["learned"];
  ASSERT_EQ(learned.size(), 1U);
  EXPECT_EQ(learned[0]["pattern"], "http://a.test/item");
  EXPECT_EQ(learned[0]["parameter"], "sid");
  EXPECT_GE(learned[0]["pairs"], kItems);
  EXPECT_EQ(learned[0]["taken_back"], false);
  const std::string text = web_.Run({"host", "a.test", "--patterns", "--root", web_.root("on")}).out;
  EXPECT_THAT(text, HasSubstr("http://a.test/item: sid changes nothing ("));
  const auto explain = [&](std::vector<std::string> more) {
    more.insert(more.begin(),
                {"readdb", "get", "--explain", "http://a.test" + ItemUrl(3, 1), "--root", web_.root("on")});
    return web_.Run(more).out;
  };
  EXPECT_THAT(explain(learn), HasSubstr("lead to http://a.test/item?id=3: "));
  EXPECT_EQ(explain({}).find("lead to"), std::string::npos);

  // Taken back, it is not learned again, and links count as they are.
  web_.Object(web_.Arguments("host", "on", {"a.test", "--clear", "patterns", "--now", "2026-01-01T17:00:00Z"}));
  EXPECT_EQ(Patterns("on")["learned"][0]["taken_back"], true);
  web_.Run({"urls", "set", "http://a.test" + ItemUrl(3, 4), "--due", "now", "--now", "2026-01-01T17:00:00Z", "--root",
            web_.root("on")});
  Rounds("on", 8, 9, learn);
  EXPECT_EQ(Patterns("on")["learned"][0]["taken_back"], true);
}

TEST_F(LearnedParameters, GoWhereTheUrlsWithoutThemLeadNowhere) {
  const std::vector<std::string> learn = {"--urls.learn_parameters"};
  const auto learned = [&] { return web_.Object(web_.Arguments("host", "b", {"b.test", "--patterns"}))["learned"]; };
  Rounds("b", 1, 3, learn, "b.test");
  ASSERT_EQ(learned().size(), 1U);
  EXPECT_EQ(learned()[0]["taken_back"], false);
  EXPECT_EQ(*Sessions("b").rbegin(), 4);
  Rounds("b", 4, 7, learn, "b.test");
  ASSERT_EQ(learned().size(), 1U) << "and it is not learned again";
  EXPECT_EQ(learned()[0]["taken_back"], true);
  EXPECT_GT(*Sessions("b").rbegin(), 4) << "links count as they are";
}

}  // namespace
}  // namespace trawl
