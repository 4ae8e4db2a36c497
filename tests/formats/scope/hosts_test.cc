#include "formats/scope/hosts.h"

#include <gtest/gtest.h>

namespace trawl {
namespace {

struct Case {
  const char* host;
  bool in_scope;
};

TEST(UrlScope, OfHostsIsTheirHostsAlone) {
  const ScopeHosts hosts = ScopeHosts::Make(UrlScope::kHost, {"www.e.example", "192.0.2.1"}).ValueOrDie();
  for (const Case& c : {Case{"www.e.example", true}, Case{"192.0.2.1", true}, Case{"e.example", false},
                        Case{"a.www.e.example", false}, Case{"192.0.2.11", false}}) {
    EXPECT_EQ(hosts.Has(c.host), c.in_scope) << c.host;
  }
}

TEST(UrlScope, OfDomainsFollowsThePublicSuffixList) {
  const auto suffixes = PublicSuffixes::Parse("com\ns3.cloud.com\nio\ngit.io\n").ValueOrDie();
  const ScopeHosts hosts =
      ScopeHosts::Make(UrlScope::kDomain, {"www.cloud.com", "git.io", "a.b.s3.cloud.com", "[::1]"}, suffixes)
          .ValueOrDie();
  for (const Case& c : {
           Case{"cloud.com", true},
           Case{"x.y.cloud.com", true},
           Case{"bucket.s3.cloud.com", false},  // belongs to a stranger
           Case{"b.s3.cloud.com", true},
           Case{"c.b.s3.cloud.com", true},
           Case{"git.io", true},
           Case{"someone.git.io", false},
           Case{"[::1]", true},
           Case{"[::2]", false},
           Case{"xcloud.com", false},
           Case{"com", false},
       }) {
    EXPECT_EQ(hosts.Has(c.host), c.in_scope) << c.host;
  }
}

TEST(UrlScope, AnyNeedsNoSeed) {
  EXPECT_TRUE(ScopeHosts::Make(UrlScope::kAny, {})->Has("e.example"));
  for (const UrlScope scope : {UrlScope::kHost, UrlScope::kDomain}) {
    EXPECT_FALSE(ScopeHosts::Make(scope, {}).ok());
    EXPECT_FALSE(ScopeHosts::Make(scope, {"a..b"}).ok());
  }
}

}  // namespace
}  // namespace trawl
