#include "jobs/operate/host_policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

using ::testing::HasSubstr;

TEST(HostPolicy, ALineChangesWhatItNames) {
  const struct {
    const char* line;
    std::string key;
    bool is_domain;
    HostChange change;
  } cases[] = {
      {"host=www.example.com delay=5s pages_a_day=100 pages=1000",
       "com,example,www",
       false,
       {.delay_ms = 5'000, .pages_a_day = 100, .pages = 1'000}},
      {"  domain=example.org\tblocked=yes\treason=asked us = to stay  away \r",
       "org,example",
       true,
       {.blocked = true, .reason = "asked us = to stay  away"}},
      {"delay=0 host=Example.COM", "com,example", false, {.delay_ms = -1}},
      {"host=https://a.test/x delay=usual pages_a_day=usual pages=usual blocked=no",
       "test,a",
       false,
       {.blocked = false, .delay_ms = 0, .pages_a_day = 0, .pages = 0}},
  };
  for (const auto& one : cases) {
    ASSERT_OK_AND_ASSIGN(const HostPolicy policy, ParseHostPolicy(one.line, NormalForm::kStandard));
    EXPECT_EQ(policy.target.key, one.key) << one.line;
    EXPECT_EQ(policy.target.is_domain, one.is_domain) << one.line;
    EXPECT_EQ(policy.change, one.change) << one.line;
    ASSERT_OK_AND_ASSIGN(const HostChange again, HostChangeFromJson(ToJson(policy.change)));
    EXPECT_EQ(again, policy.change) << one.line;
  }
}

TEST(HostPolicy, ABadLineIsRefusedWithWhatToWrite) {
  const std::pair<const char*, const char*> cases[] = {
      {"www.example.com delay=5s", "'www.example.com' is no NAME=VALUE"},
      {"host=a.test dealy=5s", "'dealy' is not known; the names are host, domain, delay"},
      {"host=a.test delay=5", "write a duration like 30s or 1h30m"},
      {"host=a.test pages=0", "write a whole number from 1"},
      {"host=a.test pages_a_day=-3", "write a whole number from 1"},
      {"host=a.test blocked=true", "write yes or no"},
      {"host=a.test", "it changes nothing"},
      {"delay=5s", "it names no host"},
      {"host=a.test host=b.test delay=5s", "write one line for each"},
      {"host=a.test reason=why", "it changes nothing"},
      {"domain=co.uk blocked=yes", "co.uk is a public suffix: strangers have domains below it"},
      {"host=a_b..test delay=5s", "is neither a host nor a URL"},
      {"domain=www.example.com delay=5s", "www.example.com is a host of the domain example.com; write example.com"},
  };
  for (const auto& [line, why] : cases) {
    const auto policy = ParseHostPolicy(line, NormalForm::kStandard);
    ASSERT_FALSE(policy.ok()) << line;
    EXPECT_THAT(policy.status().message(), HasSubstr(why)) << line;
  }
}

TEST(HostPolicy, CommentsAndEmptyLinesSayNothing) {
  for (const char* line : {"", "  \t\r", "# host=a.test delay=5s", "  # x"}) EXPECT_TRUE(IsEmptyPolicy(line)) << line;
  EXPECT_FALSE(IsEmptyPolicy("host=a.test"));
}

}  // namespace
}  // namespace trawl
