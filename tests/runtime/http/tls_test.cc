// https: certificates, their faults, and HTTP/2 against a real server.
#include <gtest/gtest.h>

#include "runtime/http/http.h"
#include "tests/support/values/assert_ok.h"
#include "tests/support/web/fetch_all.h"
#include "tests/support/web/http2_server.h"
#include "tests/support/web/test_web.h"

namespace trawl {
namespace {

HttpRequest Get(const std::string& url) {
  HttpRequest request;
  request.url = url;
  return request;
}

TEST(HttpTls, AnAnswerOverTls) {
  TestWeb web({.https = true});
  web.AddHost("a.test",
              ServePages({{"*", {.body = "hello"}}, {"/close", {.body = "until the end", .no_length = true}}}));
  ASSERT_OK(web.Start());
  ASSERT_OK_AND_ASSIGN(const auto client, HttpClient::Make(ClientOptionsFor(web), SystemClock()));
  HttpRequest request = Get("https://a.test/");
  request.keep_connection = true;
  request.reuse_idle_ms = 4000;
  HttpAnswer answer = FetchOne(*client, request);
  EXPECT_EQ(answer.body, "hello") << answer.detail;
  EXPECT_GE(answer.timings.tls_ms, answer.timings.connect_ms);
  EXPECT_EQ(answer.tls_fault, TlsFault::kNone);
  EXPECT_EQ(answer.tls_version, "TLSv1.3");
  EXPECT_FALSE(answer.certificate.known());
  answer = FetchOne(*client, request);
  EXPECT_TRUE(answer.reused_connection);
  EXPECT_EQ(answer.timings.tls_ms, -1);
  EXPECT_EQ(answer.tls_version, "TLSv1.3");
  answer = FetchOne(*client, "https://a.test/close");
  EXPECT_EQ(answer.body, "until the end");
  EXPECT_EQ(answer.end, BodyEnd::kComplete) << answer.detail;
  EXPECT_EQ(answer.raw_request, web.Log().back().raw);
  EXPECT_TRUE(web.Log().back().https);
}

TEST(HttpTls, FaultsAreTyped) {
  const struct {
    const char* host;
    TestCertificate certificate;
    const char* fault;
  } kCases[] = {
      {"expired.test", TestCertificate::kExpired, "expired"},
      {"early.test", TestCertificate::kNotYetValid, "not_yet_valid"},
      {"wrong.test", TestCertificate::kWrongHost, "wrong_host"},
      {"self.test", TestCertificate::kSelfSigned, "self_signed"},
      {"stranger.test", TestCertificate::kUnknownIssuer, "unknown_issuer"},
  };
  TestWeb web({.https = true});
  for (const auto& c : kCases) web.AddHost(c.host, ServePages({{"*", {.body = "x"}}}), c.certificate);
  ASSERT_OK(web.Start());
  ASSERT_OK_AND_ASSIGN(const auto client, HttpClient::Make(ClientOptionsFor(web), SystemClock()));
  for (const auto& c : kCases) {
    const HttpAnswer answer = FetchOne(*client, "https://" + std::string(c.host) + "/");
    EXPECT_EQ(answer.outcome, HttpOutcome::kTlsFailed) << c.host;
    EXPECT_EQ(TlsFaultName(answer.tls_fault), c.fault) << answer.detail;
    EXPECT_FALSE(answer.sent);
    const bool wrong = c.certificate == TestCertificate::kWrongHost;
    EXPECT_EQ(answer.certificate.names, wrong ? "elsewhere.test" : c.host);
    EXPECT_EQ(answer.certificate.subject, "CN=" + answer.certificate.names);
    EXPECT_EQ(answer.certificate.not_after.size(), 20u) << answer.certificate.not_after;
  }
  EXPECT_TRUE(web.Log().empty());
}

TEST(HttpTls, WhatIsNoTlsIsAHandshakeFault) {
  TestWeb web;
  web.AddHost("a.test", [](const TestRequest&) { return AnswerRaw("HTTP/1.1 400 Bad\r\n\r\n"); });
  ASSERT_OK(web.Start());
  HttpClientOptions options = ClientOptionsFor(web);
  options.dns.fixed["a.test"].https_port = options.dns.fixed["a.test"].http_port;
  ASSERT_OK_AND_ASSIGN(const auto client, HttpClient::Make(options, SystemClock()));
  HttpRequest request = Get("https://a.test/");
  request.limits.connect_ms = 300;  // the web waits for a request, but the handshake never becomes one
  const HttpAnswer answer = FetchOne(*client, request);
  EXPECT_EQ(answer.outcome, HttpOutcome::kConnectFailed) << answer.detail;
  EXPECT_FALSE(answer.sent);
}

TEST(HttpTls, Http2AgainstARealServer) {
  TestWeb web;
  web.AddHost("a.test", ServePages({}));
  ASSERT_OK(web.Start());
  const std::string text(3'000'000, 'h');
  ASSERT_OK_AND_ASSIGN(const auto server,
                       Http2Server::Start(web.authority(), "a.test", {{"index.html", "hello"}, {"long.txt", text}}));
  HttpClientOptions options = ClientOptionsFor(web);
  options.dns.fixed["a.test"] = {{*IpAddress::Parse("127.0.0.1")}, 0, server->port()};
  ASSERT_OK_AND_ASSIGN(const auto client, HttpClient::Make(options, SystemClock()));
  for (const bool keep : {true, false}) {
    HttpRequest request = Get("https://a.test/");
    request.keep_connection = keep;
    request.reuse_idle_ms = 4000;
    HttpAnswer answer = FetchOne(*client, request);
    EXPECT_EQ(answer.body, "hello") << answer.detail;
    EXPECT_EQ(answer.raw_headers.substr(0, 11), "HTTP/2 200 ") << answer.raw_headers;
    EXPECT_EQ(answer.http_version, "2");
    EXPECT_EQ(answer.tls_version, "TLSv1.3");
    const size_t modified = answer.raw_headers.find("last-modified: ");
    ASSERT_NE(modified, std::string::npos);
    request.headers = {{"If-Modified-Since", answer.raw_headers.substr(modified + 15, 29)}};
    EXPECT_EQ(FetchOne(*client, request).status, 304);
    request.headers.clear();
    request.url = "https://a.test/nothing";
    EXPECT_EQ(FetchOne(*client, request).status, 404);
    request.url = "https://a.test/long.txt";
    answer = FetchOne(*client, request);
    EXPECT_TRUE(answer.body == text) << answer.detail << answer.body.size();
    EXPECT_EQ(answer.end, BodyEnd::kComplete);
    EXPECT_EQ(answer.reused_connection, keep);
    request.limits.max_body_bytes = 1000;
    answer = FetchOne(*client, request);
    EXPECT_EQ(answer.end, BodyEnd::kSize);
    EXPECT_EQ(answer.body.size(), 1000u);
  }
}

}  // namespace
}  // namespace trawl
