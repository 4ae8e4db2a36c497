#include "formats/url/url.h"

#include <gtest/gtest.h>

#include <string>

namespace trawl {
namespace {

std::string Resolved(std::string_view url, std::string_view base, std::string_view encoding = "UTF-8") {
  const auto result = ParseUrlIn(url, base, encoding);
  return result.ok() ? std::string(result->href()) : "failure";
}

TEST(Url, PiecesOfAUrl) {
  const Url url = ParseUrl("https://user:pa%20ss@WWW.Example.com:8443/a/b?c=d&e#f?g").ValueOrDie();
  EXPECT_EQ(url.href(), "https://user:pa%20ss@www.example.com:8443/a/b?c=d&e#f?g");
  EXPECT_EQ(url.scheme(), "https");
  EXPECT_EQ(url.username(), "user");
  EXPECT_EQ(url.password(), "pa%20ss");
  EXPECT_TRUE(url.has_userinfo());
  EXPECT_EQ(url.hostname(), "www.example.com");
  EXPECT_EQ(url.port(), "8443");
  EXPECT_EQ(url.before_path(), "https://user:pa%20ss@www.example.com:8443");
  EXPECT_EQ(url.path(), "/a/b");
  EXPECT_EQ(url.query(), "c=d&e");
  EXPECT_EQ(url.fragment(), "f?g");
  EXPECT_EQ(url.without_fragment(), "https://user:pa%20ss@www.example.com:8443/a/b?c=d&e");
  EXPECT_TRUE(url.is_web());
}

TEST(Url, PiecesThatAreNotThere) {
  struct {
    const char *url, *scheme, *username, *password, *hostname, *port, *path;
  } cases[] = {
      {"http://a.example", "http", "", "", "a.example", "", "/"},
      {"http://:secret@a.example:80/", "http", "", "secret", "a.example", "", "/"},
      {"http://user@[2001:DB8::1]:81/", "http", "user", "", "[2001:db8::1]", "81", "/"},
      {"mailto:a@b.example", "mailto", "", "", "", "", "a@b.example"},
      {"file:///x", "file", "", "", "", "", "/x"},
      // A path that begins with "//" without a host is written after "/.", which does not belong to it.
      {"web+x:/.//a", "web+x", "", "", "", "", "//a"},
      {"data:text/html,x", "data", "", "", "", "", "text/html,x"},
  };
  for (const auto& c : cases) {
    const Url url = ParseUrl(c.url).ValueOrDie();
    EXPECT_EQ(url.scheme(), c.scheme) << c.url;
    EXPECT_EQ(url.username(), c.username) << c.url;
    EXPECT_EQ(url.password(), c.password) << c.url;
    EXPECT_EQ(url.hostname(), c.hostname) << c.url;
    EXPECT_EQ(url.port(), c.port) << c.url;
    EXPECT_EQ(url.path(), c.path) << c.url;
    EXPECT_FALSE(url.has_query());
    EXPECT_FALSE(url.has_fragment());
    EXPECT_EQ(url.query(), "");
    EXPECT_EQ(url.fragment(), "");
  }
}

TEST(Url, EmptyQueryAndFragmentAreThereAndEmpty) {
  const Url url = ParseUrl("https://a.example/?#").ValueOrDie();
  EXPECT_TRUE(url.has_query());
  EXPECT_TRUE(url.has_fragment());
  EXPECT_EQ(url.query(), "");
  EXPECT_EQ(url.without_fragment(), "https://a.example/?");
}

// WHATWG URL, 4.4 basic URL parser, with and without a base.
TEST(Url, ReferencesAreResolved) {
  const char* const base = "https://u@a.example:8443/b/c?d#e";
  struct {
    const char *reference, *href;
  } cases[] = {
      {"x", "https://u@a.example:8443/b/x"},
      {"../x/./y/..", "https://u@a.example:8443/x/"},
      {"?q", "https://u@a.example:8443/b/c?q"},
      {"#f", "https://u@a.example:8443/b/c?d#f"},
      {"", "https://u@a.example:8443/b/c?d"},
      {"//b.example/x", "https://b.example/x"},
      {"http://b.example", "http://b.example/"},
      {"HTTP:/x", "http://x/"},
      {"https:x", "https://u@a.example:8443/b/x"},
      {" \t/a\nb ", "https://u@a.example:8443/ab"},
      {"\\x\\y", "https://u@a.example:8443/x/y"},
      {"mailto:x@y", "mailto:x@y"},
      {"javascript:void(0)", "javascript:void(0)"},
      {"//", "failure"},
      {"https://a b/", "failure"},
      {"http://[::1", "failure"},
      {"https://a.example:99999/", "failure"},
  };
  for (const auto& c : cases) EXPECT_EQ(Resolved(c.reference, base), c.href) << c.reference;
  EXPECT_EQ(Resolved("x", ""), "failure");
  EXPECT_EQ(Resolved("x", "mailto:a@b"), "failure");
  EXPECT_EQ(Resolved("#f", "mailto:a@b"), "mailto:a@b#f");
}

TEST(Url, AFailedParseLeavesItEmpty) {
  Url url;
  ASSERT_TRUE(url.Parse("https://a.example/b?c#d"));
  EXPECT_FALSE(url.Parse("https://"));
  EXPECT_EQ(url.href(), "");
  EXPECT_EQ(url.scheme(), "");
  EXPECT_EQ(url.hostname(), "");
  EXPECT_EQ(url.path(), "");
  EXPECT_FALSE(url.has_query());
  EXPECT_FALSE(url.is_web());
}

TEST(Url, BytesThatAreNotUtf8AreEscapedOneByOne) {
  EXPECT_EQ(Resolved("https://a.example/caf\xe9?\xe9\xc3\xa9\xe9#\xff", ""),
            "https://a.example/caf%E9?%E9%C3%A9%E9#%FF");
  EXPECT_EQ(Resolved("/\xed\xa0\x80", "https://a.example"), "https://a.example/%ED%A0%80");
  EXPECT_EQ(Resolved("https://\xe9.example/", ""), "failure");
  EXPECT_FALSE(HostToAscii("\xe9.example").ok());
}

TEST(Url, OverLongIsRefused) {
  const std::string longest = "https://a.example/" + std::string(kMaxUrlBytes - 18, 'x');
  EXPECT_TRUE(ParseUrl(longest).ok());
  EXPECT_FALSE(ParseUrl(longest + "x").ok());
  EXPECT_FALSE(BaseUrl::Make("https://a.example/" + std::string(kMaxBaseUrlBytes, 'x')).ok());
}

// Converting 1 KiB of distinct letters takes a tenth of a millisecond, 15 KiB take 24: a page of such links would take
// seconds.
TEST(Url, OverLongHostsThatAreNotAsciiAreRefused) {
  std::string host, escaped;
  for (int i = 0; i < 513; ++i) host += "\xc3\xa9", escaped += "%C3%A9";
  const std::string base = "http://a.example/";
  for (const std::string& url :
       {"https://" + host + "/", "//" + host, "https:" + host, "\\\\" + escaped, " ht\ttps:/\n/" + host + "?"}) {
    EXPECT_EQ(Resolved(url, base), "failure") << url.substr(0, 20);
  }
  EXPECT_FALSE(HostToAscii(host).ok());
  for (const std::string& url : {"https://" + host.substr(0, 1024) + "/", "https://" + std::string(2000, 'a') + "/",
                                 "/" + escaped, "https://a.example/" + host, "?" + host, host}) {
    EXPECT_NE(Resolved(url, base), "failure") << url.substr(0, 20);
  }
}

// WHATWG URL, 4.4, query state: only special schemes, except WebSockets, use the document's encoding; the path is
// UTF-8.
TEST(Url, QueriesOfSpecialSchemesAreInTheEncodingOfThePage) {
  EXPECT_EQ(Resolved("/\xc3\xa4?\xc3\xa4#\xc3\xa4", "https://a.example", "windows-1252"),
            "https://a.example/%C3%A4?%E4#%C3%A4");
  EXPECT_EQ(Resolved("https://a.example/?\xc3\xa4", "", "Windows-1251"), "https://a.example/?%26%23228%3B");
  EXPECT_EQ(Resolved("?\xe3\x81\x82", "https://a.example/", "shift_jis"), "https://a.example/?%82%A0");
  EXPECT_EQ(Resolved("?\xe3\x81\x82", "https://a.example/", "iso-2022-jp"), "https://a.example/?%1B$B$%22%1B(B");
  EXPECT_EQ(Resolved("?\xc3\xa4", "ftp://a.example/", "windows-1252"), "ftp://a.example/?%E4");
  EXPECT_EQ(Resolved("?\xc3\xa4", "wss://a.example/", "windows-1252"), "wss://a.example/?%C3%A4");
  EXPECT_EQ(Resolved("?\xc3\xa4", "web+x://a.example/", "windows-1252"), "web+x://a.example/?%C3%A4");
  for (const char* utf8 : {"UTF-8", "utf-16le", "UTF-16BE", "replacement", "no such encoding", ""}) {
    EXPECT_EQ(Resolved("?\xc3\xa4", "https://a.example/", utf8), "https://a.example/?%C3%A4") << utf8;
  }
}

// Unicode ToASCII, not transitional; WHATWG URL, 3.3, "domain to ASCII".
TEST(Url, HostsBecomeAscii) {
  struct {
    const char *host, *ascii;
  } cases[] = {
      {"Example.COM", "example.com"},
      {"B\xc3\xbc"
       "cher.example",
       "xn--bcher-kva.example"},
      {"fa\xc3\x9f.example", "xn--fa-hia.example"},
      {"a\xe3\x80\x82"
       "b",
       "a.b"},
      {"example.com.", "example.com."},
      {"a_b.example", "a_b.example"},
  };
  for (const auto& c : cases) EXPECT_EQ(HostToAscii(c.host).ValueOr("refused"), c.ascii) << c.host;
  for (const char* host : {"", "a b", "a/b", "a%41", "\xe2\x80\x8d.example", "xn--a.\xc3\x9f"}) {
    EXPECT_FALSE(HostToAscii(host).ok()) << host;
  }
}

}  // namespace
}  // namespace trawl
