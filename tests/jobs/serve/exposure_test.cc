// Where the server may listen, and under which names it answers.
#include "jobs/serve/exposure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "jobs/serve/host_rule.h"
#include "runtime/process/status_detail.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

using ::testing::HasSubstr;

TEST(Exposure, AnAddressIsAnIpAddressAndAPort) {
  const auto host_and_port = [](const char* text) { return ParseListenAddress(text).ValueOrDie().HostAndPort(80); };
  EXPECT_EQ(host_and_port("127.0.0.1:8765"), "127.0.0.1:80");
  EXPECT_EQ(host_and_port("[::1]:0"), "[::1]:80");
  EXPECT_EQ(host_and_port("localhost:1"), "127.0.0.1:80");
  for (const char* text : {"", "8765", "127.0.0.1", "127.0.0.1:", ":8765", "127.0.0.1:65536", "127.0.0.1:-1",
                           "127.0.0.1:8x", "::1:80", "[127.0.0.1]:80", "example.com:80"}) {
    const arrow::Status status = ParseListenAddress(text).status();
    EXPECT_EQ(KindOf(status), StatusKind::kUsage) << text;
    EXPECT_THAT(status.message(), HasSubstr("write an IP address and a port")) << text;
  }
}

TEST(Exposure, OthersComeInOnlyWithTokenAndTls) {
  const auto check = [](const char* listen, ServeOptions options) {
    const arrow::Status status = CheckExposure(options, ParseListenAddress(listen).ValueOrDie());
    EXPECT_TRUE(status.ok() || KindOf(status) == StatusKind::kUsage);
    return status.ok() ? "" : status.message();
  };
  EXPECT_EQ(check("127.0.0.1:1", {}), "");
  EXPECT_EQ(check("[::1]:1", {}), "");
  EXPECT_THAT(check("0.0.0.0:1", {}), HasSubstr("--serve.token_file"));
  EXPECT_THAT(check("192.168.1.1:1", {.tls_certificate = "c", .tls_key = "k"}), HasSubstr("--serve.token_file"));
  EXPECT_THAT(check("0.0.0.0:1", {.token_file = "t"}), HasSubstr("--serve.tls_certificate"));
  EXPECT_THAT(check("[::]:1", {.token_file = "t"}), HasSubstr("--serve.tls_certificate"));
  EXPECT_EQ(check("0.0.0.0:1", {.token_file = "t", .tls_certificate = "c", .tls_key = "k"}), "");
  EXPECT_EQ(check("0.0.0.0:1", {.token_file = "t", .behind_proxy = true}), "");
  EXPECT_THAT(check("127.0.0.1:1", {.behind_proxy = true}), HasSubstr("--serve.token_file"));
  EXPECT_THAT(check("127.0.0.1:1", {.tls_key = "k"}), HasSubstr("give both or none"));
  EXPECT_THAT(check("127.0.0.1:1", {.token_for_reads = true}), HasSubstr("--serve.token_file"));
}

TEST(Exposure, ReadsAreOpenOnLoopbackAlone) {
  const auto need = [](const char* listen, ServeOptions options) {
    return ReadsNeedToken(options, ParseListenAddress(listen).ValueOrDie());
  };
  EXPECT_FALSE(need("127.0.0.1:1", {.token_file = "t"}));
  EXPECT_TRUE(need("127.0.0.1:1", {.token_file = "t", .token_for_reads = true}));
  EXPECT_TRUE(need("127.0.0.1:1", {.token_file = "t", .behind_proxy = true}));
  EXPECT_TRUE(need("0.0.0.0:1", {.token_file = "t"}));
}

TEST(HostRule, TheHostNamesThisServer) {
  const HostRule rule({.ip = "10.1.2.3", .port = 8765, .names = {"crawl.example", "tunnel.example:99"}});
  for (const char* host : {"localhost:8765", "LOCALHOST:8765", "127.0.0.1:8765", "[::1]:8765", "10.1.2.3:8765",
                           "crawl.example:8765", "tunnel.example:99", "tunnel.example:99"}) {
    EXPECT_TRUE(rule.Accepts(host)) << host;
  }
  for (const char* host :
       {"", "localhost", "localhost:80", "evil.example:8765", "crawl.example", "crawl.example.:8765",
        "crawl.example:8765:8765", "127.0.0.1.evil.example:8765", "localhost:08765", "localhost:8765 ",
        "tunnel.example:8765", "10.1.2.4:8765", "[::1]8765", "user@localhost:8765"}) {
    EXPECT_FALSE(rule.Accepts(host)) << host;
  }
}

TEST(HostRule, TheUsualPortMayBeMissing) {
  EXPECT_TRUE(HostRule({.ip = "127.0.0.1", .port = 80}).Accepts("localhost"));
  EXPECT_TRUE(HostRule({.ip = "127.0.0.1", .port = 443, .is_tls = true}).Accepts("localhost"));
  EXPECT_FALSE(HostRule({.ip = "127.0.0.1", .port = 443}).Accepts("localhost"));
  const HostRule proxied({.ip = "127.0.0.1", .port = 8765, .is_behind_proxy = true, .names = {"crawl.example"}});
  EXPECT_TRUE(proxied.Accepts("crawl.example"));
  EXPECT_TRUE(proxied.Accepts("crawl.example:8443"));
  EXPECT_FALSE(proxied.Accepts("other.example"));
}

TEST(HostRule, AnOriginIsSchemeHostAndPort) {
  EXPECT_TRUE(HostRule::IsSameOrigin("http://localhost:8765", "localhost:8765", false));
  EXPECT_FALSE(HostRule::IsSameOrigin("https://localhost:8765", "localhost:8765", false));
  EXPECT_TRUE(HostRule::IsSameOrigin("https://a.example", "a.example", true));
  for (const char* origin :
       {"null", "", "http://localhost:8766", "http://localhost", "http://localhost:8765.evil.example"}) {
    EXPECT_FALSE(HostRule::IsSameOrigin(origin, "localhost:8765", false)) << origin;
  }
}

}  // namespace
}  // namespace trawl
