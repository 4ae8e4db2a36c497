#include "formats/url/key.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "formats/digests/digest.h"
#include "formats/url/normal.h"
#include "formats/url/pieces.h"

namespace trawl {
namespace {

struct UrlAndKey {
  const char* url;
  const char* key;
};

// Stored values: they may never change.
constexpr UrlAndKey kPinned[] = {
    {"https://www.example.com/a?b", "com,example,www)/a?b"},
    {"http://www.example.com:8080/", "com,example,www)http:8080/"},
    {"http://www.example.com/", "com,example,www)http/"},
    {"https://example.com:8443/x/y?", "com,example)https:8443/x/y?"},
    {"https://localhost/", "localhost)/"},
    {"https://192.0.2.1/a", "192.0.2.1)/a"},
    {"http://192.0.2.1:81/a", "192.0.2.1)http:81/a"},
    {"https://[2001:db8::1]/a", "[2001:db8::1])/a"},
    {"https://[::1]:8443/a", "[::1])https:8443/a"},
    {"https://a_b.-c-.xn--bcher-kva.example/", "example,xn--bcher-kva,-c-,a_b)/"},
    {"https://e.example/a)b/c,d?x/y)z", "example,e)/a)b/c,d?x/y)z"},
    {"https://e.example/?", "example,e)/?"},
};

TEST(UrlKey, GrammarIsPinned) {
  for (const UrlAndKey& c : kPinned) {
    const auto key = KeyOfUrl(c.url);
    ASSERT_TRUE(key.ok()) << c.url << ": " << key.status();
    EXPECT_EQ(*key, c.key);
    const auto url = UrlOfKey(c.key);
    ASSERT_TRUE(url.ok()) << c.key << ": " << url.status();
    EXPECT_EQ(*url, c.url);
  }
}

TEST(UrlKey, HostOutsideTheGrammarIsRefused) {
  for (const char* url : {
           "https://Example.com/",
           "https://example.com./",
           "https://a..b/",
           "https://.a/",
           "https:///a",
           "https://a!b/",
           "https://a~b.example/",
           "https://ex%41mple/",
           "https://a,b/",
           "https://a)b/",
           "https://b\xc3\xbc.example/",
           "https://1.2.3/",
           "https://1.2.3.4.5/",
           "https://01.2.3.4/",
           "https://1.2.3.256/",
           "https://a.1/",
           "https://a.0x1f/",
           "https://[::1/",
           "https://[]/",
           "https://[1]/",
           "https://[::G]/",
           "https://[::1].a/",
           "https://user@example.com/",
       }) {
    EXPECT_FALSE(KeyOfUrl(url).ok()) << url;
  }
}

TEST(UrlKey, OnlyTheNormalSpellingOfAnOriginHasAKey) {
  for (const char* url :
       {"https://a.example:443/", "http://a.example:80/", "https://a.example:/", "https://a.example:080/",
        "https://a.example:65536/", "https://a.example", "ftp://a.example/", "HTTPS://a.example/", "//a.example/"}) {
    EXPECT_FALSE(KeyOfUrl(url).ok()) << url;
  }
}

TEST(UrlKey, WhatIsNoKeyIsRefused) {
  for (const char* key : {"",
                          ")",
                          ")/",
                          "com,example",
                          "com,example)",
                          "com,example)a",
                          "com,example)https/",
                          "com,example)http:80/",
                          "com,example)https:443/",
                          "com,example)ftp/",
                          "com,example)http:/",
                          "com,example):8080/",
                          "com,,example)/",
                          ",com)/",
                          "com,)/",
                          "4,3,2,1)/",
                          "1,a)/",
                          "a.b)/",
                          "1.2.3)/",
                          "www.example.com)/",
                          "COM)/",
                          "com,example)httpx/",
                          "com,exa/mple)/"}) {
    EXPECT_FALSE(UrlOfKey(key).ok()) << key;
  }
}

TEST(UrlKey, OverLongIsRefusedAndNeverCut) {
  const std::string origin = "https://a.example/";
  const size_t path_bytes = kMaxKeyBytes - std::string("example,a)/").size();
  const std::string longest = origin + std::string(path_bytes, 'x');
  ASSERT_TRUE(KeyOfUrl(longest).ok());
  EXPECT_EQ(KeyOfUrl(longest)->size(), kMaxKeyBytes);
  EXPECT_FALSE(KeyOfUrl(longest + "x").ok());
  EXPECT_TRUE(UrlOfKey(*KeyOfUrl(longest)).ok());
  EXPECT_FALSE(UrlOfKey(*KeyOfUrl(longest) + "x").ok());
}

TEST(UrlKey, SizeIsKnownBeforehand) {
  for (const UrlAndKey& c : kPinned) {
    UrlPieces pieces;
    ASSERT_TRUE(SplitWebUrl(c.url, &pieces)) << c.url;
    EXPECT_EQ(KeySizeOfUrl(std::string_view(c.url).size(), pieces.scheme == "https" && pieces.port.empty()),
              std::string_view(c.key).size());
  }
}

TEST(UrlKey, PartsOfAKey) {
  struct {
    const char *key, *host_part, *origin_part, *host;
  } cases[] = {
      {"com,example,www)/a)b?c", "com,example,www", "com,example,www)", "www.example.com"},
      {"com,example)http:8080/a", "com,example", "com,example)http:8080", "example.com"},
      {"192.0.2.1)http/", "192.0.2.1", "192.0.2.1)http", "192.0.2.1"},
      {"[::1])/", "[::1]", "[::1])", "[::1]"},
      {"com,example", "com,example", "com,example", "example.com"},
      {"com,example)http", "com,example", "com,example)http", "example.com"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(HostPartOfKey(c.key), c.host_part);
    EXPECT_EQ(OriginPartOfKey(c.key), c.origin_part);
    EXPECT_EQ(HostOfKey(c.key), c.host);
    EXPECT_EQ(HostPartOfHost(c.host).ValueOr("refused"), c.host_part);
  }
}

TEST(UrlKey, SlotIsTheTopOfTheHashOfTheHostWithoutPort) {
  EXPECT_EQ(SlotOfHost("www.example.com"), 0x4128);
  EXPECT_EQ(SlotOfHost("www.example.com"), Hash64("www.example.com") >> 48);
  EXPECT_EQ(SlotOfKey("com,example,www)/a"), 0x4128);
  EXPECT_EQ(SlotOfKey("com,example,www)http:8080/a"), 0x4128);
  EXPECT_EQ(SlotOfKey("com,example,www"), 0x4128);
  EXPECT_EQ(SlotOfKey("[::1])/a"), SlotOfHost("[::1]"));
}

TEST(UrlKey, SlotOfKeysRemembersTheHostAndNothingElse) {
  SlotOfKeys slot_of;
  for (const char* key : {"com,example)/", "com,example)/a", "com,example", "com,example,www)/", "com,example)http/",
                          "com,example-x)/", "com,examples)/", "com,example", "com", "com,example)/z"}) {
    EXPECT_EQ(slot_of(key), SlotOfKey(key)) << key;
  }
}

bool Holds(const KeyRange& range, std::string_view key) { return range.from <= key && key < range.to; }

TEST(UrlKey, AHostIsARangeAndSoIsADomainWithAllBelowIt) {
  // Sorted by bytes.
  const std::vector<std::string> keys = {"com",
                                         "com)/",
                                         "com,exampl)/",
                                         "com,example",
                                         "com,example)/",
                                         "com,example)/zzz",
                                         "com,example)http",
                                         "com,example)http/",
                                         "com,example)http:8080/",
                                         "com,example)https:8443/",
                                         "com,example,-)/",
                                         "com,example,www",
                                         "com,example,www)/",
                                         "com,example,www,a)/",
                                         "com,example,zzz)/",
                                         "com,example-x)/",
                                         "com,example0)/",
                                         "com,example_)/",
                                         "com,examplex)/"};
  ASSERT_TRUE(std::is_sorted(keys.begin(), keys.end()));
  const KeyRange host = KeyRangeOfHost("example.com").ValueOrDie();
  const KeyRange domain = KeyRangeOfDomain("example.com").ValueOrDie();
  for (const std::string& key : keys) {
    const std::string name = HostOfKey(key);
    EXPECT_EQ(Holds(host, key), name == "example.com") << key;
    EXPECT_EQ(Holds(domain, key), name == "example.com" || name.ends_with(".example.com")) << key;
  }
}

TEST(UrlKey, AnAddressHasNothingBelowIt) {
  const KeyRange range = KeyRangeOfDomain("192.0.2.1").ValueOrDie();
  EXPECT_TRUE(Holds(range, "192.0.2.1)/"));
  EXPECT_TRUE(Holds(range, "192.0.2.1)http:8080/"));
  EXPECT_FALSE(Holds(range, "192.0.2.10)/"));
  EXPECT_FALSE(Holds(range, "192.0.2.1,a)/"));
  EXPECT_FALSE(KeyRangeOfDomain("a..b").ok());
}

TEST(UrlKey, UrlsOfOneBeginningAreARange) {
  const KeyRange range = KeyRangeOfUrlPrefix("https://example.com/a").ValueOrDie();
  EXPECT_TRUE(Holds(range, "com,example)/a"));
  EXPECT_TRUE(Holds(range, "com,example)/a/b?c"));
  EXPECT_TRUE(Holds(range, "com,example)/ab"));
  EXPECT_FALSE(Holds(range, "com,example)/b"));
  EXPECT_FALSE(Holds(range, "com,example)http/a"));
  EXPECT_FALSE(Holds(range, "com,example,www)/a"));
  EXPECT_FALSE(KeyRangeOfUrlPrefix("https://example.com").ok());
}

// Thousands of made-up URLs: each key gives its URL back, no two URLs share a key, and the keys of different hosts do
// not mix.
TEST(UrlKey, IsBijectiveAndKeepsHostsTogether) {
  std::mt19937_64 random(1);
  const std::vector<std::string> hosts = {"a.example",   "b.a.example", "a-b.example",   "aa.example",
                                          "a_b.example", "example",     "1a.example",    "192.0.2.1",
                                          "192.0.2.11",  "[::1]",       "[2001:db8::1]", "xn--a.example"};
  const std::vector<std::string> origins = {"https://@", "http://@", "http://@:8080", "https://@:8443", "http://@:443"};
  const std::string bytes = "abc/.,)(*-_:;=&~+%20";
  std::set<std::string> urls, keys;
  for (int i = 0; i < 20000; ++i) {
    std::string url = origins[random() % origins.size()];
    url.replace(url.find('@'), 1, hosts[random() % hosts.size()]);
    url += '/';
    for (size_t n = random() % 12; n > 0; --n) url += bytes[random() % bytes.size()];
    if (random() % 3 == 0) url += "?q=" + std::to_string(random() % 1000);
    const auto key = KeyOfUrl(url);
    ASSERT_TRUE(key.ok()) << url;
    ASSERT_EQ(UrlOfKey(*key).ValueOr("refused"), url) << *key;
    urls.insert(url);
    keys.insert(*key);
  }
  EXPECT_EQ(urls.size(), keys.size());
  std::set<std::string> finished;
  std::string now;
  for (const std::string& key : keys) {
    const std::string host(HostPartOfKey(key));
    if (host == now) continue;
    EXPECT_TRUE(finished.insert(now).second) << "a host in two places: " << now;
    now = host;
  }
}

}  // namespace
}  // namespace trawl
