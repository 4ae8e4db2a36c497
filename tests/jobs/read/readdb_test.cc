// trawl readdb: which rows it prints, and in which form.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "tests/support/process/trawl_command.h"

namespace trawl {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;

class Readdb : public ::testing::Test {
 protected:
  void Inject(std::vector<std::string> urls) {
    urls.insert(urls.begin(), {"inject", "--root", root_, "--quiet"});
    ASSERT_EQ(Trawl(urls).exit_code, 0);
  }
  // The member of each object that a verb printed.
  std::vector<std::string> Printed(const std::string& member, std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--root", root_});
    const BinaryResult result = Trawl(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    std::vector<std::string> values;
    std::istringstream lines(result.out);
    for (std::string line; std::getline(lines, line);) values.push_back((*ParseJson(line))[member].get<std::string>());
    return values;
  }

  TemporaryFolder folder_;
  const std::string root_ = folder_.path() + "/crawl";
};

TEST_F(Readdb, StatsSayStatesBelowTheUrlsAndWhenSomethingIsDue) {
  Inject({"https://a.example/", "--now", "2026-01-02T00:00:00Z"});
  const std::vector<std::string> stats = {"readdb", "stats", "--root", root_, "--now", "2026-01-01T00:00:00Z"};
  EXPECT_THAT(Trawl(stats).out, StartsWith("snapshot      1\n"
                                           "urls          1\n"
                                           "  unfetched   1\n"
                                           "hosts         1\n"
                                           "due           0\n"
                                           "next due      2026-01-02T00:00:00Z\n"));
  EXPECT_EQ(Printed("next_due", {"readdb", "stats", "--json", "--now", "2026-01-01T00:00:00Z"}),
            std::vector<std::string>{"2026-01-02T00:00:00Z"});
}

TEST_F(Readdb, HostsOfAPrefixAreTheOneThatItNames) {
  Inject({"https://a.example/", "https://b.example/"});
  for (const char* host : {"a.example", "b.example", "www.a.example"}) {
    ASSERT_EQ(Trawl({"host", host, "--block", "--root", root_, "--quiet"}).exit_code, 0);
  }
  EXPECT_THAT(Printed("host", {"readdb", "hosts", "--prefix", "https://a.example/"}), ElementsAre("a.example"));
  EXPECT_THAT(Printed("host", {"readdb", "hosts", "--prefix", "https://b.example/x/y"}), ElementsAre("b.example"));
  EXPECT_THAT(Printed("host", {"readdb", "hosts", "--prefix", "https://c.example/"}), IsEmpty());
  EXPECT_EQ(Trawl({"readdb", "hosts", "--prefix", "nonsense", "--root", root_}).exit_code, 2);
}

TEST_F(Readdb, EveryHostOfAUrlIsPrintedAndThoseOfTheOperator) {
  Inject({"https://a.example/", "https://a.example/x", "https://www.a.example/", "http://b.example:81/",
          "https://gone.example/"});
  ASSERT_EQ(Trawl({"remove", "https://gone.example/", "--root", root_, "--quiet"}).exit_code, 0);
  for (const char* host : {"a.example", "kept-out.example"}) {
    ASSERT_EQ(Trawl({"host", host, "--block", "--root", root_, "--quiet"}).exit_code, 0);
  }
  EXPECT_THAT(Printed("host", {"readdb", "hosts"}),
              UnorderedElementsAre("a.example", "www.a.example", "b.example", "kept-out.example"));
  EXPECT_THAT(Printed("host", {"readdb", "hosts", "--limit", "2"}), SizeIs(2));
  EXPECT_THAT(Printed("host", {"readdb", "hosts", "--prefix", "https://www.a.example"}), ElementsAre("www.a.example"));
  EXPECT_THAT(Printed("host", {"readdb", "hosts", "--prefix", "https://kept-out.example"}),
              ElementsAre("kept-out.example"));
  const Json stats = AnswerOf(Trawl({"readdb", "stats", "--root", root_, "--json"}));
  const Json exported = AnswerOf(Trawl({"export", folder_.path() + "/out", "--root", root_, "--json"}));
  EXPECT_EQ(stats["hosts"], 3);
  EXPECT_EQ(exported["hosts"], 3);
  EXPECT_EQ(exported["urls"], stats["urls"]);
}

TEST_F(Readdb, ATableWithoutRowsHasAHeadLine) {
  Inject({"https://a.example/"});
  for (const char* verb : {"dump", "hosts"}) {
    const auto csv = [&](const char* host) {
      const BinaryResult result =
          Trawl({"readdb", verb, "--root", root_, "--format", "csv", "--prefix", std::string("https://") + host});
      EXPECT_EQ(result.exit_code, 0) << result.err;
      return result.out;
    };
    const std::string full = csv("a.example");
    EXPECT_EQ(csv("none.example"), full.substr(0, full.find('\n') + 1)) << verb;
  }
}

}  // namespace
}  // namespace trawl
