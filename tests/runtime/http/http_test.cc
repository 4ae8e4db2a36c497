// How HttpClient handles well-behaved servers.
#include "runtime/http/http.h"

#include <gtest/gtest.h>

#include <thread>

#include "tests/support/values/assert_ok.h"
#include "tests/support/values/encode.h"
#include "tests/support/web/fetch_all.h"
#include "tests/support/web/test_web.h"

namespace trawl {
namespace {

std::string LongText() {
  std::string text;
  for (int i = 0; i < 4000; ++i) text += "row " + std::to_string(i * 7) + "\n";
  return text;
}

HttpRequest Get(const std::string& url) {
  HttpRequest request;
  request.url = url;
  return request;
}

class Http : public testing::Test {
 protected:
  void Start(TestWeb& web, HttpClientOptions (*change)(HttpClientOptions) = nullptr) {
    ASSERT_OK(web.Start());
    HttpClientOptions options = ClientOptionsFor(web);
    if (change != nullptr) options = change(options);
    ASSERT_OK_AND_ASSIGN(client_, HttpClient::Make(options, SystemClock()));
  }
  std::unique_ptr<HttpClient> client_;
};

TEST_F(Http, AnAnswerHasEverything) {
  TestWeb web;
  web.AddHost("a.test", ServePages({{"/x?y=1", {.body = "hello", .headers = {{"X-Odd", "\xff"}}, .etag = "\"1\""}}}));
  Start(web);
  HttpRequest request = Get("http://a.test/x?y=1");
  request.headers = {{"If-None-Match", "\"0\""}};
  const HttpAnswer answer = FetchOne(*client_, request);
  EXPECT_EQ(HttpOutcomeName(answer.outcome), "answered") << answer.detail;
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, "hello");
  EXPECT_EQ(answer.end, BodyEnd::kComplete);
  EXPECT_EQ(ToHex(std::string(answer.body_digest.begin(), answer.body_digest.end())), ToHex(Sha256Of("hello")));
  EXPECT_EQ(answer.content_type, "text/html; charset=utf-8");
  EXPECT_EQ(
      answer.raw_headers,
      "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nETag: \"1\"\r\nX-Odd: \xff\r\nContent-Length: "
      "5\r\n\r\n");
  EXPECT_EQ(answer.wire_bytes, 5);
  EXPECT_EQ(answer.decoded_bytes, 5);
  EXPECT_TRUE(answer.sent);
  EXPECT_FALSE(answer.own_fault);
  EXPECT_EQ(answer.address, web.hosts().at("a.test").addresses[0]);
  EXPECT_GE(answer.timings.connect_ms, 0);
  EXPECT_GE(answer.timings.first_byte_ms, 0);
  EXPECT_EQ(answer.timings.tls_ms, -1);
  EXPECT_EQ(answer.http_version, "1.1");
  EXPECT_EQ(answer.tls_version, "");
  const std::vector<TestLogEntry> log = web.Log();
  ASSERT_EQ(log.size(), 1u);
  EXPECT_EQ(answer.raw_request, log[0].raw) << "composed as it was sent";
}

TEST_F(Http, RequestsAreSentAsFound) {
  TestWeb web;
  web.AddHost("a.test", ServePages({{"*", {.body = "any"}}}));
  Start(web);
  for (const char* path : {"/a/../b//c", "/%7Euser/%2e%2e/", "/?", "/a?b=c&&d=%zz", "/'()*!$,;:@\"<>[]{}|\\^`"}) {
    const HttpAnswer answer = FetchOne(*client_, "http://a.test" + std::string(path));
    EXPECT_EQ(answer.body, "any") << path << answer.detail;
    EXPECT_EQ(web.Log().back().path, path);
    EXPECT_EQ(answer.raw_request, web.Log().back().raw);
  }
}

TEST_F(Http, FieldsCannotEndTheirLine) {
  TestWeb web;
  web.AddHost("a.test", ServePages({{"*", {.body = "any"}}}));
  Start(web);
  HttpRequest request = Get("http://a.test/");
  request.headers = {{"If-None-Match", "\"a\"\r\nX-Evil: 1"},
                     {"If-Modified-Since", ""},
                     {"X-Nul", std::string("a\0b", 3)},
                     {"", "x"},
                     {"X-Odd", "\xff\t\"b\""}};
  const HttpAnswer answer = FetchOne(*client_, request);
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.raw_request, web.Log().back().raw);
  EXPECT_EQ(answer.raw_request,
            "GET / HTTP/1.1\r\nHost: a.test\r\nAccept: */*\r\nAccept-Encoding: gzip, br, zstd, deflate\r\nX-Odd: "
            "\xff\t\"b\"\r\n\r\n");
}

TEST_F(Http, ValidatorsBring304) {
  TestWeb web;
  web.AddHost("a.test", ServePages({{"/", {.body = "page", .etag = "\"e\""}}}));
  Start(web);
  HttpRequest request = Get("http://a.test/");
  request.headers = {{"If-None-Match", "\"e\""}};
  const HttpAnswer answer = FetchOne(*client_, request);
  EXPECT_EQ(answer.status, 304);
  EXPECT_EQ(answer.end, BodyEnd::kComplete);
  EXPECT_EQ(answer.body, "");
}

TEST_F(Http, BodiesComeInEveryForm) {
  const std::string text = LongText();
  TestWeb web;
  std::map<std::string, TestPage> pages = {{"/chunked", {.body = text, .chunked = true, .piece_bytes = 1000}},
                                           {"/close", {.body = text, .no_length = true}},
                                           {"/twice", {.body = text, .coding = "gzip, br"}},
                                           {"/trailers", {.body = text}}};
  for (const char* coding : {"gzip", "x-gzip", "br", "zstd", "deflate", "raw-deflate", "utf-8"}) {
    pages["/" + std::string(coding)] = {.body = text, .coding = coding};
  }
  web.AddHost("a.test", ServePages(pages));
  Start(web);
  for (const bool keep : {false, true}) {
    for (const auto& [path, page] : pages) {
      HttpRequest request = Get("http://a.test" + path);
      request.keep_connection = keep;
      request.reuse_idle_ms = keep ? 4000 : 0;
      const HttpAnswer answer = FetchOne(*client_, request);
      EXPECT_EQ(answer.outcome, HttpOutcome::kAnswered) << path << ' ' << answer.detail;
      EXPECT_EQ(answer.end, BodyEnd::kComplete) << path << ' ' << answer.detail;
      EXPECT_TRUE(answer.body == text) << path << ' ' << answer.body.size();
      EXPECT_EQ(answer.kept_codings, path == "/utf-8" ? "utf-8" : "");
      EXPECT_TRUE(answer.body_digest == [&] {
        Sha256 digest;
        digest.Update(text);
        return digest.Finish();
      }());
    }
  }
}

TEST_F(Http, KeptConnectionsAreUsedAsToldAndNoLonger) {
  TestWeb web;
  web.AddHost("a.test", ServePages({{"*", {.body = "x"}}}));
  Start(web);
  HttpRequest keep = Get("http://a.test/");
  keep.keep_connection = true;
  keep.reuse_idle_ms = 10'000;
  EXPECT_FALSE(FetchOne(*client_, keep).reused_connection);
  EXPECT_TRUE(FetchOne(*client_, keep).reused_connection);
  EXPECT_FALSE(FetchOne(*client_, Get("http://a.test/")).reused_connection) << "not asked for";
  HttpRequest last = keep;
  last.keep_connection = false;
  EXPECT_TRUE(FetchOne(*client_, last).reused_connection);
  EXPECT_FALSE(FetchOne(*client_, keep).reused_connection) << "the last one closed it";
  client_->EndHost("http://a.test");
  EXPECT_FALSE(FetchOne(*client_, keep).reused_connection) << "its turn was over";
  EXPECT_EQ(client_->counters().reused, 2);
}

TEST_F(Http, ManyHostsAtOnce) {
  TestWeb web;
  constexpr int kHosts = 1200;
  for (int i = 0; i < kHosts; ++i) {
    web.AddHost("h" + std::to_string(i) + ".test", ServePages({{"*", {.body = "host " + std::to_string(i)}}}));
  }
  Start(web, [](HttpClientOptions options) {
    options.hosts_per_multi = 100;
    return options;
  });
  std::vector<HttpRequest> requests;
  for (int i = 0; i < kHosts; ++i) {
    requests.push_back(Get("http://h" + std::to_string(i) + ".test/"));
    requests.back().keep_connection = true;
    requests.back().reuse_idle_ms = 4000;
  }
  for (int round = 0; round < 2; ++round) {
    const std::vector<HttpAnswer> answers = FetchAll(*client_, requests);
    for (int i = 0; i < kHosts; ++i) ASSERT_EQ(answers[static_cast<size_t>(i)].body, "host " + std::to_string(i));
  }
  EXPECT_EQ(client_->counters().connections, kHosts);
  EXPECT_EQ(client_->counters().reused, kHosts);
  EXPECT_EQ(web.connections_accepted(), kHosts);
}

TEST_F(Http, AHostsTurnEndsItsConnections) {
  TestWeb web;
  for (int i = 0; i < 20; ++i) web.AddHost("h" + std::to_string(i) + ".test", ServePages({{"*", {.body = "x"}}}));
  Start(web);
  std::vector<HttpRequest> requests;
  for (int i = 0; i < 20; ++i) {
    requests.push_back(Get("http://h" + std::to_string(i) + ".test/"));
    requests.back().keep_connection = true;
    requests.back().reuse_idle_ms = 60'000;
  }
  FetchAll(*client_, requests);
  EXPECT_EQ(web.connections_open(), 20);
  for (int i = 0; i < 20; ++i) client_->EndHost("http://h" + std::to_string(i) + ".test");
  std::vector<HttpAnswer> none;
  for (int i = 0; i < 100 && web.connections_open() > 0; ++i) client_->Poll(10, &none);
  EXPECT_EQ(web.connections_open(), 0);
}

TEST_F(Http, ASinkTakesTheBodyAndMayPause) {
  const std::string text(2 << 20, 'b');
  TestWeb web;
  web.AddHost("a.test", ServePages({{"/", {.body = text}}}));
  Start(web);
  struct Sink : HttpBodySink {
    bool Write(std::string_view bytes) override {
      body += bytes;
      ++calls;
      return calls % 3 != 0;
    }
    std::string body;
    int calls = 0;
  } sink;
  HttpRequest request = Get("http://a.test/");
  request.id = 7;
  request.sink = &sink;
  client_->Submit(request);
  std::vector<HttpAnswer> answers;
  size_t before = 0;
  int stops = 0;
  while (answers.empty()) {
    client_->Poll(20, &answers);
    if (sink.body.size() == before) {
      ++stops;
      client_->Resume(7);
    }
    before = sink.body.size();
  }
  EXPECT_TRUE(sink.body == text);
  EXPECT_EQ(answers[0].body, "");
  EXPECT_EQ(answers[0].decoded_bytes, 2 << 20);
  EXPECT_GT(stops, 3);
  EXPECT_EQ(ToHex(std::string(answers[0].body_digest.begin(), answers[0].body_digest.end())), ToHex(Sha256Of(text)));
}

TEST_F(Http, BodiesInMemoryAreBoundedInAll) {
  const std::string text(1 << 20, 'b');
  TestWeb web;
  std::vector<HttpRequest> requests;
  for (int i = 0; i < 30; ++i) {
    // In halves, so that all are in flight together.
    web.AddHost("h" + std::to_string(i) + ".test",
                ServePages({{"*", {.body = text, .piece_bytes = text.size() / 2, .piece_every_ms = 200}}}));
    requests.push_back(Get("http://h" + std::to_string(i) + ".test/"));
  }
  Start(web, [](HttpClientOptions options) {
    options.max_buffered_bytes = 2 << 20;
    return options;
  });
  for (const HttpAnswer& answer : FetchAll(*client_, requests)) {
    EXPECT_EQ(answer.end, BodyEnd::kComplete) << answer.detail;
    EXPECT_EQ(answer.body.size(), text.size());
  }
  EXPECT_GT(client_->counters().paused, 0);
}

// The requests in flight continue one by one, however large their bodies are.
TEST_F(Http, BodiesWaitWhereTheAnswersBeforeThemDo) {
  const std::string text(100'000, 'b');
  TestWeb web;
  std::vector<HttpRequest> requests;
  for (int i = 0; i < 5; ++i) {
    web.AddHost("h" + std::to_string(i) + ".test", ServePages({{"*", {.body = text}}}));
    requests.push_back(Get("http://h" + std::to_string(i) + ".test/"));
  }
  Start(web, [](HttpClientOptions options) {
    options.is_behind = [] { return true; };
    return options;
  });
  for (const HttpAnswer& answer : FetchAll(*client_, requests)) {
    EXPECT_EQ(answer.end, BodyEnd::kComplete) << answer.detail;
    EXPECT_EQ(answer.body.size(), text.size());
  }
  EXPECT_GE(client_->counters().paused, 5);
}

TEST_F(Http, WakeEndsAWait) {
  TestWeb web;
  web.AddHost("a.test", ServePages({}));
  Start(web);
  std::thread other([this] { client_->Wake(); });
  std::vector<HttpAnswer> none;
  const int64_t began_ms = SystemClock().MonotonicMs();
  client_->Poll(30'000, &none);
  EXPECT_LT(SystemClock().MonotonicMs() - began_ms, 20'000);
  other.join();
}

TEST_F(Http, CancelledRequestsAreAnswered) {
  TestWeb web;
  web.AddHost("a.test", ServeInTurn({{{Send("HTTP/1.1 200 OK\r\n\r\nhal"), Hang()}, true}}));
  Start(web);
  client_->Submit(Get("http://a.test/1"));
  std::vector<HttpAnswer> answers;
  for (int i = 0; i < 50 && web.Log().empty(); ++i) client_->Poll(10, &answers);
  client_->CancelAll();
  EXPECT_EQ(client_->under_way(), 0u);
  client_->Poll(0, &answers);
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_EQ(answers[0].outcome, HttpOutcome::kCancelled);
  EXPECT_TRUE(answers[0].sent);
}

TEST_F(Http, SchemesAndUrlsThatCannotBeAsked) {
  TestWeb web;
  web.AddHost("a.test", ServePages({}));
  Start(web);
  EXPECT_EQ(FetchOne(*client_, "ftp://a.test/").outcome, HttpOutcome::kSchemeRefused);
  EXPECT_EQ(FetchOne(*client_, "file:///etc/passwd").outcome, HttpOutcome::kSchemeRefused);
  EXPECT_EQ(FetchOne(*client_, "http://u:p@a.test/").outcome, HttpOutcome::kProtocolError);
  EXPECT_EQ(FetchOne(*client_, "http://a.test/\r\nHost: b").outcome, HttpOutcome::kProtocolError);
  EXPECT_TRUE(web.Log().empty());
}

}  // namespace
}  // namespace trawl
