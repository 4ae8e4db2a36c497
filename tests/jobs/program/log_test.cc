// --log_format and --log_file, by the binary.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "tests/support/crawl/crawled_web.h"
#include "tests/support/process/trawl_command.h"

namespace trawl {
namespace {

using ::testing::HasSubstr;
using ::testing::IsSupersetOf;

std::vector<Json> EventsOf(const std::string& text) {
  std::vector<Json> events;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto json = ParseJson(line);
    EXPECT_TRUE(json.ok()) << line;
    if (json.ok()) events.push_back(*json);
  }
  return events;
}

std::string TextOfFile(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

class Log : public ::testing::Test {
 protected:
  TemporaryFolder folder_;
  const std::string root_ = folder_.path() + "/crawl";
  const std::string file_ = folder_.path() + "/log";
};

TEST_F(Log, OnStandardErrorTakesThePlaceOfTextsForPeople) {
  const BinaryResult done =
      Trawl({"inject", "--root", root_, "--log_format", "json", "https://a.example/", "https://a.example/\tscor=1"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_EQ(done.out, "1 new, 0 known; snapshot 1\n");
  std::vector<std::string> names;
  for (const Json& event : EventsOf(done.err)) {
    names.push_back(event["event"]);
    EXPECT_EQ(event["level"], event["event"] == "said" ? "warning" : "info");
    EXPECT_TRUE(event["time"].get<std::string>().ends_with("Z"));
  }
  EXPECT_EQ(names, (std::vector<std::string>{"verb_began", "job_began", "snapshot_published", "job_published", "said",
                                             "verb_ended"}));
  // The failure is an event, too, and whatever the argument holds it is one line.
  const BinaryResult failed = Trawl({"readdb", "get", "http://[\n\x1b[31m", "--root", root_, "--log_format", "json"});
  EXPECT_EQ(failed.exit_code, 2);
  const std::vector<Json> events = EventsOf(failed.err);
  ASSERT_EQ(events.size(), 2u) << failed.err;
  EXPECT_EQ(events[1]["level"], "error");
  EXPECT_EQ(events[1]["exit"], 2);
  EXPECT_NE(events[1]["text"], "");
}

TEST_F(Log, InAFileLeavesStandardErrorAsItIs) {
  const BinaryResult done = Trawl({"inject", "--root", root_, "--log_file", file_, "https://a.example/", "http://[/"});
  EXPECT_EQ(done.out, "1 new, 0 known, 1 bad line; snapshot 1\n");
  EXPECT_THAT(done.err, HasSubstr("http://[/"));
  const std::string text = TextOfFile(file_);
  EXPECT_THAT(text, HasSubstr(" info snapshot_published verb=inject job="));
  EXPECT_THAT(text, HasSubstr(" warning said "));
  const BinaryResult failed = Trawl({"updatedb", "--root", root_, "--segment", "no", "--log_file", file_});
  EXPECT_THAT(failed.err, HasSubstr("trawl: "));
  EXPECT_TRUE(TextOfFile(file_).starts_with(text)) << "the log is appended to";
  EXPECT_THAT(TextOfFile(file_), HasSubstr(" error verb_ended verb=updatedb "));
}

TEST_F(Log, OfACrawlHasItsRounds) {
  CrawledWeb web(LinkGraph{.hosts = 2, .pages = 4});
  const Json summary = web.Crawl("a", {web.seed(), "--log_file", file_, "--log_format", "json"});
  std::set<std::string> names;
  int rounds = 0;
  int64_t pages = 0;
  for (const Json& event : EventsOf(TextOfFile(file_))) {
    names.insert(event["event"]);
    if (event["event"] != "round_applied") continue;
    ++rounds;
    pages += event["pages"].get<int64_t>();
    EXPECT_TRUE(event["segment"].is_string());
    EXPECT_GT(event["snapshot"], 0);
  }
  EXPECT_EQ(rounds, summary["rounds"]);
  EXPECT_EQ(pages, summary["pages"]);
  EXPECT_THAT(names, IsSupersetOf({"verb_began", "job_began", "snapshot_published", "job_published", "verb_ended"}));
}

TEST_F(Log, ThatCannotBeOpenedIsAnErrorAndAFullDiskIsNone) {
  const BinaryResult none = Trawl({"readdb", "stats", "--root", root_, "--log_file", folder_.path() + "/no/log"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, HasSubstr("--log_file " + folder_.path() + "/no/log: No such file or directory"));
  EXPECT_EQ(Trawl({"inject", "--root", root_, "--log_file", "/dev/full", "https://a.example/"}).exit_code, 0);
}

}  // namespace
}  // namespace trawl
