// Prefixes as people type them.
#include "jobs/verb/url_arguments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/process/status_detail.h"

namespace trawl {
namespace {

using ::testing::ElementsAre;

TEST(UrlPrefix, TheOriginMayBeSpelledInAnyWay) {
  const struct {
    const char* typed;
    const char* normal;
  } cases[] = {{"https://a.example", "https://a.example/"},
               {"HTTPS://A.Example/", "https://a.example/"},
               {"https://a.example:443/x", "https://a.example/x"},
               {"http://a.example:80", "http://a.example/"},
               {"http://a.example:8080/", "http://a.example:8080/"},
               {"https://B\u00fccher.example/", "https://xn--bcher-kva.example/"},
               {"https://a.example/A%2f,b?c=D", "https://a.example/A%2f,b?c=D"},
               {"https://a.example?q", "https://a.example/?q"}};
  for (const auto& c : cases) {
    const auto range = KeysOfPrefix(c.typed, NormalForm::kStandard);
    ASSERT_TRUE(range.ok()) << c.typed << range.status();
    const KeyRange expected = *KeyRangeOfUrlPrefix(c.normal);
    EXPECT_EQ(range->from, expected.from) << c.typed;
    EXPECT_EQ(range->to, expected.to) << c.typed;
  }
}

TEST(UrlArgument, ForgottenSchemesAreHintedAt) {
  EXPECT_EQ(*KeyOfArgument("HTTPS://A.Example/b?utm_source=x", NormalForm::kStandard), "example,a)/b");
  const struct {
    const char* typed;
    const char* hint;
  } cases[] = {{"www.a.example", "; did you mean https://www.a.example?"}, {"", ""}, {"https://a b/", ""}};
  for (const auto& c : cases) {
    const arrow::Status status = KeyOfArgument(c.typed, NormalForm::kStandard).status();
    EXPECT_EQ(KindOf(status), StatusKind::kUsage) << c.typed;
    EXPECT_EQ(status.message().substr(std::min(status.message().find("; did"), status.message().size())), c.hint);
  }
}

TEST(UrlPrefix, WhatIsNoUrlsBeginningIsRefused) {
  for (const char* typed : {"", "a.example", "https://", "https:///x", "ftp://a.example/", "https://a b/"}) {
    EXPECT_EQ(KindOf(KeysOfPrefix(typed, NormalForm::kStandard).status()), StatusKind::kUsage) << typed;
  }
}

TEST(UrlPrefix, ACommaWithinAPrefixIsItsOwn) {
  EXPECT_THAT(JoinPrefixes({"https://a.example/a", "b"}), ElementsAre("https://a.example/a,b"));
  EXPECT_THAT(JoinPrefixes({"https://a.example/a", "b", "https://b.example/", "c"}),
              ElementsAre("https://a.example/a,b", "https://b.example/,c"));
  EXPECT_THAT(JoinPrefixes({}), ElementsAre());
}

}  // namespace
}  // namespace trawl
