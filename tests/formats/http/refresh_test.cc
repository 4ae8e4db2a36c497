#include "formats/http/refresh.h"

#include <gtest/gtest.h>

#include <limits>

namespace trawl {
namespace {

// HTML, "shared declarative refresh steps".
TEST(Refresh, DelayAndUrlAreRead) {
  const struct {
    const char* text;
    int64_t delay_s;
    const char* url;
  } cases[] = {
      {"0", 0, ""},
      {" 5 ", 5, ""},
      {"5;", 5, ""},
      {"5; url=/a", 5, "/a"},
      {"5, URL = /a", 5, "/a"},
      {"5 url=/a", 5, "/a"},
      {"5;/a", 5, "/a"},
      {"5;url=", 5, ""},
      {"5;url='/a' b", 5, "/a"},
      {"5;url=\"/a'b\"c", 5, "/a'b"},
      {"5;url=\"/a", 5, "/a"},
      {"5;\"/a\"b", 5, "/a"},
      {"5;url", 5, "url"},
      {"5;ur='l'", 5, "ur='l'"},
      {"5;url /a", 5, "url /a"},
      {"5;;/a", 5, ";/a"},
      {"1.9;/a", 1, "/a"},
      {".9;/a", 0, "/a"},
      {"1..2.3;/a", 1, "/a"},
      {"5 x;url=/a", 5, "x;url=/a"},
      {"5\n;\f\turl=\r/a", 5, "/a"},
  };
  for (const auto& c : cases) {
    const std::optional<Refresh> refresh = ParseRefresh(c.text);
    ASSERT_TRUE(refresh) << c.text;
    EXPECT_EQ(refresh->delay_s, c.delay_s) << c.text;
    EXPECT_EQ(refresh->url, c.url) << c.text;
  }
}

TEST(Refresh, OtherTextAsksForNothing) {
  for (const char* text : {"", " ", "a", "-1", "+1", ";url=/a", "5x", "1e3", "5url=/a", "5-;/a", "\v5"}) {
    EXPECT_FALSE(ParseRefresh(text)) << text;
  }
}

TEST(Refresh, TooLongADelayIsTheLongest) {
  EXPECT_EQ(ParseRefresh("99999999999999999999999;/a")->delay_s, std::numeric_limits<int64_t>::max());
}

}  // namespace
}  // namespace trawl
