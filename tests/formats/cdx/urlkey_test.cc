#include "formats/cdx/urlkey.h"

#include <gtest/gtest.h>

#include <string>

#include "formats/url/url.h"

namespace trawl {
namespace {

// scripts/soak archive compares ten thousand URLs with the package surt itself.
TEST(UrlKey, IsThatOfSurt) {
  const std::string id24 = "4hqa0555fwsecu455xqckv45", id32 = "0123456789abcdefghijklmnopqrstUV";
  const struct {
    std::string url, key;
  } cases[] = {
      {"https://example.com/", "com,example)/"},
      {"http://www.example.com/A/B.html", "com,example)/a/b.html"},
      {"http://www12.example.com/", "com,example)/"},
      {"http://www.www.example.com/", "com,example,www)/"},
      {"http://www.com/", "com)/"},
      {"http://wwwx.com/", "com,wwwx)/"},
      {"http://www/", "www)/"},
      {"http://example.com:8080/", "com,example:8080)/"},
      {"https://example.com:80/", "com,example:80)/"},
      {"http://example.com./", "com,example)/"},
      {"http://192.168.1.1/a", "1,1,168,192)/a"},
      {"http://[2001:db8::1]:81/", "2001:db8::1:81)/"},
      {"http://xn--bcher-kva.ch/", "ch,xn--bcher-kva)/"},
      {"http://user:pw@example.com/", "com,example)/"},
      {"http://example.com/a/", "com,example)/a"},
      {"http://example.com/a//", "com,example)/a"},
      {"http://example.com//a///b", "com,example)/a/b"},
      {"http://example.com/a/%2E%2E/b", "com,example)/b"},
      {"http://example.com/%2E%2E/%2e/b", "com,example)/../b"},
      {"http://example.com/%7Ea", "com,example)/~a"},
      {"http://example.com/a%2Fb%3Fc", "com,example)/a/b?c"},
      {"http://example.com/a|b", "com,example)/a|b"},
      {"http://example.com/a%7Cb", "com,example)/a|b"},
      {"http://example.com/%25%32%35", "com,example)/%25"},
      {"http://example.com/%2525252525", "com,example)/%25"},
      {"http://example.com/%%34%31", "com,example)/a"},
      {"http://example.com/%C3%89%20%23", "com,example)/%c3%89%20%23"},
      {"http://example.com/a#b", "com,example)/a"},
      {"http://example.com/a?", "com,example)/a"},
      {"http://example.com?b", "com,example)/?b"},
      {"http://example.com/a?b=2&a=1", "com,example)/a?a=1&b=2"},
      {"http://example.com/a?&a=1&b=2", "com,example)/a?&a=1&b=2"},
      {"http://example.com/a?a=1&", "com,example)/a?&a=1"},
      {"http://example.com/a?a=2&a&a=&a=1", "com,example)/a?a&a=&a=1&a=2"},
      {"http://example.com/a?a-=1&a=1", "com,example)/a?a=1&a-=1"},
      {"http://example.com/a?Q=ABC", "com,example)/a?q=abc"},
      {"http://example.com/a?b=1&jsessionid=" + id32, "com,example)/a?&b=1"},
      {"http://example.com/a?PHPSESSID=" + id32 + "&b=1", "com,example)/a?b=1"},
      {"http://example.com/a?sid=" + id32 + "x&b=1", "com,example)/a?b=1&sid=0123456789abcdefghijklmnopqrstuvx"},
      {"http://example.com/a?xsid=" + id32, "com,example)/a?x"},
      {"http://example.com/a?ASPSESSIONIDabcdefgh=abcdefghijklmnopqrstuvwx&b=1", "com,example)/a?b=1"},
      {"http://example.com/a?CFID=12&CFTOKEN=34&b=1", "com,example)/a?b=1"},
      {"http://example.com/a?cfid=12&x=1&cftoken=34", "com,example)/a?cfid=12&cftoken=34&x=1"},
      {"http://example.com/(" + id24 + ")/page.aspx", "com,example)/page.aspx"},
      {"http://example.com/(S(" + id24 + "))/page.aspx", "com,example)/page.aspx"},
      {"http://example.com/(a(" + id24 + ")S(" + id24 + "))/x/page.aspx", "com,example)/x/page.aspx"},
      {"http://example.com/(" + id24 + ")/page.html", "com,example)/(" + id24 + ")/page.html"},
      {"http://example.com/(" + id24 + ")/.aspx", "com,example)/(" + id24 + ")/.aspx"},
  };
  for (const auto& c : cases) EXPECT_EQ(UrlKeyForIndex(c.url), c.key) << c.url;
}

// An escape may make another one complete; a text of many takes one pass, not one per level.
TEST(UrlKey, LongTextsTakeLinearTime) {
  std::string deep = "http://example.com/%";
  for (int i = 0; i < 200000; ++i) deep += "25";
  EXPECT_EQ(UrlKeyForIndex(deep), "com,example)/%25");
  std::string sessions = "http://example.com/", parameters = "http://example.com/?";
  for (int i = 0; i < 20000; ++i) {
    sessions += "(4hqa0555fwsecu455xqckv45)/";
    parameters += "cfid=cfid=&cftoken=&sid=";
  }
  EXPECT_EQ(UrlKeyForIndex(sessions).size(), sessions.size() - std::string("http://example.com/").size() + 12);
  EXPECT_FALSE(UrlKeyForIndex(parameters).empty());
}

}  // namespace
}  // namespace trawl
