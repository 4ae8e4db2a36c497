#include "formats/url/normal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "formats/url/key.h"

namespace trawl {
namespace {

constexpr NormalForm kForms[] = {NormalForm::kStrict, NormalForm::kStandard, NormalForm::kFold};

struct Case {
  const char* url;
  const char* strict;
  const char* standard;
  const char* fold;
};

constexpr const char* kSame = nullptr;  // as in the form before

void Expect(const Case& c) {
  const std::string expected[] = {c.strict, c.standard ? c.standard : c.strict,
                                  c.fold ? c.fold : (c.standard ? c.standard : c.strict)};
  for (const NormalForm form : kForms) {
    const auto url = NormalizeUrl(c.url, form);
    ASSERT_TRUE(url.ok()) << c.url << ": " << url.status();
    EXPECT_EQ(*url, expected[static_cast<int>(form) - 1]) << c.url << " in form " << NameOf(form);
    EXPECT_EQ(NormalizeUrl(*url, form).ValueOr("refused"), *url) << "not a fixed point";
  }
}

// WHATWG URL, 4.4: scheme and host in lower case, dot segments and the default port removed.
TEST(UrlNormal, ParsesAsTheStandardSays) {
  for (const Case& c : std::initializer_list<Case>{
           {"HTTP://WWW.Example.COM:80/a/./b/../c", "http://www.example.com/a/c", kSame, kSame},
           {"https://example.com:443", "https://example.com/", kSame, kSame},
           {"https://example.com:8443/x", "https://example.com:8443/x", kSame, kSame},
           {" https:\\\\example.com\\a\tb ", "https://example.com/ab", kSame, kSame},
           {"https://b\xc3\xbc"
            "cher.example/\xc3\xa4?\xc3\xb6",
            "https://xn--bcher-kva.example/%C3%A4?%C3%B6", kSame, kSame},
           {"https://0x7f.1/", "https://127.0.0.1/", kSame, kSame},
           {"https://[2001:DB8:0::1]/", "https://[2001:db8::1]/", kSame, kSame},
       }) {
    Expect(c);
  }
}

TEST(UrlNormal, UserinfoAndFragmentAreNeverKept) {
  for (const Case& c : std::initializer_list<Case>{
           {"https://user:secret@example.com/a#top", "https://example.com/a", kSame, kSame},
           {"https://user@[::1]:8443/a?b#", "https://[::1]:8443/a?b", kSame, kSame},
           {"https://:@example.com/#?a=b", "https://example.com/", kSame, kSame},
       }) {
    Expect(c);
  }
}

// RFC 3986, 6.2.2.2: escapes of unreserved characters are decoded. 6.2.2.1: the other escapes have upper-case digits.
TEST(UrlNormal, EscapesAreEvenedOut) {
  for (const Case& c : std::initializer_list<Case>{
           {"https://e.example/%7ea%2Db%5F%41?%7e=%30", "https://e.example/~a-b_A?~=0", kSame, kSame},
           {"https://e.example/a%2fb%3f%c3%a4?a%26b%3d%2b", "https://e.example/a%2Fb%3F%C3%A4?a%26b%3D%2B", kSame,
            kSame},
           {"https://e.example/a%2Eb/%2e%2e/c", "https://e.example/c", kSame, kSame},
           {"https://e.example/[x]|{y}^`?[x]|{y}^`\\",
            "https://e.example/%5Bx%5D%7C%7By%7D%5E%60?%5Bx%5D%7C%7By%7D%5E%60%5C", kSame, kSame},
           // A stray '%' is escaped. Otherwise the '%' and the decoded "61" after it would be an escape in the next
           // pass.
           {"https://e.example/%6%31?%zz%", "https://e.example/%2561?%25zz%25", kSame, kSame},
           {"https://e.example/!$&'()*+,;=:@?!$()*+,;:@/?", "https://e.example/!$&'()*+,;=:@?!$()*+,;:@/?", kSame,
            kSame},
       }) {
    Expect(c);
  }
}

TEST(UrlNormal, TrailingDotOfTheHostGoes) {
  Expect({"https://www.example.com./a", "https://www.example.com/a", kSame, kSame});
  Expect({"https://www.example.com.:8443/a", "https://www.example.com:8443/a", kSame, kSame});
}

TEST(UrlNormal, ParametersAreSortedByNameThenValue) {
  for (const Case& c : std::initializer_list<Case>{
           {"https://e.example/?b=1&a=2&a=1", "https://e.example/?b=1&a=2&a=1", "https://e.example/?a=1&a=2&b=1",
            kSame},
           {"https://e.example/?a-b=1&a=1&a", "https://e.example/?a-b=1&a=1&a", "https://e.example/?a&a=1&a-b=1",
            kSame},
           {"https://e.example/?&&b&&a&", "https://e.example/?&&b&&a&", "https://e.example/?a&b", kSame},
           {"https://e.example/x?", "https://e.example/x?", "https://e.example/x", kSame},
           {"https://e.example/x?&", "https://e.example/x?&", "https://e.example/x", kSame},
           {"https://e.example/?b;a", "https://e.example/?b;a", kSame, kSame},
           {"https://e.example/?b=&a", "https://e.example/?b=&a", "https://e.example/?a&b=", kSame},
       }) {
    Expect(c);
  }
}

TEST(UrlNormal, TrackingParametersGo) {
  for (const Case& c : std::initializer_list<Case>{
           {"https://e.example/?utm_source=a&id=1&UTM_Medium=b", "https://e.example/?utm_source=a&id=1&UTM_Medium=b",
            "https://e.example/?id=1", kSame},
           {"https://e.example/?gclid=x&fbclid=y&msclkid=z", "https://e.example/?gclid=x&fbclid=y&msclkid=z",
            "https://e.example/", kSame},
           {"https://e.example/?%75tm_source=a", "https://e.example/?utm_source=a", "https://e.example/", kSame},
           {"https://e.example/?utm=1&autm_source=1", "https://e.example/?utm=1&autm_source=1",
            "https://e.example/?autm_source=1&utm=1", kSame},
           {"https://e.example/?source=1&ref=2&refs=3", "https://e.example/?source=1&ref=2&refs=3",
            "https://e.example/?ref=2&refs=3&source=1", "https://e.example/?refs=3"},
       }) {
    Expect(c);
  }
}

TEST(UrlNormal, SessionIdsGoFromPathAndQuery) {
  for (const Case& c : std::initializer_list<Case>{
           {"https://e.example/a;jsessionid=1F/b;x=1;JSESSIONID=2?PHPSESSID=abc&p=1",
            "https://e.example/a;jsessionid=1F/b;x=1;JSESSIONID=2?PHPSESSID=abc&p=1", "https://e.example/a/b;x=1?p=1",
            kSame},
           {"https://e.example/?ASPSESSIONIDQABCDEFG=x", "https://e.example/?ASPSESSIONIDQABCDEFG=x",
            "https://e.example/", kSame},
           {"https://e.example/(S(lit3py55t21z5v55vlm25s55))/a", "https://e.example/(S(lit3py55t21z5v55vlm25s55))/a",
            "https://e.example/a", kSame},
           {"https://e.example/(S(lit3py55t21z5v55vlm25s55))", "https://e.example/(S(lit3py55t21z5v55vlm25s55))",
            "https://e.example/", kSame},
           {"https://e.example/(S(short))/a", "https://e.example/(S(short))/a", kSame, kSame},
           // "sid" names a session where its value looks random, and a story elsewhere.
           {"https://e.example/?sid=0123456789abcdef0123456789abcdef",
            "https://e.example/?sid=0123456789abcdef0123456789abcdef", "https://e.example/", kSame},
           {"https://e.example/?sid=1234&s=cats", "https://e.example/?sid=1234&s=cats",
            "https://e.example/?s=cats&sid=1234", kSame},
           // ".." may not remain: whoever reads the result would take it for another page.
           {"https://e.example/a/..;jsessionid=1/b", "https://e.example/a/..;jsessionid=1/b", kSame, kSame},
           {"https://e.example/a/%2e;jsessionid=1", "https://e.example/a/.;jsessionid=1", kSame, kSame},
           {"https://e.example/;jsessionid=1/b", "https://e.example/;jsessionid=1/b", "https://e.example//b",
            "https://e.example/b"},
       }) {
    Expect(c);
  }
}

TEST(UrlNormal, FoldTakesSlashesAndDefaultDocuments) {
  for (const Case& c : std::initializer_list<Case>{
           {"https://e.example/a/", "https://e.example/a/", kSame, "https://e.example/a"},
           {"https://e.example/", "https://e.example/", kSame, kSame},
           {"https://e.example//a///b//", "https://e.example//a///b//", kSame, "https://e.example/a/b"},
           {"https://e.example/a/Index.HTML?x=1", "https://e.example/a/Index.HTML?x=1", kSame,
            "https://e.example/a?x=1"},
           {"https://e.example/index.php", "https://e.example/index.php", kSame, "https://e.example/"},
           {"https://e.example/index.html/index.html/", "https://e.example/index.html/index.html/", kSame,
            "https://e.example/"},
           {"https://e.example/index.html;jsessionid=1", "https://e.example/index.html;jsessionid=1",
            "https://e.example/index.html", "https://e.example/"},
           {"https://e.example/myindex.html", "https://e.example/myindex.html", kSame, kSame},
           {"https://e.example///", "https://e.example///", kSame, "https://e.example/"},
       }) {
    Expect(c);
  }
}

TEST(UrlNormal, RefusalsNameTheReason) {
  struct {
    std::string url;
    UrlRefusal refusal;
  } cases[] = {
      {"", UrlRefusal::kNoUrl},
      {"/a", UrlRefusal::kNoUrl},
      {"https://", UrlRefusal::kNoUrl},
      {"https://a b/", UrlRefusal::kNoUrl},
      {"https://[::1", UrlRefusal::kNoUrl},
      {"https://1.2.3.999/", UrlRefusal::kNoUrl},
      {"ftp://e.example/", UrlRefusal::kScheme},
      {"javascript:alert(1)", UrlRefusal::kScheme},
      {"mailto:a@e.example", UrlRefusal::kScheme},
      {"https://a..example/", UrlRefusal::kHost},
      {"https://e.example../", UrlRefusal::kHost},
      {"https://./", UrlRefusal::kHost},
      {"https://a!b.example/", UrlRefusal::kHost},
      {"https://a&b.example/", UrlRefusal::kHost},
      {"https://e.example/" + std::string(2048, 'x'), UrlRefusal::kTooLong},
      {"https://e.example/" + std::string(700, '|'), UrlRefusal::kTooLong},
      {"https://e.example/?utm_source=" + std::string(100000, 'x'), UrlRefusal::kTooLong},
  };
  for (const NormalForm form : kForms) {
    UrlNormalizer normalizer(form);
    for (const auto& c : cases) {
      std::string out;
      EXPECT_EQ(normalizer.Normalize(c.url, &out), c.refusal) << c.url.substr(0, 60);
      const auto result = NormalizeUrl(c.url, form);
      ASSERT_FALSE(result.ok());
      EXPECT_NE(result.status().message().find(TextOf(c.refusal)), std::string::npos);
    }
  }
}

TEST(UrlNormal, WhatIsLeftOutDoesNotCountForTheLength) {
  const std::string url = "https://e.example/?utm_source=" + std::string(4000, 'x') + "&a=1";
  EXPECT_FALSE(NormalizeUrl(url, NormalForm::kStrict).ok());
  EXPECT_EQ(NormalizeUrl(url, NormalForm::kStandard).ValueOr("refused"), "https://e.example/?a=1");
}

TEST(UrlNormal, NamesOfFormsAreReadBack) {
  for (const NormalForm form : kForms) EXPECT_EQ(NormalFormOf(NameOf(form)).ValueOrDie(), form);
  EXPECT_FALSE(NormalFormOf("loose").ok());
}

// Puts together, in any order, pieces that the steps look for.
std::string MadeUpUrl(std::mt19937_64& random) {
  static const std::vector<std::string> pieces = {"/",
                                                  "//",
                                                  "/.",
                                                  "/..",
                                                  "/%2e",
                                                  "/%2E%2e",
                                                  "/index.html",
                                                  "/INDEX.php",
                                                  ";jsessionid=1",
                                                  ";sid=0123456789abcdef0123456789abcdef",
                                                  ";x",
                                                  "/(S(lit3py55t21z5v55vlm25s55))",
                                                  "%",
                                                  "%6",
                                                  "%61",
                                                  "%2",
                                                  "%25",
                                                  "31",
                                                  "?",
                                                  "&",
                                                  "=",
                                                  "utm_a=1",
                                                  "&b=2",
                                                  "&a=2",
                                                  "&a",
                                                  "ref=1",
                                                  "&source=",
                                                  "PHPSESSID=1",
                                                  "#f",
                                                  "a",
                                                  "B",
                                                  "|",
                                                  "[",
                                                  "\xc3\xa4",
                                                  "\xff",
                                                  "\\",
                                                  "\t",
                                                  "+",
                                                  "%20",
                                                  " ",
                                                  "default.asp"};
  std::string url = random() % 2 == 0 ? "http://u@E.example./" : "https://e.example:8443";
  for (size_t n = random() % 10; n > 0; --n) url += pieces[random() % pieces.size()];
  return url;
}

TEST(UrlNormal, IsAFixedPointAndFormsBuildOnEachOther) {
  std::mt19937_64 random(7);
  int normalised = 0;
  for (int i = 0; i < 40000; ++i) {
    const std::string url = MadeUpUrl(random);
    for (const NormalForm form : kForms) {
      const auto once = NormalizeUrl(url, form);
      if (!once.ok()) continue;
      ++normalised;
      ASSERT_EQ(NormalizeUrl(*once, form).ValueOr("refused"), *once) << url << " in form " << NameOf(form);
      for (const NormalForm weaker : kForms) {
        if (weaker > form) break;
        ASSERT_EQ(NormalizeUrl(*NormalizeUrl(url, weaker), form).ValueOr("refused"), *once) << url;
      }
      const auto key = KeyOfUrl(*once);
      ASSERT_TRUE(key.ok()) << *once;
      ASSERT_EQ(UrlOfKey(*key).ValueOr("refused"), *once);
    }
  }
  EXPECT_GT(normalised, 60000);
}

TEST(UrlNormal, DoesNotDependOnTheOrderOfParameters) {
  std::mt19937_64 random(8);
  std::vector<std::string> parameters = {"a=1",   "a=2",   "a",     "a=", "b", "utm_x=1", "A=1",
                                         "%61=3", "c=%2f", "c=%2F", "",   "=", "=1",      "a-b"};
  const std::string first =
      NormalizeUrl("https://e.example/?a=1&a=2&a&a=&b&utm_x=1&A=1&%61=3&c=%2f&c=%2F&&=&=1&a-b", NormalForm::kStandard)
          .ValueOrDie();
  for (int i = 0; i < 1000; ++i) {
    std::shuffle(parameters.begin(), parameters.end(), random);
    std::string url = "https://e.example/?";
    for (const std::string& parameter : parameters) url += parameter + "&";
    ASSERT_EQ(NormalizeUrl(url, NormalForm::kStandard).ValueOrDie(), first);
  }
}

}  // namespace
}  // namespace trawl
