// The answers that led on to another robots.txt, in one value: what is written is read, and damaged bytes are no hops.
#include "jobs/politeness/robots_hops.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

TEST(RobotsHops, ReadsWhatWasWrittenAndNothingThatIsCutOff) {
  RobotsHop first = {.status = 301, .redirect_url = "https://a.test/robots.txt", .capture = {}};
  first.capture.url = "http://a.test/robots.txt";
  first.capture.began_ms = 1;
  first.capture.response_headers = std::string("HTTP/1.1 301 Moved\r\n\0\r\n\r\n", 25);
  RobotsHop second = {.status = 308, .redirect_url = "https://www.a.test/r", .capture = {}};
  second.capture.truncated = Truncation::kSize;
  std::string hops;
  AppendRobotsHop(first, &hops);
  const size_t one = hops.size();
  AppendRobotsHop(second, &hops);
  ASSERT_OK_AND_ASSIGN(const std::vector<RobotsHop> read, RobotsHopsOf(hops));
  EXPECT_EQ(read, (std::vector<RobotsHop>{first, second}));
  ASSERT_OK_AND_ASSIGN(const std::vector<RobotsHop> none, RobotsHopsOf(""));
  EXPECT_TRUE(none.empty());
  for (size_t size = 1; size < hops.size(); ++size) {
    EXPECT_EQ(RobotsHopsOf(std::string_view(hops).substr(0, size)).ok(), size == one) << size;
  }
}

}  // namespace
}  // namespace trawl
