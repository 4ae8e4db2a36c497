// trawl inject by the binary: what lines say of URLs that are new or known.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "formats/url/key.h"
#include "tests/support/process/trawl_command.h"

namespace trawl {
namespace {

using ::testing::HasSubstr;

class Inject : public ::testing::Test {
 protected:
  BinaryResult Run(const std::string& lines, std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments = {"inject", "--root", root_, "-"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Trawl(arguments, lines);
  }
  Json Answer(const std::string& lines, std::vector<std::string> more = {}) const {
    more.push_back("--json");
    return AnswerOf(Run(lines, std::move(more)));
  }
  Json RowOf(const std::string& url) const {
    return AnswerOf(Trawl({"readdb", "get", "--root", root_, "--json", url}));
  }

  TemporaryFolder folder_;
  const std::string root_ = folder_.path() + "/crawl";
};

TEST_F(Inject, TheMoreExplicitOfTwoLinesWins) {
  const BinaryResult result = Run("http://ok.test/\tscore=0.3\tinterval=1d\tteam=news\nhttp://ok.test/#frag\n");
  EXPECT_EQ(result.out, "1 new, 0 known; snapshot 1\n");
  const Json row = RowOf("http://ok.test/");
  EXPECT_EQ(row["score"], 0.3);
  EXPECT_EQ(row["own_interval_ms"], 86'400'000);
  EXPECT_EQ(row["metadata"]["team"], "news");
}

TEST_F(Inject, LinesThatContradictEachOtherAreNamed) {
  const BinaryResult result = Run("http://ok.test/\tscore=0.3\nhttp://ok.test/\tscore=0.5\tinterval=1d\n");
  EXPECT_THAT(result.err, HasSubstr("standard input:1: score=0.3 gives way to score=0.5 of standard input:2"));
  EXPECT_EQ(RowOf("http://ok.test/")["score"], 0.5);
}

// The same rows, whatever order the files have and however many threads and reducers read them.
TEST_F(Inject, TheOrderOfLinesAndFilesDoesNotMatter) {
  std::string one, two;
  for (int i = 0; i < 50; ++i) {
    const std::string url = "http://host" + std::to_string(i % 7) + ".test/" + std::to_string(i);
    one += url + "\tscore=0." + std::to_string(1 + i % 9) + "\n" + url + "#x\n";
    two += url + "\tinterval=2d\tscore=0.2\n" + url + "\tteam=t" + std::to_string(i) + "\n";
  }
  std::ofstream(folder_.path() + "/one.txt") << one;
  std::ofstream(folder_.path() + "/two.txt") << two;
  std::set<std::string> rows;
  for (const bool swapped : {false, true}) {
    for (const char* threads : {"1", "2"}) {
      const std::string root = folder_.path() + "/crawl-" + threads + (swapped ? "s" : "");
      const std::string first = folder_.path() + (swapped ? "/two.txt" : "/one.txt");
      const std::string second = folder_.path() + (swapped ? "/one.txt" : "/two.txt");
      AnswerOf(Trawl({"inject", "--root", root, "--json", "--threads", threads, "--partitions", threads, "--now",
                      "2026-01-01T00:00:00Z", first, second}));
      rows.insert(CompactedRowsOf(root));
    }
  }
  EXPECT_EQ(rows.size(), 1u);
}

TEST_F(Inject, AKnownSeedStaysUnlessUpdateIsGiven) {
  Run("http://ok.test/\tscore=0.3\tteam=news\n");
  const BinaryResult plain = Run("http://ok.test/\tscore=0.9\n");
  EXPECT_EQ(plain.out, "0 new, 1 known; no change\n");
  EXPECT_THAT(plain.err, HasSubstr("1 known URL has other values than the lines name; --update would set them"));
  EXPECT_EQ(RowOf("http://ok.test/")["score"], 0.3);
  const Json updated = Answer("http://ok.test/\tscore=0.9\tpriority=low\thttp=x\n", {"--update"});
  EXPECT_EQ(updated["updated"], 1);
  EXPECT_EQ(updated["new"], 0);
  const Json row = RowOf("http://ok.test/");
  EXPECT_EQ(row["score"], 0.9);
  EXPECT_EQ(row["tier"], "low");
  EXPECT_EQ(row["metadata"], (Json{{"http", "x"}, {"team", "news"}}));
  EXPECT_EQ(Answer("http://ok.test/\tscore=0.9\n", {"--update"})["changed"], false);
  EXPECT_EQ(Run("http://ok.test/\tscore=0.9\n").err, "");
}

TEST_F(Inject, APriorityIsATierAndAMisspeltOneIsWarnedOf) {
  const BinaryResult result = Run("http://ok.test/a\tpriority=1\nhttp://ok.test/b\tpriorty=1\n");
  EXPECT_THAT(result.err, HasSubstr("standard input:2: 'priorty' is kept as metadata; did you mean priority?"));
  EXPECT_EQ(RowOf("http://ok.test/a")["tier"], "medium");
  EXPECT_EQ(RowOf("http://ok.test/a")["metadata"], Json::object());
  EXPECT_EQ(RowOf("http://ok.test/b")["metadata"]["priorty"], "1");
}

TEST_F(Inject, WhatTheScopeRefusesIsRefusedAtOnce) {
  const std::string rules = folder_.path() + "/rules";
  std::ofstream(rules) << "-/private/\n+.\n";
  const std::vector<std::string> scope = {"--urls.scope_rules", rules, "--urls.max_parameters", "2"};
  const BinaryResult result = Run(
      "http://ok.test/a/b/a/b/a/b\nhttp://ok.test/?a=1&b=2&c=3\nhttp://ok.test/private/x\nhttp://ok.test/\n", scope);
  EXPECT_EQ(result.out, "1 new, 0 known, 3 bad lines; snapshot 1\n");
  EXPECT_THAT(result.err, HasSubstr("standard input:1: refused: path segments that repeat"));
  EXPECT_THAT(result.err,
              HasSubstr("standard input:2: refused: more than 2 query parameters: it has 3 (--urls.max_parameters)"));
  EXPECT_THAT(result.err, HasSubstr(":1: -/private/ (--urls.scope_rules)"));
  EXPECT_EQ(Run("http://ok.test/private/y\n", scope).exit_code, 3);
  // Seeds make the scope: another domain is no reason.
  EXPECT_EQ(Answer("http://other.test/\n", {"--urls.scope", "host"})["new"], 1);
}

TEST_F(Inject, NoSeedAndNoFileSayTheSameHelpfulThing) {
  const std::string helpful =
      "name a URL (https://www.example.com/), a file with one URL per line, or - for standard input";
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"inject"}, {"inject", "nofile.txt"}, {"crawl", "nofile.txt"}}) {
    std::vector<std::string> all = arguments;
    all.insert(all.end(), {"--root", root_});
    const BinaryResult result = Trawl(all);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr(helpful)) << arguments.front();
  }
}

}  // namespace
}  // namespace trawl
