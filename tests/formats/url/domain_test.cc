#include "formats/url/domain.h"

#include <gtest/gtest.h>

#include <string>

namespace trawl {
namespace {

// https://github.com/publicsuffix/list/wiki/Format: the algorithm, on rules that have been stable for years.
TEST(Domain, RegistrableDomainIsTheSuffixAndOneLabel) {
  struct {
    const char *host, *domain;
  } cases[] = {
      {"example.com", "example.com"},
      {"a.b.example.com", "example.com"},
      {"com", ""},
      {"www.example.co.uk", "example.co.uk"},
      {"co.uk", ""},
      {"a.b.kobe.jp", "a.b.kobe.jp"},  // a wildcard
      {"b.kobe.jp", ""},
      {"www.city.kobe.jp", "city.kobe.jp"},        // its exception
      {"someone.github.io", "someone.github.io"},  // the private section
      {"github.io", ""},
      {"a.b.nosuchsuffix", "b.nosuchsuffix"},  // "*" where no rule matches
      {"nosuchsuffix", ""},
      {"www.xn--85x722f.xn--55qx5d.cn", "xn--85x722f.xn--55qx5d.cn"},
      {"1.2.3.4.5.6.7.8.9.10.11.12.example.com", "example.com"},
      {"example.com.", "example.com"},
      {"", ""},
      {".", ""},
      {".com", ""},
      {".example.com", ""},
      {"a..example.com", ""},
      {"192.0.2.1", ""},
      {"[2001:db8::1]", ""},
      {"EXAMPLE.com", ""},
  };
  for (const auto& c : cases) EXPECT_EQ(PublicSuffixes::BuiltIn().RegistrableDomain(c.host), c.domain) << c.host;
}

TEST(Domain, AHostWithoutOneIsHeldByItself) {
  const PublicSuffixes& list = PublicSuffixes::BuiltIn();
  EXPECT_EQ(list.HoldingDomain("www.example.com"), "example.com");
  EXPECT_EQ(list.HoldingDomain("192.0.2.1"), "192.0.2.1");
  EXPECT_EQ(list.HoldingDomain("[::1]"), "[::1]");
  EXPECT_EQ(list.HoldingDomain("github.io"), "github.io");
  EXPECT_EQ(list.HoldingDomain("localhost"), "localhost");
}

TEST(Domain, RegistriesAloneAreAskedWithoutThePrivateSection) {
  struct {
    const char *host, *suffix, *domain, *registry, *registered;
  } cases[] = {
      {"a.github.io", "github.io", "a.github.io", "io", "github.io"},
      {"github.io", "github.io", "", "io", "github.io"},
      {"x.a.github.io", "github.io", "a.github.io", "io", "github.io"},
      {"b.co.uk", "co.uk", "b.co.uk", "co.uk", "b.co.uk"},
      {"co.uk", "co.uk", "", "co.uk", ""},
      {"com", "com", "", "com", ""},
      {"www.example.com.", "com", "example.com", "com", "example.com"},
      {"a.b.kobe.jp", "b.kobe.jp", "a.b.kobe.jp", "b.kobe.jp", "a.b.kobe.jp"},
      {"www.city.kobe.jp", "kobe.jp", "city.kobe.jp", "kobe.jp", "city.kobe.jp"},
      {"a.b.ck", "b.ck", "a.b.ck", "b.ck", "a.b.ck"},  // a top-level domain that only a wildcard names
      {"www.ck", "ck", "www.ck", "ck", "www.ck"},
      {"a.b.nosuchsuffix", "", "", "", ""},
      {"localhost", "", "", "", ""},
      {"192.0.2.1", "", "", "", ""},
      {"[2001:db8::1]", "", "", "", ""},
      {"a..com", "", "", "", ""},
      {"1.2.3.4.5.6.7.8.9.10.11.12.example.com", "com", "example.com", "com", "example.com"},
  };
  for (const auto& c : cases) {
    const auto all = PublicSuffixes::BuiltIn().SuffixOf(c.host, /*registries_only=*/false);
    EXPECT_EQ(all.suffix, c.suffix) << c.host;
    EXPECT_EQ(all.domain, c.domain) << c.host;
    const auto registry = PublicSuffixes::BuiltIn().SuffixOf(c.host, /*registries_only=*/true);
    EXPECT_EQ(registry.suffix, c.registry) << c.host;
    EXPECT_EQ(registry.domain, c.registered) << c.host;
  }
}

TEST(Domain, AListMayBeHandedIn) {
  const auto list = PublicSuffixes::Parse("// comment\ncom\n*.zone\n!free.zone\n");
  ASSERT_TRUE(list.ok()) << list.status();
  EXPECT_EQ(list->RegistrableDomain("a.b.co.uk"), "co.uk");
  EXPECT_EQ(list->RegistrableDomain("a.b.c.zone"), "b.c.zone");
  EXPECT_EQ(list->RegistrableDomain("a.free.zone"), "free.zone");
  EXPECT_FALSE(PublicSuffixes::Parse("").ok());
  EXPECT_FALSE(PublicSuffixes::Parse("// nothing\n").ok());
}

TEST(Domain, LongHostsAreNoDanger) {
  std::string host;
  for (int i = 0; i < 500; ++i) host += "abc.";
  EXPECT_EQ(PublicSuffixes::BuiltIn().RegistrableDomain(host + "example.com"), "example.com");
  const std::string label(2000, 'x');
  EXPECT_EQ(PublicSuffixes::BuiltIn().RegistrableDomain("a." + label + ".com"), label + ".com");
}

}  // namespace
}  // namespace trawl
