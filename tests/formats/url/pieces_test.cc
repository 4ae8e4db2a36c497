#include "formats/url/pieces.h"

#include <gtest/gtest.h>

#include <string>

namespace trawl {
namespace {

TEST(UrlPieces, AreViewsIntoTheUrl) {
  struct {
    const char *url, *scheme, *host, *port, *origin, *path, *query;
    bool has_query;
    HostForm form;
  } cases[] = {
      {"https://www.e.example:8443/a/b?c=d?e", "https", "www.e.example", "8443", "https://www.e.example:8443", "/a/b",
       "c=d?e", true, HostForm::kName},
      {"http://192.0.2.1/", "http", "192.0.2.1", "", "http://192.0.2.1", "/", "", false, HostForm::kIpv4},
      {"https://[::1]:1/?", "https", "[::1]", "1", "https://[::1]:1", "/", "", true, HostForm::kIpv6},
      {"https://[::1]/x", "https", "[::1]", "", "https://[::1]", "/x", "", false, HostForm::kIpv6},
      {"https://e.example/a:b", "https", "e.example", "", "https://e.example", "/a:b", "", false, HostForm::kName},
  };
  for (const auto& c : cases) {
    UrlPieces pieces;
    ASSERT_TRUE(SplitWebUrl(c.url, &pieces)) << c.url;
    EXPECT_EQ(pieces.scheme, c.scheme);
    EXPECT_EQ(pieces.host, c.host);
    EXPECT_EQ(pieces.port, c.port);
    EXPECT_EQ(pieces.origin, c.origin);
    EXPECT_EQ(pieces.path, c.path);
    EXPECT_EQ(pieces.query, c.query);
    EXPECT_EQ(pieces.has_query, c.has_query);
    EXPECT_EQ(pieces.host_form, c.form);
  }
}

TEST(UrlPieces, HostsHaveOneForm) {
  struct {
    const char* host;
    HostForm form;
  } cases[] = {
      {"example.com", HostForm::kName}, {"localhost", HostForm::kName},     {"a_b.-c-.example", HostForm::kName},
      {"1.2.example", HostForm::kName}, {"0xg", HostForm::kName},           {"1a", HostForm::kName},
      {"192.0.2.1", HostForm::kIpv4},   {"0.0.0.0", HostForm::kIpv4},       {"255.255.255.255", HostForm::kIpv4},
      {"[::]", HostForm::kIpv6},        {"[2001:db8::1]", HostForm::kIpv6}, {"", HostForm::kRefused},
      {".", HostForm::kRefused},        {"a.", HostForm::kRefused},         {".a", HostForm::kRefused},
      {"a..b", HostForm::kRefused},     {"A", HostForm::kRefused},          {"a b", HostForm::kRefused},
      {"a%20", HostForm::kRefused},     {"\xc3\xa9", HostForm::kRefused},   {"1", HostForm::kRefused},
      {"a.1", HostForm::kRefused},      {"a.0x1F", HostForm::kRefused},     {"a.0xff", HostForm::kRefused},
      {"a.0x", HostForm::kRefused},     {"256.1.1.1", HostForm::kRefused},  {"1.1.1", HostForm::kRefused},
      {"01.1.1.1", HostForm::kRefused}, {"1.1.1.1.1", HostForm::kRefused},  {"[]", HostForm::kRefused},
      {"[12]", HostForm::kRefused},     {"[::1", HostForm::kRefused},       {"[::g]", HostForm::kRefused},
  };
  for (const auto& c : cases) EXPECT_EQ(FormOfHost(c.host), c.form) << c.host;
  EXPECT_EQ(FormOfHost("[" + std::string(40, ':') + "]"), HostForm::kRefused);
}

}  // namespace
}  // namespace trawl
