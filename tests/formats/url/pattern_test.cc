#include "formats/url/pattern.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>

#include "formats/url/key.h"

namespace trawl {
namespace {

struct KeyAndPattern {
  const char* key;
  const char* pattern;
};

// Keys of a table: they may never change.
constexpr KeyAndPattern kPinned[] = {
    {"com,example)/", "com,example)/"},
    {"com,example)http:8080/a?b", "com,example)http:8080/a?b"},
    {"com,example)/about/team.html", "com,example)/about/team.html"},
    // numbers and dates
    {"com,example)/calendar/2026/11?month=11&day=3", "com,example)/calendar/#/#?day&month"},
    {"com,example)/news/2026-11-03/", "com,example)/news/#/"},
    {"com,example)/p17", "com,example)/p#"},
    {"com,example)/item-1234.html", "com,example)/item-#.html"},
    {"com,example)/v1.2.3/x", "com,example)/v#/x"},
    {"com,example)/20240501T120000Z", "com,example)/#"},
    // ids
    {"com,example)/d/5f0ce1a9", "com,example)/d/#"},
    {"com,example)/d/550e8400-e29b-41d4-a716-446655440000/x", "com,example)/d/#/x"},
    {"com,example)/watch/dQw4w9WgXcQ", "com,example)/watch/#"},
    {"com,example)/MyLongPageName", "com,example)/MyLongPageName"},
    {"com,example)/cafebabe", "com,example)/cafebabe"},
    // titles
    {"com,example)/blog/how-to-cook-rice.html", "com,example)/blog/#.html"},
    {"com,example)/blog/rice-and-17-beans/", "com,example)/blog/#/"},
    {"com,example)/all-about-rice/cook", "com,example)/all-about-rice/cook"},
    {"com,example)/wiki/%E4%BD%A0%E5%A5%BD", "com,example)/wiki/%E4%BD%A0%E5%A5%BD"},
    {"com,example)/wiki/%E4%BD%A0%20%E5%A5%BD%20%E5%A5%BD", "com,example)/wiki/#"},
    // sessions in paths
    {"com,example)/list;jsessionid=0A3F77b2?id=7", "com,example)/list;jsessionid=?id"},
    {"com,example)/(S(lit3py55t21z5v55vlm25s55))/list", "com,example)/(S(#))/list"},
    {"com,example)/s=81/color=red/x", "com,example)/s=/color=/x"},
    // names
    {"com,example)/shop?size=7&color=red&size=8", "com,example)/shop?color&size"},
    {"com,example)/shop?f[0]=1&f[12]=2", "com,example)/shop?f[#]"},
    {"com,example)/shop?", "com,example)/shop?"},
    {"com,example)/shop?12345", "com,example)/shop?#"},
    {"com,example)/shop?a;b=1&&=7", "com,example)/shop?a&b"},
    // circles
    {"com,example)/a/a/a/a", "com,example)/a*"},
    {"com,example)/x/y/x/y", "com,example)/x/y*"},
    {"com,example)/y/x/y/x/y", "com,example)/x/y*"},
    {"com,example)/top/x/y/z/y/x/x/z", "com,example)/top/x/y/z*"},
    {"com,example)/a/1/a/2/a/3", "com,example)/#/a*"},
    {"com,example)//////", "com,example)*"},
    {"com,example)/1/2/3/4/", "com,example)/#/#/#/#/"},
    {"com,example)/1/2/3/4/5/6/7", "com,example)/#/#/#/#*"},
};

TEST(UrlPattern, GrammarIsPinned) {
  std::string pattern;
  for (const KeyAndPattern& c : kPinned) {
    WritePatternOfKey(c.key, &pattern);
    EXPECT_EQ(pattern, c.pattern) << c.key;
    EXPECT_EQ(SlotOfKey(pattern), SlotOfKey(c.key)) << c.key;
  }
}

TEST(UrlPattern, IsBoundedWhateverTheKey) {
  std::mt19937_64 random(7);
  constexpr std::string_view kBytes = "aB9/?&=;-_.%2C#*+~([)]";
  for (int round = 0; round < 20'000; ++round) {
    std::string key = "com,example)/";
    for (size_t size = random() % 2000; key.size() < size;) key.push_back(kBytes[random() % kBytes.size()]);
    const std::string pattern = PatternOfKey(key);
    EXPECT_TRUE(pattern.starts_with("com,example)")) << key;
    EXPECT_LE(pattern.size(), 12 + kMaxPatternBytes) << key;
  }
  std::string names = "com,example)/?";
  for (int i = 0; i < 300; ++i) names += std::string(1 + i % 40, 'z') + "&";
  EXPECT_LE(PatternOfKey(names).size(), 12 + kMaxPatternBytes);
}

TEST(UrlPattern, EndlessLinksHaveFewPatterns) {
  std::mt19937_64 random(11);
  std::set<std::string> patterns;
  for (int round = 0; round < 10'000; ++round) {
    std::string key = "com,example)";
    for (size_t depth = 5 + random() % 20; depth > 0; --depth) key += "/" + std::string(1, "xyz"[random() % 3]);
    patterns.insert(PatternOfKey(key));
  }
  EXPECT_LE(patterns.size(), 7);  // the subsets of three words
}

TEST(UrlPattern, HasAFamily) {
  EXPECT_EQ(FamilyOfPattern("com,example)/shop?color&size"), "com,example)/shop?*");
  EXPECT_EQ(FamilyOfPattern("com,example)/shop?*"), "com,example)/shop?*");
  EXPECT_EQ(FamilyOfPattern("com,example)/shop"), "");
  EXPECT_EQ(FamilyOfPattern("com,example)http:8080/rel/about/news*"), "com,example)http:8080/rel/**");
  EXPECT_EQ(FamilyOfPattern("com,example)/rel/**"), "com,example)/rel/**");
}

TEST(UrlPattern, IsReadableAsUrl) {
  EXPECT_EQ(ReadablePattern("com,example,www)/calendar/#?day&month"), "https://www.example.com/calendar/#?day&month");
  EXPECT_EQ(ReadablePattern("com,example)http:8080/a*"), "http://example.com:8080/a*");
}

}  // namespace
}  // namespace trawl
