#include "jobs/sites/mirrors.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace trawl {
namespace {

UrlRow Page(const std::string& key, const std::string& content, const std::string& duplicate_of = "") {
  UrlRow row;
  row.key = key;
  row.state = duplicate_of.empty() ? UrlState::kFetched : UrlState::kDuplicate;
  row.content_digest = content;
  row.duplicate_of = duplicate_of;
  return row;
}

std::string Number(const char* before, int i, const char* after = "") { return before + std::to_string(i) + after; }

TEST(Mirrors, SaysEachRuleOfSpelling) {
  struct Case {
    MirrorKind kind;
    const char *a, *a_end, *b, *b_end;
  };
  for (const Case& c : {Case{MirrorKind::kScheme, "com,a)/p", "", "com,a)http/p", ""},
                        Case{MirrorKind::kWww, "com,a)/p", "?q", "com,a,www)/p", "?q"},
                        Case{MirrorKind::kSlash, "com,a)/p", "?q", "com,a)/p", "/?q"},
                        Case{MirrorKind::kCase, "com,a)/page", "?q", "com,a)/Page", "?q"},
                        Case{MirrorKind::kIndex, "com,a)/p", "/", "com,a)/p", "/index.html"}}) {
    for (const int equal : {9, 10}) {
      Mirrors mirrors("a.com");
      for (int i = 0; i < 11; ++i) {
        mirrors.Add(Page(Number(c.a, i, c.a_end), Number("c", i)));
        mirrors.Add(Page(Number(c.b, i, c.b_end), i < equal ? Number("c", i) : Number("d", i)));
        mirrors.Add(Page(Number("com,a)/other", i), Number("e", i)));
      }
      const std::vector<Mirror> found = mirrors.Find();
      if (equal == 9) {
        EXPECT_TRUE(found.empty()) << NameOf(c.kind);
        continue;
      }
      ASSERT_EQ(found.size(), 1U) << NameOf(c.kind);
      EXPECT_EQ(found[0], (Mirror{c.kind, "", "", 11, 10}));
    }
  }
}

TEST(Mirrors, RedirectsAndVerdictsCountAsEqual) {
  Mirrors mirrors("a.com");
  for (int i = 0; i < 12; ++i) {
    UrlRow http = Page(Number("com,a)http/p", i), "");
    http.state = UrlState::kRedirected;
    http.redirect_to = Number("com,a)/p", i);
    mirrors.Add(http);
    mirrors.Add(Page(http.redirect_to, Number("c", i)));
    UrlRow slash = Page(Number("com,a)/p", i, "/"), Number("d", i));
    slash.near_duplicate_of = http.redirect_to;
    mirrors.Add(slash);
  }
  const std::vector<Mirror> found = mirrors.Find();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0], (Mirror{MirrorKind::kScheme, "", "", 12, 12}));
  EXPECT_EQ(found[1], (Mirror{MirrorKind::kSlash, "", "", 12, 12}));
}

TEST(Mirrors, SaysWhatAnotherHostOrPathStandsFor) {
  Mirrors mirrors("a.com");
  for (int i = 0; i < 20; ++i) {
    mirrors.Add(Page(Number("com,a)/old/x/", i), "", Number("com,a)/new/x/", i)));
    mirrors.Add(Page(Number("com,a)/own/", i), Number("c", i)));
    mirrors.Add(Page(Number("com,a)/new/x/", i), Number("d", i)));
  }
  ASSERT_EQ(mirrors.Find().size(), 1U);
  EXPECT_EQ(mirrors.Find()[0], (Mirror{MirrorKind::kHost, "https://a.com/old/", "https://a.com/new/", 20, 20}));

  Mirrors whole("a.com");
  for (int i = 0; i < 20; ++i) whole.Add(Page(Number("com,a)/", i), "", i < 15 ? Number("org,b)/", i) : ""));
  ASSERT_EQ(whole.Find().size(), 1U);
  EXPECT_EQ(whole.Find()[0], (Mirror{MirrorKind::kHost, "https://a.com/", "https://b.org/", 20, 15}));
}

TEST(Mirrors, HttpIsNoOtherPath) {
  Mirrors mirrors("a.com");
  for (int i = 0; i < 20; ++i) {
    mirrors.Add(Page(Number("com,a)http/x/", i), "c", Number("com,a)/x/", i)));
    mirrors.Add(Page(Number("com,a)/x/", i), Number("d", i)));
  }
  ASSERT_EQ(mirrors.Find().size(), 1U);
  EXPECT_EQ(mirrors.Find()[0].kind, MirrorKind::kScheme);
}

}  // namespace
}  // namespace trawl
