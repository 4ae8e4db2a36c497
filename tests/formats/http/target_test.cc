#include "formats/http/target.h"

#include <gtest/gtest.h>

namespace trawl {
namespace {

TEST(HttpTarget, TakesUrlsApart) {
  const struct {
    const char* url;
    const char* origin;
    const char* path;
    int port;
  } kCases[] = {
      {"http://example.com/", "http://example.com", "/", 80},
      {"https://example.com/a?b=c#d", "https://example.com", "/a?b=c", 443},
      {"HTTP://EXAMPLE.com:80/A", "http://example.com", "/A", 80},
      {"https://example.com:8443/", "https://example.com:8443", "/", 8443},
      {"http://example.com", "http://example.com", "/", 80},
      {"http://example.com?q", "http://example.com", "/?q", 80},
      {"http://example.com:/x", "http://example.com", "/x", 80},
      {"http://[2001:db8::1]:81/", "http://[2001:db8::1]:81", "/", 81},
      {"http://[::1]/../a//b", "http://[::1]", "/../a//b", 80},
      {"http://a_b.test/%00%ff", "http://a_b.test", "/%00%ff", 80},
  };
  for (const auto& c : kCases) {
    const auto target = HttpTarget::Parse(c.url);
    ASSERT_TRUE(target) << c.url;
    EXPECT_EQ(target->Origin(), c.origin);
    EXPECT_EQ(target->path, c.path);
    EXPECT_EQ(target->port, c.port);
  }
}

TEST(HttpTarget, RefusesWhatCouldChangeTheRequest) {
  for (const char* url : {"",
                          "ftp://a/",
                          "http:/a/",
                          "http://",
                          "http:///x",
                          "http://user@a/",
                          "http://u:p@a/",
                          "http://a:0/",
                          "http://a:65536/",
                          "http://a:8x/",
                          "http://a b/",
                          "http://a/b c",
                          "http://a/\r\nX: y",
                          "http://a/\xc3\xa9",
                          "http://\xc3\xa9/",
                          "http://[::1/",
                          "http://[fe80::1%25eth0]/",
                          "http://a\\b/",
                          "javascript:alert(1)",
                          "//a/",
                          "http://a[b]/"}) {
    EXPECT_FALSE(HttpTarget::Parse(url)) << url;
  }
  EXPECT_TRUE(HasHttpScheme("HTTPS:x"));
  EXPECT_FALSE(HasHttpScheme("httpx://a/"));
}

}  // namespace
}  // namespace trawl
