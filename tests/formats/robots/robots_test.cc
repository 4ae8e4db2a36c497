#include "formats/robots/robots.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "formats/robots/lines.h"

namespace trawl {
namespace {

bool Allowed(std::string_view text, std::string_view path, std::string_view agent = "foobot") {
  return RobotsRules::Parse(text, agent).Check(path).allowed;
}

// Whether an allow rule for everyone matches, where everything else is disallowed.
bool Matches(const std::string& pattern, std::string_view path) {
  return !Allowed("User-agent: *\nDisallow: " + pattern + "\n", path);
}

struct MatchCase {
  std::string pattern;
  std::string path;
  bool matches;
};

TEST(Robots, NothingWrittenAllowsAll) {
  for (const char* text : {"", "\n", "# only words\n", "User-agent: other\nDisallow: /\n", "Disallow: /\n"}) {
    EXPECT_TRUE(Allowed(text, "/a")) << text;
  }
  EXPECT_TRUE(RobotsRules().Check("/a").allowed);
}

// 2.2.1: "crawlers MUST use case-insensitive matching to find the group that matches the product token and then obey
// the rules of the group. If there is more than one group matching the user-agent, the matching groups' rules MUST be
// combined into one group and parsed according to Section 2.2.1."
TEST(Robots, GroupsOfOneAgentAreMerged) {
  const char* text =
      "User-agent: FooBot\nDisallow: /a\n"
      "User-agent: other\nDisallow: /b\n"
      "User-agent: third\nUser-agent: FOOBOT\nDisallow: /c\n";
  EXPECT_FALSE(Allowed(text, "/a"));
  EXPECT_TRUE(Allowed(text, "/b"));
  EXPECT_FALSE(Allowed(text, "/c"));
  EXPECT_FALSE(Allowed(text, "/c", "Third"));
}

// 2.2.1: "If no matching group exists, crawlers MUST obey the group with a user-agent line with the "*" value, if
// present."
TEST(Robots, GroupsForEveryoneCountOnlyWithoutAnOwn) {
  const char* text = "User-agent: *\nDisallow: /a\nUser-agent: foobot\nDisallow:\nUser-agent: *\nDisallow: /b\n";
  EXPECT_TRUE(Allowed(text, "/a"));
  EXPECT_FALSE(Allowed(text, "/a", "other"));
  EXPECT_FALSE(Allowed(text, "/b", "other"));
}

TEST(Robots, AgentIsMatchedByItsWholeToken) {
  const struct {
    const char* line;
    const char* agent;
    bool named;
  } cases[] = {
      {"FooBot", "foobot", true},
      {"FooBot/2.1", "foobot", true},
      {"FooBot (+http://x)", "foobot", true},
      {"FooBot # why", "foobot", true},
      {"Foo-Bot", "foo", false},
      {"Foo", "foobot", false},
      {"FooBots", "foobot", false},
      {"* foobot", "foobot", true},
      {"*foobot", "foobot", false},
      {"", "foobot", false},
      {"", "", false},
      {"foo bot", "foo bot", false},
      {"foobot", "foobot/3.0", true},
      {"bot1", "bot1", true},
      {"bot12", "bot1", false},
      {"bot1", "bot", true},
      {"bot1x", "bot1x", false},
      {"foo_bot-x", "FOO_BOT-X", true},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(Allowed("User-agent: " + std::string(c.line) + "\nDisallow: /\n", "/", c.agent), !c.named)
        << c.line << " and " << c.agent;
  }
}

// 2.2.4: "Parsing of other records MUST NOT interfere with the parsing of explicitly defined records".
TEST(Robots, OtherRecordsDoNotEndTheListOfAgents) {
  for (const char* other : {"Sitemap: http://x/", "Crawl-delay: 5", "Unknown: 1", "", "# words", "nonsense"}) {
    const std::string text = "User-agent: foobot\n" + std::string(other) + "\nUser-agent: *\nDisallow: /\n";
    EXPECT_FALSE(Allowed(text, "/a")) << other;
    EXPECT_FALSE(Allowed(text, "/a", "other")) << other;
  }
}

// 2.2.2: "The most specific match found MUST be used. The most specific match is the match that has the most octets.
// … If an "allow" rule and a "disallow" rule are equivalent, then the "allow" rule SHOULD be used."
TEST(Robots, LongestMatchWinsAndAllowWinsTies) {
  const struct {
    const char* rules;
    const char* path;
    bool allowed;
  } cases[] = {
      {"Allow: /a\nDisallow: /ab", "/abc", false},       {"Disallow: /ab\nAllow: /a", "/abc", false},
      {"Disallow: /a\nAllow: /ab", "/abc", true},        {"Disallow: /a\nAllow: /a", "/a", true},
      {"Allow: /a\nDisallow: /a", "/a", true},           {"Allow: /ab\nDisallow: /*b", "/ab", true},
      {"Allow: /ab\nDisallow: /*bc", "/abc", false},     {"Allow: /$\nDisallow: /", "/", true},
      {"Allow: /$\nDisallow: /", "/x", false},           {"Disallow: /*\nAllow: /a", "/ab", true},
      {"Disallow: /a/*/c\nAllow: /a/", "/a/b/c", false}, {"Disallow: /\nAllow: *", "/x", true},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(Allowed("User-agent: *\n" + std::string(c.rules) + "\n", c.path), c.allowed) << c.rules;
  }
}

// 2.2.3: "*" designates 0 or more instances of any character, "$" the end of the match pattern.
TEST(Robots, StarAndDollarAreSpecial) {
  const MatchCase cases[] = {
      {"/a*z", "/az", true},
      {"/a*z", "/a/b/z/c", true},
      {"/a*z", "/ab", false},
      {"/a$", "/a", true},
      {"/a$", "/ab", false},
      {"/a$b", "/a$b", true},
      {"/a$b", "/a", false},
      {"/*.php$", "/x.php", true},
      {"/*.php$", "/x.php?y=1", false},
      {"/*.php$", "/x.php.php", true},
      {"/*a*b*c", "/xaxbxc", true},
      {"/*a*b*c", "/xcxbxa", false},
      {"*", "/", true},
      {"*b", "/ab", true},
      {"/**a", "/ba", true},
      {"/a*", "/a", true},
      {"/a*$", "/abc", true},
      {"/*aba*aba$", "/ababa", false},
      {"/*aba*aba$", "/abaaba", true},
      {"/*$", "/anything", true},
      {"/a$*", "/a$x", true},
      {"a", "/a", false},
      {"http://x/a", "/a", false},
      {"$", "/", false},
  };
  for (const MatchCase& c : cases) EXPECT_EQ(Matches(c.pattern, c.path), c.matches) << c.pattern << " on " << c.path;
}

// 2.2.3: "If crawlers match special characters verbatim in the URI, crawlers SHOULD use "%" encoding."
TEST(Robots, EscapedSpecialCharactersAreLiteral) {
  const MatchCase cases[] = {
      {"/a%2A", "/a*b", true}, {"/a%2A", "/axb", false},  {"/a%24", "/a$b", true},
      {"/a%24", "/a", false},  {"/a%2a", "/a%2Ab", true}, {"/a*", "/a%2A", true},
  };
  for (const MatchCase& c : cases) EXPECT_EQ(Matches(c.pattern, c.path), c.matches) << c.pattern << " on " << c.path;
}

// 2.2.2 and its table.
TEST(Robots, PercentEncodingIsEvenedOutBeforeComparing) {
  const MatchCase cases[] = {
      {"/foo/bar?baz=quz", "/foo/bar?baz=quz", true},
      {"/foo/bar?baz=https://foo.bar", "/foo/bar?baz=https%3A%2F%2Ffoo.bar", true},
      {"/foo/bar?baz=https%3A%2F%2Ffoo.bar", "/foo/bar?baz=https://foo.bar", true},
      {"/foo/bar/\xE3\x83\x84", "/foo/bar/%E3%83%84", true},
      {"/foo/bar/%e3%83%84", "/foo/bar/\xE3\x83\x84", true},
      {"/foo/bar/%62%61%7A", "/foo/bar/baz", true},
      {"/foo/bar/baz", "/foo/bar/%62%61%7a", true},
      {"/%7Ejoe/", "/~joe/", true},
      {"/a%3cd", "/a%3Cd", true},
      {"/a<d", "/a%3Cd", true},
      {"/a b", "/a%20b", true},
      {"/(a)", "/%28a%29", true},
      {"/100%", "/100%25", true},
      {"/100%zz", "/100%zz", true},
      // A separator differs from its escape.
      {"/a%2Fb", "/a/b", false},
      {"/a/b", "/a%2Fb", false},
      {"/a%2fb", "/a%2Fb", true},
      {"/a?b", "/a%3Fb", false},
      {"/?a%26b", "/?a&b", false},
      {"/?a%3Db", "/?a=b", false},
      {"/a%00", "/a", false},
  };
  for (const MatchCase& c : cases) EXPECT_EQ(Matches(c.pattern, c.path), c.matches) << c.pattern << " on " << c.path;
}

TEST(Robots, EscapesOfOneCharacterCountAsOneOctet) {
  EXPECT_TRUE(Allowed("User-agent: *\nAllow: /abc\nDisallow: /%61%62\n", "/abc"));
}

TEST(Robots, PathsCompareByCase) {
  EXPECT_TRUE(Matches("/a", "/a"));
  EXPECT_FALSE(Matches("/A", "/a"));
}

TEST(Robots, EmptyPatternMatchesNothing) {
  EXPECT_TRUE(Allowed("User-agent: *\nDisallow:\n", "/a"));
  EXPECT_FALSE(Allowed("User-agent: *\nDisallow: /\nAllow:\n", "/a"));
}

// 2.2.2: "The /robots.txt URI is implicitly allowed."
TEST(Robots, RobotsTxtItselfIsAlwaysAllowed) {
  const char* text = "User-agent: *\nDisallow: /\n";
  EXPECT_TRUE(Allowed(text, "/robots.txt"));
  EXPECT_TRUE(Allowed(text, "/robots%2Etxt"));
  EXPECT_FALSE(Allowed(text, "/robots.txt?a"));
  EXPECT_FALSE(Allowed(text, "/a/robots.txt"));
}

TEST(Robots, EmptyPathMeansTheRoot) {
  EXPECT_FALSE(Allowed("User-agent: *\nDisallow: /\n", ""));
  EXPECT_FALSE(Allowed("User-agent: *\nDisallow: /?a\n", "?a"));
}

// 2.2: EOL = CR / LF / CRLF
TEST(Robots, AnyLineEndEndsALine) {
  for (const std::string& end : {std::string("\n"), std::string("\r"), std::string("\r\n")}) {
    const std::string text = "User-agent: a" + end + end + "User-agent: foobot" + end + "Disallow: /x";
    const RobotsRules::Verdict verdict = RobotsRules::Parse(text, "foobot").Check("/x");
    EXPECT_FALSE(verdict.allowed);
    EXPECT_EQ(verdict.line, 4u);
  }
}

TEST(Robots, ByteOrderMarkOrItsBeginningIsSkippedOnlyAtTheStart) {
  for (const std::string& mark : {std::string("\xEF\xBB\xBF"), std::string("\xEF\xBB"), std::string("\xEF")}) {
    EXPECT_FALSE(Allowed(mark + "User-agent: *\nDisallow: /\n", "/a"));
  }
  EXPECT_TRUE(
      Allowed("User-agent: *\n\xEF\xBB\xBF"
              "Disallow: /\n",
              "/a"));
  EXPECT_TRUE(Allowed("\xEF\x11\xBFUser-agent: *\nDisallow: /\n", "/a"));
}

// Section 2.3 asks for UTF-8, but whoever marks a file as UTF-16 and disallows in it still means it.
TEST(Robots, Utf16WithAMarkIsRead) {
  const std::string_view ascii = "User-agent: *\nDisallow: /x\n";
  for (const bool is_big_endian : {false, true}) {
    std::string file = is_big_endian ? "\xFE\xFF" : "\xFF\xFE";
    for (const char c : ascii) file += is_big_endian ? std::string{'\0', c} : std::string{c, '\0'};
    const RobotsRules rules = RobotsRules::Parse(file, "foobot");
    EXPECT_FALSE(rules.Check("/x").allowed);
    EXPECT_EQ(rules.Check("/x").line, 2u);
    EXPECT_TRUE(rules.Check("/y").allowed);
  }
}

TEST(Robots, SpaceAndCommentsAroundAreLeftOut) {
  EXPECT_FALSE(Allowed("\t User-agent \t:  * \t# all\n  Disallow\t:\t/a # not\n", "/a"));
  EXPECT_FALSE(Allowed("user-agent:*\ndisallow:/a#b\n", "/a"));
}

TEST(Robots, ColonMayBeMissingBetweenTwoWords) {
  EXPECT_FALSE(Allowed("user-agent foobot\ndisallow /\n", "/a"));
  EXPECT_TRUE(Allowed("user-agent foobot\ndisallow / a\n", "/a"));
}

TEST(Robots, MisspelledRulesAreNotGuessed) {
  for (const char* key : {"Dissallow", "Disalow", "Disallow-all", "Noindex"}) {
    EXPECT_TRUE(Allowed("User-agent: *\n" + std::string(key) + ": /\n", "/a")) << key;
  }
}

TEST(Robots, AllowedIndexPageAllowsItsFolder) {
  const char* text = "User-agent: *\nDisallow: /\nAllow: /a/index.html\n";
  EXPECT_TRUE(Allowed(text, "/a/index.html"));
  EXPECT_TRUE(Allowed(text, "/a/"));
  EXPECT_FALSE(Allowed(text, "/a/b"));
  EXPECT_FALSE(Allowed(text, "/a"));
}

TEST(Robots, VerdictNamesTheLineThatDecided) {
  const RobotsRules rules =
      RobotsRules::Parse("# head\nUser-agent: *\n  Disallow: /a/%62  # why\nAllow: /a/bc\nAllow: /d\n", "foobot");
  const RobotsRules::Verdict denied = rules.Check("/a/b");
  EXPECT_FALSE(denied.allowed);
  EXPECT_EQ(denied.line, 3u);
  EXPECT_EQ(denied.text, "  Disallow: /a/%62  # why");
  EXPECT_EQ(rules.Check("/a/bcd").line, 4u);
  EXPECT_EQ(rules.Check("/d").line, 5u);
  EXPECT_EQ(rules.Check("/e").line, 0u);
}

TEST(Robots, FirstOfEqualRulesIsNamed) {
  const RobotsRules rules = RobotsRules::Parse("User-agent: *\nDisallow: /a\nDisallow: /a\n", "foobot");
  EXPECT_EQ(rules.Check("/a").line, 2u);
  EXPECT_EQ(RobotsRules::Parse("User-agent: *\nDisallow: *\nDisallow: /\n", "foobot").Check("/a").line, 2u);
  EXPECT_EQ(RobotsRules::Parse("User-agent: *\nDisallow: /\nDisallow: *\n", "foobot").Check("/a").line, 2u);
}

// 2.5: "Crawlers SHOULD impose a parsing limit … The parsing limit MUST be at least 500 kibibytes".
TEST(Robots, WholeLinesWithin500KibibytesCount) {
  const std::string start = "User-agent: *\n";
  const std::string rule = "Disallow: /last\n";
  const std::string filler(kRobotsMaxBytes - start.size() - rule.size() - 1, '#');
  EXPECT_FALSE(Allowed(start + filler + "\n" + rule + "more", "/last"));
  // The limit cuts this line; half a rule would be another rule.
  EXPECT_TRUE(Allowed(start + filler + "#\n" + rule, "/las"));
  EXPECT_TRUE(Allowed(start + filler + "#\n" + rule, "/last"));
  EXPECT_TRUE(Allowed(std::string(kRobotsMaxBytes + 1, 'a'), "/"));
}

TEST(Robots, FirstValidCrawlDelayOfTheGroupCounts) {
  const struct {
    const char* value;
    std::optional<int64_t> delay_ms;
  } cases[] = {
      {"10", 10000},
      {"0.5", 500},
      {".25", 250},
      {"1.", 1000},
      {"0", 0},
      {"1.9999", 1999},
      {"-1", {}},
      {"", {}},
      {"x", {}},
      {"5s", {}},
      {"1e3", {}},
      {".", {}},
      {"1 2", {}},
      {"nan", {}},
      {"+1", {}},
      {"1,5", {}},
      {"99999999999999999999", 1000000000000},
  };
  for (const auto& c : cases) {
    const std::string text = "User-agent: *\nCrawl-delay: " + std::string(c.value) + "\n";
    EXPECT_EQ(RobotsRules::Parse(text, "foobot").crawl_delay_ms(), c.delay_ms) << c.value;
  }
  const char* text =
      "Crawl-delay: 1\nUser-agent: *\nCrawl-delay: 2\nUser-agent: foobot\nCrawl-delay: no\nDisallow: /x\n"
      "Crawl-delay: 4\nUser-agent: other\nCrawl-delay: 5\nDisallow:\nUser-agent: foobot\nCrawl-delay: 6\n";
  EXPECT_EQ(RobotsRules::Parse(text, "foobot").crawl_delay_ms(), 4000);
  EXPECT_EQ(RobotsRules::Parse(text, "someone").crawl_delay_ms(), 2000);
  EXPECT_EQ(
      RobotsRules::Parse("User-agent: *\nCrawl-delay: 2\nUser-agent: foobot\nAllow: /\n", "foobot").crawl_delay_ms(),
      std::nullopt);
}

TEST(Robots, SitemapsAreKeptInOrderEachOnce) {
  const char* text =
      "Sitemap: http://x/b.xml\nUser-agent: other\nDisallow: /\nsitemap: http://x/a.xml # new\nSITEMAP:http://x/b.xml\n"
      "Sitemap:\nSite-map: /c.xml\n";
  EXPECT_EQ(RobotsRules::Parse(text, "foobot").sitemaps(),
            (std::vector<std::string>{"http://x/b.xml", "http://x/a.xml", "/c.xml"}));
}

TEST(Robots, ContentSignalsOfTheGroupAreKept) {
  const char* text =
      "User-Agent: *\nContent-Signal: search=yes, ai-train=no\nAllow: /\nUser-agent: foobot\n"
      "content-signal: ai-input=no\nContent-Signal: /a ai-train=no\n";
  EXPECT_EQ(RobotsRules::Parse(text, "other").content_signals(), (std::vector<std::string>{"search=yes, ai-train=no"}));
  EXPECT_EQ(RobotsRules::Parse(text, "foobot").content_signals(),
            (std::vector<std::string>{"ai-input=no", "/a ai-train=no"}));
}

TEST(Robots, RulesMayBeCopiedAndMoved) {
  RobotsRules rules = RobotsRules::Parse("User-agent: *\nDisallow: /a\n", "foobot");
  const RobotsRules copy = rules;
  const RobotsRules moved = std::move(rules);
  EXPECT_EQ(copy.Check("/a").text, "Disallow: /a");
  EXPECT_EQ(moved.Check("/a").text, "Disallow: /a");
}

// Heads that begin with one another, in every order, checked against the plain definition.
TEST(Robots, EveryHeadThatBeginsThePathIsFound) {
  const std::string text =
      "User-agent: *\nDisallow: /a/b\nAllow: /a/\nAllow: /a/b/c$\nDisallow: /a/bb\nDisallow: /a/b*q\nAllow: /ab\n";
  const std::pair<const char*, bool> cases[] = {{"/a/b", false},  {"/a/b/c", true}, {"/a/b/cd", false}, {"/a/c", true},
                                                {"/a/ba", false}, {"/a/bb", false}, {"/a/bq", false},   {"/ab", true},
                                                {"/a/abq", true}, {"/", true},      {"/a/b/q", false},  {"/z", true}};
  for (const auto& [path, allowed] : cases) EXPECT_EQ(Allowed(text, path), allowed) << path;
}

// Patterns made to be slow: each takes no longer than reading the path once per piece.
TEST(Robots, NoPatternMakesMatchingSlow) {
  std::string stars = "User-agent: *\n";
  while (stars.size() < 10u << 20)
    stars += "Disallow: /*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b\nAllow: /" + std::string(40, '*') + "c$\n";
  const std::string path = "/" + std::string(2000, 'a');
  EXPECT_TRUE(Allowed(stars, path));
  EXPECT_FALSE(Allowed(stars, path + "b"));
  std::string nested = "User-agent: *\n";
  for (int i = 1; i < 900; ++i) nested += "Disallow: /" + std::string(i, 'a') + "$\n";
  EXPECT_TRUE(Allowed(nested, path));
  EXPECT_TRUE(Allowed(std::string(10 << 20, '\r'), "/"));
}

}  // namespace
}  // namespace trawl
