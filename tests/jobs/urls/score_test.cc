// trawl score by the binary: lines, keys, what is taken back, and what rounds, links and inject leave as it is.
#include "jobs/policy/score.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "formats/rows/times.h"
#include "jobs/urls/score_urls.h"
#include "tests/support/crawl/crawled_web.h"
#include "tests/support/crawl/segment_fixture.h"
#include "tests/support/process/trawl_command.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

using ::testing::HasSubstr;

TEST(ScoreLine, IsAUrlOrAKeyAndAScore) {
  const struct {
    const char* line;
    const char* key;
    int32_t score;
  } good[] = {{"https://a.com/x 0.5", "com,a)/x", 500'000},
              {"  HTTP://A.com:80/x?b=1&a=2\t \t1e-1\r", "com,a)http/x?a=2&b=1", 100'000},
              {"com,a)http:8080/x 1", "com,a)http:8080/x", kScoreOne},
              {"# https://a.com/x 0.5", "", 0},
              {"", "", 0}};
  for (const auto& one : good) {
    ASSERT_OK_AND_ASSIGN(const ScoreLine read, ReadScoreLine(one.line, false, NormalForm::kStandard));
    EXPECT_EQ(read.key, one.key) << one.line;
    EXPECT_EQ(read.score, one.score) << one.line;
  }
  for (const auto& [line, message] : std::vector<std::pair<std::string, std::string>>{
           {"https://a.com/x", "has no score; write URL SCORE"},
           {"https://a.com/x much", "score 'much' is not a number from 0 to 1"},
           {"https://a.com/x -1", "score '-1' is not a number"},
           {"https://a.com/x 7", "score '7' is over 1; write a number from 0 to 1"},
           {"nonsense 0.5", "nonsense"}}) {
    const auto read = ReadScoreLine(line, false, NormalForm::kStandard);
    ASSERT_FALSE(read.ok()) << line;
    EXPECT_THAT(read.status().message(), HasSubstr(message));
  }
  EXPECT_FALSE(ReadScoreLine("https://a.com/x much", true, NormalForm::kStandard).ok());
  for (const char* line : {"https://a.com/x", "com,a)/x 0.3"}) {
    ASSERT_OK_AND_ASSIGN(const ScoreLine read, ReadScoreLine(line, true, NormalForm::kStandard));
    EXPECT_EQ(read.key, "com,a)/x") << line;
  }
}

TEST(Score, OneSnapshotForAllLinesAndTheLaterOneCounts) {
  SegmentFixture crawl;
  ASSERT_OK(crawl.Put<UrlRow>({UnfetchedRow("com,a)/1"), UnfetchedRow("com,a)/2"), UnfetchedRow("com,b)/3")}));
  const auto score = [&crawl](std::vector<std::string> arguments, const std::string& input) {
    arguments.insert(arguments.begin(), "score");
    arguments.insert(arguments.end(), {"--root", crawl.root(), "--now", CrawledWeb::kNow, "--json"});
    return Trawl(arguments, input);
  };
  const int64_t before = crawl.Present().number;
  const std::string file = crawl.root() + "-scores";
  std::ofstream(file) << "com,a)/1 0.1\nhttps://a.com/2 0.9\nhttps://c.com/ 0.5\n";
  const Json done = AnswerOf(score({file, "-"}, "https://a.com/1 0.75\nhttps://b.com/3\nhttps://b.com/3 0.2\n"));
  EXPECT_EQ(crawl.Present().number, before + 1);
  EXPECT_EQ(done["matched"], 3);
  EXPECT_EQ(done["changed"], 3);
  EXPECT_EQ(done["not_known"], 1);
  EXPECT_EQ(done["repeated"], 1);
  EXPECT_EQ(done["bad"], 1);
  EXPECT_THAT(DumpJson(done["samples"]), HasSubstr("has no score"));
  EXPECT_EQ(crawl.Find<UrlRow>("com,a)/1")->score, 750'000) << "standard input comes later";
  EXPECT_EQ(crawl.Find<UrlRow>("com,a)/2")->score, 900'000);
  EXPECT_TRUE(crawl.Find<UrlRow>("com,b)/3")->fixed_score);
  EXPECT_EQ(score({"-"}, "nonsense\n").exit_code, 3);
  const Json bad = AnswerOf(score({"--take_back", "-"}, "com,c)/9\nhttps://a.com/1 much\nhttps://a.com/2 7\n"));
  EXPECT_EQ(bad["bad"], 2) << "what stands after a URL is a score or a mistake";
  EXPECT_EQ(bad["not_known"], 1);
  EXPECT_EQ(bad["changed"], 0);
  EXPECT_EQ(score({}, "").exit_code, 2);

  EXPECT_EQ(AnswerOf(score({"--take_back", "-"}, "com,a)/1\n"))["changed"], 1);
  const UrlRow back = *crawl.Find<UrlRow>("com,a)/1");
  EXPECT_FALSE(back.fixed_score);
  EXPECT_EQ(back.score, ScoreOf({.depth = back.depth, .key = back.key}));
  std::filesystem::remove(file);
}

// Three rounds in which each page is fetched again and linked, with an inject and a urls set between them.
TEST(Score, StaysOverRoundsUntilItIsTakenBack) {
  const LinkGraph graph = {.hosts = 2, .pages = 4};
  CrawledWeb web(graph);
  web.Crawl("a", {web.seed()});
  const std::vector<std::string> urls = {LinkGraphUrl(graph, 0, 1), LinkGraphUrl(graph, 1, 0),
                                         LinkGraphUrl(graph, 1, 2)};
  const std::string file = web.root("scores");
  std::ofstream(file) << urls[0] << " 0.95\n" << urls[1] << " 0.05\n" << web.seed() << " 0.6\n";
  EXPECT_EQ(web.Object(web.Arguments("score", "a", {file, "--now", CrawledWeb::kNow}))["changed"], 3);
  web.Object(web.Arguments("urls set", "a", {urls[2], "--score", "0.85", "--now", CrawledWeb::kNow}));
  const auto score_of = [&web](const std::string& url) {
    return web.Object(web.Arguments("readdb get", "a", {url}))["score"].get<double>();
  };
  for (const char* now : {"2026-02-01T00:00:00Z", "2026-03-04T00:00:00Z", "2026-04-05T00:00:00Z"}) {
    EXPECT_GT(web.Crawl("a", {"--now", now})["fetched"], 3) << now;
    web.Object(web.Arguments("inject", "a", {urls[0], urls[2], "--now", now}));
    EXPECT_EQ(score_of(urls[0]), 0.95) << now;
    EXPECT_EQ(score_of(urls[1]), 0.05) << now;
    EXPECT_EQ(score_of(urls[2]), 0.85) << now;
    EXPECT_EQ(score_of(web.seed()), 0.6) << now;
  }
  EXPECT_EQ(web.Object(web.Arguments("score", "a", {file, "--take_back", "--now", "2026-04-06T00:00:00Z"}))["changed"],
            3);
  web.Object(web.Arguments("urls set", "a", {urls[2], "--score", "rule", "--now", "2026-04-06T00:00:00Z"}));
  web.Crawl("a", {"--now", "2026-05-20T00:00:00Z"});
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_GT(score_of(urls[i]), 0.1) << urls[i];
    EXPECT_LT(score_of(urls[i]), 0.8) << urls[i];
  }
}

}  // namespace
}  // namespace trawl
