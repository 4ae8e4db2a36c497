#include "formats/scope/lists.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace trawl {
namespace {

using Kind = UrlList::Kind;

uint32_t Find(const UrlList& list, std::string_view url) {
  UrlPieces pieces;
  EXPECT_TRUE(SplitWebUrl(url, &pieces)) << url;
  return list.Find(url, pieces);
}

struct Case {
  const char* url;
  uint32_t line;
};

void Expect(Kind kind, std::string_view text, const std::vector<Case>& cases) {
  const auto list = UrlList::Parse(kind, text, "list.txt");
  ASSERT_TRUE(list.ok()) << list.status();
  for (const Case& c : cases) EXPECT_EQ(Find(*list, c.url), c.line) << c.url;
}

TEST(UrlLists, HostsAreWhole) {
  Expect(Kind::kHosts,
         "# mine\n\n  WWW.Example.com \r\nb\xc3\xbc"
         "cher.example\n[2001:DB8::1]\n192.0.2.1\ndot.example.\n",
         {{"https://www.example.com/a", 3},
          {"http://www.example.com:8080/", 3},
          {"https://example.com/", 0},
          {"https://a.www.example.com/", 0},
          {"https://www.example.com.au/", 0},
          {"https://xn--bcher-kva.example/", 4},
          {"https://[2001:db8::1]/", 5},
          {"https://192.0.2.1/", 6},
          {"https://192.0.2.11/", 0},
          {"https://dot.example/", 7}});
}

TEST(UrlLists, DomainsCoverTheHostsBelow) {
  Expect(Kind::kDomains, "example.com\n.edu\n192.0.2.1\nwww.deep.example\n",
         {{"https://example.com/", 1},
          {"https://a.b.example.com/", 1},
          {"https://xexample.com/", 0},
          {"https://example-x.com/", 0},
          {"https://com/", 0},
          {"https://mit.edu/", 2},
          {"https://edu/", 2},
          {"https://192.0.2.1/", 3},
          {"https://1.192.0.2.example/", 0},
          {"https://deep.example/", 0},
          {"https://a.www.deep.example/", 4}});
}

TEST(UrlLists, PrefixesAreBytesOfTheNormalisedUrl) {
  Expect(Kind::kPrefixes, "https://e.example/a/\nhttps://e.example/a/b/\nhttp://\n",
         {{"https://e.example/a/", 1},
          {"https://e.example/a/b/c", 1},  // the longer entry finds nothing more
          {"https://e.example/a", 0},
          {"http://e.example/a", 3}});
}

TEST(UrlLists, SuffixesAreOfThePathInAnyCase) {
  Expect(Kind::kSuffixes, ".PDF\n.tar.gz\n",
         {{"https://e.example/a.pdf", 1},
          {"https://e.example/a.Pdf?x=1", 1},
          {"https://e.example/a?x=.pdf", 0},
          {"https://e.example/a.gz", 0},
          {"https://e.example/a.tar.gz", 2},
          {"https://e.example/pdf", 0}});
}

TEST(UrlLists, OfEqualEntriesTheFirstIsNamed) {
  Expect(Kind::kHosts, "b.example\na.example\na.example\n", {{"https://a.example/", 2}});
}

TEST(UrlLists, EntriesThatCanMatchNothingAreRefusedByFileAndLine) {
  struct {
    Kind kind;
    const char* entry;
  } cases[] = {
      {Kind::kHosts, "https://a.example/"},
      {Kind::kHosts, "a.example/x"},
      {Kind::kHosts, "a.example:8080"},
      {Kind::kHosts, "u@a.example"},
      {Kind::kHosts, "a..example"},
      {Kind::kHosts, "*.example"},
      {Kind::kHosts, "a?b"},
      {Kind::kDomains, "a b"},
      {Kind::kDomains, "."},
      {Kind::kDomains, "..a"},
      {Kind::kPrefixes, "e.example"},
      {Kind::kPrefixes, "/a"},
  };
  for (const auto& c : cases) {
    const auto list = UrlList::Parse(c.kind, std::string("# one\n") + c.entry + "\n", "list.txt");
    ASSERT_FALSE(list.ok()) << c.entry;
    EXPECT_EQ(list.status().message().substr(0, 12), "list.txt:2: ") << list.status();
  }
}

}  // namespace
}  // namespace trawl
