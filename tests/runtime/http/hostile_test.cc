// How HttpClient handles servers that break rules, and connections that break under them: every end has its name, and
// costs what its limit says. Tests pass time limits by moving the client's clock, not by waiting.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "runtime/http/http.h"
#include "tests/support/process/shifted_clock.h"
#include "tests/support/values/assert_ok.h"
#include "tests/support/values/encode.h"
#include "tests/support/web/bad_hosts.h"
#include "tests/support/web/fetch_all.h"
#include "tests/support/web/test_web.h"
#include "tests/support/web/worse_hosts.h"

namespace trawl {
namespace {

constexpr const char* kHead = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n";

HttpRequest Get(const std::string& url) {
  HttpRequest request;
  request.url = url;
  return request;
}

class HttpHostile : public testing::Test {
 protected:
  void Start() {
    ASSERT_OK(web_.Start());
    ASSERT_OK_AND_ASSIGN(client_, HttpClient::Make(ClientOptionsFor(web_), clock_));
  }
  void StartWith(std::vector<TestStep> steps) {
    web_.AddHost("a.test", [steps = std::move(steps)](const TestRequest&) { return TestAnswer{steps, false}; });
    Start();
  }
  HttpAnswer Fetch(const std::string& url = "http://a.test/") { return FetchOne(*client_, url); }
  // Moves the clock by 900 ms per turn (less than counts as a late loop) until the answer is there.
  HttpAnswer FetchAndAdvance(HttpRequest request) {
    client_->Submit(std::move(request));
    std::vector<HttpAnswer> answers;
    began_ms_ = clock_.MonotonicMs();
    while (answers.empty()) {
      for (int i = 0; i < 3 && answers.empty(); ++i) client_->Poll(5, &answers);
      clock_.Advance(900);
    }
    return std::move(answers.front());
  }

  TestWeb web_;
  ShiftedClock clock_;
  std::unique_ptr<HttpClient> client_;
  int64_t began_ms_ = 0;
};

// -- what comes -------------------------------------------------------------------------------------------------------

TEST_F(HttpHostile, EndsOfTheConnectionByPlace) {
  const struct {
    const char* what;
    std::vector<TestStep> steps;
    HttpOutcome outcome;
    BodyEnd end;
    size_t body;
  } kCases[] = {
      {"closed unread", {Close()}, HttpOutcome::kConnectionReset, BodyEnd::kComplete, 0},
      {"reset unread", {Reset()}, HttpOutcome::kConnectionReset, BodyEnd::kComplete, 0},
      {"closed in headers", {Send(kHead), Close()}, HttpOutcome::kConnectionReset, BodyEnd::kComplete, 0},
      {"closed in a length",
       {Send(kHead + std::string("Content-Length: 9\r\n\r\nfour")), Close()},
       HttpOutcome::kAnswered,
       BodyEnd::kIncomplete,
       4},
      {"closed in a chunk",
       {Send(kHead + std::string("Transfer-Encoding: chunked\r\n\r\n5\r\nfour")), Close()},
       HttpOutcome::kAnswered,
       BodyEnd::kIncomplete,
       4},
      {"no last chunk",
       {Send(kHead + std::string("Transfer-Encoding: chunked\r\n\r\n4\r\nfour\r\n")), Close()},
       HttpOutcome::kAnswered,
       BodyEnd::kIncomplete,
       4},
      {"reset in a body",
       {Send(kHead + std::string("Content-Length: 9\r\n\r\nfour")), Pause(50), Reset()},
       HttpOutcome::kAnswered,
       BodyEnd::kIncomplete,
       4},
      {"no number of a chunk",
       {Send(kHead + std::string("Transfer-Encoding: chunked\r\n\r\nsix\r\n")), Close()},
       HttpOutcome::kProtocolError,
       BodyEnd::kIncomplete,
       0},
      {"nothing after headers",
       {Send(kHead + std::string("\r\n")), Close()},
       HttpOutcome::kAnswered,
       BodyEnd::kComplete,
       0},
  };
  int number = 0;
  for (const auto& c : kCases) {
    web_.AddHost("h" + std::to_string(number++) + ".test", [steps = c.steps](const TestRequest&) {
      return TestAnswer{steps, false};
    });
  }
  Start();
  for (const bool keep : {false, true}) {
    number = 0;
    for (const auto& c : kCases) {
      HttpRequest request = Get("http://h" + std::to_string(number++) + ".test/");
      request.keep_connection = keep;
      request.reuse_idle_ms = keep ? 4000 : 0;
      const HttpAnswer answer = FetchOne(*client_, request);
      EXPECT_EQ(HttpOutcomeName(answer.outcome), HttpOutcomeName(c.outcome)) << c.what << ": " << answer.detail;
      EXPECT_EQ(BodyEndName(answer.end), BodyEndName(c.end)) << c.what << keep;
      EXPECT_EQ(answer.body.size(), c.body) << c.what;
      EXPECT_TRUE(answer.sent);
    }
  }
  for (int i = 0; i < number; ++i) {
    EXPECT_EQ(EntriesOf(web_.Log(), "h" + std::to_string(i) + ".test").size(), 2u) << "asked once each, never repeated";
  }
}

TEST_F(HttpHostile, HeaderLimits) {
  std::string fields;
  for (int i = 0; i < 101; ++i) fields += "X-" + std::to_string(i) + ": 1\r\n";
  const std::string many = kHead + fields;
  const struct {
    const char* what;
    std::vector<TestStep> steps;
  } kCases[] = {
      {"too many fields", {Send(many + "\r\nbody")}},
      {"too many bytes", {Send(kHead + std::string("X: ") + std::string(65 << 10, 'x') + "\r\n\r\nbody")}},
      {"fields without end", {Send(kHead), Repeat("X: yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\r\n", 0)}},
      {"a line without end", {Send(kHead), Repeat("yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy", 0)}},
      {"interim answers without end", {Repeat("HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n", 0)}},
      {"trailers without end",
       {Send(kHead + std::string("Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n")),
        Repeat("T: yyyyyyyyyyyyyyyy\r\n", 0)}},
      {"a long trailer line",
       {Send(kHead + std::string("Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\nT: ") + std::string(5'000, 'y') +
             "\r\n\r\n")}},
  };
  int number = 0;
  for (const auto& c : kCases) {
    web_.AddHost("h" + std::to_string(number++) + ".test", [steps = c.steps](const TestRequest&) {
      return TestAnswer{steps, false};
    });
  }
  Start();
  number = 0;
  for (const auto& c : kCases) {
    const HttpAnswer answer = Fetch("http://h" + std::to_string(number++) + ".test/");
    EXPECT_EQ(HttpOutcomeName(answer.outcome), "header_limit") << c.what << ": " << answer.detail;
    EXPECT_LE(answer.raw_headers.size(), 70u << 10) << c.what;
  }
}

// libcurl 7.88 continues the last line of the request before, which is freed, if the handle is the same.
TEST_F(HttpHostile, AHeadThatBeginsWithAFoldedLineContinuesNoOtherOne) {
  web_.AddHost("a.test", [](const TestRequest& request) {
    const char* const fold = request.path == "/folded" ? " folded: first\r\n" : "";
    const std::string head = std::string("HTTP/1.1 200 OK\r\n") + fold + "X-A: 1\r\nContent-Length: 2\r\n\r\nok";
    return TestAnswer{{Send(head)}, request.path != "/folded"};
  });
  Start();
  for (int round = 0; round < 8; ++round) {
    EXPECT_EQ(Fetch("http://a.test/").body, "ok");
    const HttpAnswer folded = Fetch("http://a.test/folded");
    EXPECT_EQ(folded.outcome, HttpOutcome::kProtocolError);
    EXPECT_EQ(folded.detail, "its head begins with a folded line");
  }
}

TEST_F(HttpHostile, EndlessBodiesAreCutAtTheLimit) {
  StartWith({Send(kHead + std::string("\r\n")), Repeat(std::string(10'000, 'b'), 0)});
  HttpRequest request = Get("http://a.test/");
  request.limits.max_body_bytes = 123'456;
  const HttpAnswer answer = FetchOne(*client_, request);
  EXPECT_EQ(answer.outcome, HttpOutcome::kAnswered);
  EXPECT_EQ(answer.end, BodyEnd::kSize);
  EXPECT_EQ(answer.body.size(), 123'456u);
  EXPECT_LT(answer.wire_bytes, 300'000);
}

TEST_F(HttpHostile, BombsAreCutAtTheRatio) {
  web_.AddHost("a.test", ServePages({{"/gzip", {.body = std::string(8 << 20, ' '), .coding = "gzip"}},
                                     {"/gzip2", {.body = std::string(64 << 20, ' '), .coding = "gzip, gzip"}},
                                     {"/br", {.body = std::string(8 << 20, ' '), .coding = "br"}},
                                     {"/zstd", {.body = std::string(8 << 20, ' '), .coding = "zstd"}}}));
  Start();
  for (const char* path : {"/gzip", "/gzip2", "/br", "/zstd"}) {
    const HttpAnswer answer = Fetch("http://a.test" + std::string(path));
    EXPECT_EQ(BodyEndName(answer.end), "ratio") << path;
    EXPECT_LE(answer.body.size(), 10u << 20);
  }
}

TEST_F(HttpHostile, LengthsThatLie) {
  web_.AddHost("short.test", ServePages({{"*", {.body = "0123456789", .content_length = 4}}}));
  web_.AddHost("long.test", ServePages({{"*", {.body = "0123456789", .content_length = 40}}}));
  web_.AddHost("two.test", ServePages({{"*", {.body = "01", .headers = {{"Content-Length", "7"}}}}}));
  web_.AddHost("word.test",
               ServePages({{"*", {.body = "01", .headers = {{"Content-Length", "many"}}, .no_length = true}}}));
  Start();
  EXPECT_EQ(Fetch("http://short.test/").body, "0123");
  EXPECT_EQ(Fetch("http://long.test/").end, BodyEnd::kIncomplete);
  EXPECT_EQ(Fetch("http://two.test/").outcome, HttpOutcome::kProtocolError);
  EXPECT_EQ(Fetch("http://word.test/").body, "01");
  // Where the connection is kept, libcurl reads the length: the first time is nobody's fault; after it the connection
  // is not kept.
  HttpRequest keep = Get("http://word.test/");
  keep.keep_connection = true;
  keep.reuse_idle_ms = 4000;
  const HttpAnswer misread = FetchOne(*client_, keep);
  EXPECT_EQ(misread.outcome, HttpOutcome::kProtocolError);
  EXPECT_TRUE(misread.stale_connection);
  const HttpAnswer read = FetchOne(*client_, keep);
  EXPECT_EQ(read.body, "01") << read.detail;
  EXPECT_FALSE(read.stale_connection);
}

TEST_F(HttpHostile, ContentThatIsNotWhatItSays) {
  web_.AddHost("a.test", ServePages({{"/plain", {.body = "<p>", .headers = {{"Content-Encoding", "gzip"}}}},
                                     {"/four", {.body = "x", .coding = "gzip, gzip, gzip, gzip"}}}));
  web_.AddHost("cut.test", [](const TestRequest&) {
    const std::string body = Gzip(std::string(1000, 'x')).substr(0, 20);
    return AnswerRaw(kHead + std::string("Content-Encoding: gzip\r\nContent-Length: 20\r\n\r\n") + body);
  });
  web_.AddHost("garbage.test", [](const TestRequest&) { return AnswerRaw("\x16\x03\x01\x02 no HTTP\r\n\r\n"); });
  web_.AddHost("nine.test", [](const TestRequest&) { return AnswerRaw("<html>HTTP/0.9</html>"); });
  Start();
  EXPECT_EQ(Fetch("http://a.test/plain").outcome, HttpOutcome::kDecodeError);
  EXPECT_EQ(Fetch("http://a.test/four").outcome, HttpOutcome::kDecodeError);
  EXPECT_EQ(Fetch("http://cut.test/").end, BodyEnd::kCodingIncomplete);
  EXPECT_EQ(Fetch("http://garbage.test/").outcome, HttpOutcome::kProtocolError);
  EXPECT_EQ(Fetch("http://nine.test/").outcome, HttpOutcome::kProtocolError);
}

TEST_F(HttpHostile, TypesAreDecidedBeforeTheBody) {
  web_.AddHost("a.test", [](const TestRequest&) {
    return TestAnswer{{Send("HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\n\r\n"), Repeat(std::string(9999, 'v'), 0)},
                      false};
  });
  Start();
  HttpRequest request = Get("http://a.test/");
  request.on_head = [](const HttpHead& head) {
    EXPECT_EQ(head.status, 200);
    return head.content_type == "video/mp4" ? BodyWish::kRefuse : BodyWish::kKeep;
  };
  HttpAnswer answer = FetchOne(*client_, request);
  EXPECT_EQ(answer.outcome, HttpOutcome::kTypeRefused);
  EXPECT_EQ(answer.detail, "video/mp4");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.wire_bytes, 0);
  request.on_head = [](const HttpHead&) { return BodyWish::kDrop; };
  answer = FetchOne(*client_, request);
  EXPECT_EQ(answer.outcome, HttpOutcome::kAnswered);
  EXPECT_EQ(answer.body, "");
  request.keep_connection = true;
  request.reuse_idle_ms = 4000;
  EXPECT_EQ(FetchOne(*client_, request).body, "") << "read up to a bound for the connection's sake, then cut";
}

// The client wants only status and fields: whatever the server does after them leaves the answer the same, whether the
// connection is to be kept or not.
TEST_F(HttpHostile, ABodyThatIsDroppedDecidesNothing) {
  const std::string head = "HTTP/1.1 302 Found\r\nLocation: /next\r\n";
  const struct {
    const char* what;
    std::vector<TestStep> steps;
  } kCases[] = {
      {"hangs", {Send(head + "\r\n<p>"), Hang()}},
      {"hangs before it", {Send(head + "Content-Length: 9\r\n\r\n"), Hang()}},
      {"trickles", {Send(head + "\r\n"), Repeat("x", 1)}},
      {"reset before it", {Send(head + "Content-Length: 9\r\n\r\n"), Pause(50), Reset()}},
      {"no number of a chunk", {Send(head + "Transfer-Encoding: chunked\r\n\r\nsix\r\n"), Close()}},
      {"trailers without end",
       {Send(head + "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n"), Repeat("T: yyyyyyyyyyyy\r\n", 0)}},
      {"a long trailer line",
       {Send(head + "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\nT: " + std::string(5'000, 'y') + "\r\n\r\n")}},
  };
  int number = 0;
  for (const auto& c : kCases) {
    web_.AddHost("h" + std::to_string(number++) + ".test", [steps = c.steps](const TestRequest&) {
      return TestAnswer{steps, false};
    });
  }
  Start();
  for (const bool keep : {false, true}) {
    number = 0;
    for (const auto& c : kCases) {
      HttpRequest request = Get("http://h" + std::to_string(number++) + ".test/");
      request.keep_connection = keep;
      request.reuse_idle_ms = keep ? 4000 : 0;
      request.on_head = [](const HttpHead&) { return BodyWish::kDrop; };
      const HttpAnswer answer = FetchAndAdvance(request);
      EXPECT_EQ(HttpOutcomeName(answer.outcome), "answered") << c.what << keep << ": " << answer.detail;
      EXPECT_EQ(answer.status, 302) << c.what << keep;
      EXPECT_EQ(answer.location, "/next") << c.what << keep;
      EXPECT_EQ(BodyEndName(answer.end), "complete") << c.what << keep;
    }
  }
}

// -- time -------------------------------------------------------------------------------------------------------------

TEST_F(HttpHostile, NoAnswerIsATimeout) {
  StartWith({Hang()});
  const HttpAnswer answer = FetchAndAdvance(Get("http://a.test/"));
  EXPECT_EQ(answer.outcome, HttpOutcome::kTimeout);
  EXPECT_GE(answer.timings.total_ms, 20'000);
  EXPECT_LT(answer.timings.total_ms, 24'000);
  EXPECT_FALSE(answer.own_fault);
  EXPECT_TRUE(answer.sent);
}

TEST_F(HttpHostile, TricklingIsTooSlow) {
  StartWith({Send(kHead + std::string("\r\n")), Repeat("x", 1)});
  const HttpAnswer answer = FetchAndAdvance(Get("http://a.test/"));
  EXPECT_EQ(answer.outcome, HttpOutcome::kTooSlow);
  EXPECT_GE(answer.timings.total_ms, 10'000);
  EXPECT_LT(answer.timings.total_ms, 13'000);
}

TEST_F(HttpHostile, TricklingHeadersAreTooSlow) {
  StartWith({Send("HTTP/1.1 200 OK\r\nX: "), Repeat("y", 20)});
  EXPECT_EQ(FetchAndAdvance(Get("http://a.test/")).outcome, HttpOutcome::kTooSlow);
}

TEST_F(HttpHostile, ABodyThatTakesTooLongIsKeptAsFarAsItCame) {
  StartWith({Send(kHead + std::string("\r\n")), Repeat(std::string(2'000, 'x'), 1)});
  HttpRequest request = Get("http://a.test/");
  request.limits.total_ms = 8'000;
  const HttpAnswer answer = FetchAndAdvance(request);
  EXPECT_EQ(answer.outcome, HttpOutcome::kAnswered);
  EXPECT_EQ(answer.end, BodyEnd::kTime);
  EXPECT_GT(answer.body.size(), 0u);
  EXPECT_LT(answer.timings.total_ms, 10'000);
}

TEST_F(HttpHostile, ALateLoopBlamesNobody) {
  StartWith({Hang()});
  client_->Submit(Get("http://a.test/"));
  std::vector<HttpAnswer> answers;
  for (int i = 0; i < 100 && web_.Log().empty(); ++i) client_->Poll(10, &answers);
  clock_.Advance(60'000);  // as a stopped process sees it
  for (int i = 0; i < 5; ++i) client_->Poll(1, &answers);
  EXPECT_TRUE(answers.empty()) << "its time was given back";
  while (answers.empty()) {
    clock_.Advance(500);
    client_->Poll(0, &answers);
  }
  EXPECT_EQ(answers[0].outcome, HttpOutcome::kTimeout);
  EXPECT_TRUE(answers[0].own_fault);
  EXPECT_GE(client_->counters().late_loops, 1);
}

// -- connecting -------------------------------------------------------------------------------------------------------

TEST_F(HttpHostile, PrivateAddressesAreRefusedWithoutAConnection) {
  web_.AddHost("a.test", ServePages({{"*", {.body = "secret"}}}));
  ASSERT_OK(web_.Start());
  HttpClientOptions options = ClientOptionsFor(web_);
  options.allow_private = false;
  ASSERT_OK_AND_ASSIGN(client_, HttpClient::Make(options, clock_));
  const std::string port = web_.HttpAddress("a.test").substr(web_.HttpAddress("a.test").find(':'));
  for (const std::string& url :
       {std::string("http://a.test/"), "http://" + web_.HttpAddress("a.test") + "/", "http://localhost" + port + "/",
        "http://x.localhost" + port + "/", "http://[::1]" + port + "/", "http://[::ffff:127.0.0.1]" + port + "/",
        std::string("http://169.254.169.254/latest/"), std::string("http://0.0.0.0/"),
        std::string("https://10.0.0.1/")}) {
    const HttpAnswer answer = Fetch(url);
    EXPECT_EQ(HttpOutcomeName(answer.outcome), "address_refused") << url;
    EXPECT_NE(answer.detail.find(" address "), std::string::npos) << answer.detail;
    EXPECT_FALSE(answer.sent);
  }
  EXPECT_EQ(web_.connections_accepted(), 0);
}

TEST_F(HttpHostile, TheNextAddressIsTriedAndRemembered) {
  web_.AddHost("a.test", ServePages({{"*", {.body = "x"}}}));
  ASSERT_OK(web_.Start());
  HttpClientOptions options = ClientOptionsFor(web_);
  FixedHost& host = options.dns.fixed["a.test"];
  const IpAddress good = host.addresses[0];
  host.addresses = {*IpAddress::Parse("127.255.255.1"), *IpAddress::Parse("127.255.255.2"), good};
  ASSERT_OK_AND_ASSIGN(client_, HttpClient::Make(options, clock_));
  HttpAnswer answer = Fetch();
  EXPECT_EQ(answer.body, "x") << answer.detail;
  EXPECT_EQ(answer.address, good);
  const int64_t before = client_->counters().connections;
  answer = Fetch();
  EXPECT_EQ(answer.address, good);
  EXPECT_EQ(client_->counters().connections, before + 1) << "the first try already";
}

TEST_F(HttpHostile, NobodyListens) {
  web_.AddHost("a.test", ServePages({}));
  ASSERT_OK(web_.Start());
  HttpClientOptions options = ClientOptionsFor(web_);
  options.dns.fixed["a.test"].addresses = {*IpAddress::Parse("127.255.255.1")};
  ASSERT_OK_AND_ASSIGN(client_, HttpClient::Make(options, clock_));
  const HttpAnswer answer = Fetch();
  EXPECT_EQ(answer.outcome, HttpOutcome::kConnectFailed);
  EXPECT_FALSE(answer.sent);
  EXPECT_FALSE(answer.own_fault);
}

// A listener with a full queue, which drops connections: connecting to it hangs.
class DeafListener {
 public:
  DeafListener() {
    fd_ = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in where = {};
    where.sin_family = AF_INET;
    inet_pton(AF_INET, "127.0.0.1", &where.sin_addr);
    socklen_t size = sizeof where;
    if (bind(fd_, reinterpret_cast<sockaddr*>(&where), size) != 0) std::abort();
    listen(fd_, 0);
    getsockname(fd_, reinterpret_cast<sockaddr*>(&where), &size);
    port_ = ntohs(where.sin_port);
    for (int i = 0; i < 4; ++i) {
      waiting_.push_back(socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0));
      [[maybe_unused]] const int code = connect(waiting_.back(), reinterpret_cast<sockaddr*>(&where), size);
    }
  }
  ~DeafListener() {
    for (const int fd : waiting_) close(fd);
    close(fd_);
  }
  uint16_t port() const { return port_; }

 private:
  int fd_;
  uint16_t port_ = 0;
  std::vector<int> waiting_;
};

TEST_F(HttpHostile, AnAddressHasThreeSecondsToAccept) {
  const DeafListener deaf;
  web_.AddHost("a.test", ServePages({}));
  ASSERT_OK(web_.Start());
  HttpClientOptions options = ClientOptionsFor(web_);
  FixedHost& host = options.dns.fixed["deaf.test"];
  host.addresses = {*IpAddress::Parse("127.0.0.1")};
  host.http_port = deaf.port();
  ASSERT_OK_AND_ASSIGN(client_, HttpClient::Make(options, clock_));
  const HttpAnswer answer = FetchAndAdvance(Get("http://deaf.test/"));
  EXPECT_EQ(answer.outcome, HttpOutcome::kConnectFailed);
  EXPECT_EQ(answer.detail, "no connection in time");
  EXPECT_GE(answer.timings.total_ms, 3'000);
  EXPECT_LT(answer.timings.total_ms, 6'000);
  EXPECT_FALSE(answer.sent);
}

TEST_F(HttpHostile, AKeptConnectionThatDiesIsNotAskedAgain) {
  // libcurl alone would send the request a second time at once.
  const TestAnswer good = {{Send(kHead + std::string("Content-Length: 1\r\n\r\nx"))}, true};
  const TestAnswer dies = {{Close()}, false};
  web_.AddHost("a.test", ServeInTurn({good, dies, good}));
  Start();
  HttpRequest request = Get("http://a.test/");
  request.keep_connection = true;
  request.reuse_idle_ms = 4000;
  EXPECT_EQ(FetchOne(*client_, request).body, "x");
  const HttpAnswer stale = FetchOne(*client_, request);
  EXPECT_EQ(stale.outcome, HttpOutcome::kConnectionReset);
  EXPECT_TRUE(stale.stale_connection);
  EXPECT_TRUE(stale.reused_connection);
  EXPECT_EQ(web_.Log().size(), 2u) << "asked once each";
  for (int i = 0; i < 2; ++i) {
    const HttpAnswer answer = FetchOne(*client_, request);
    EXPECT_EQ(answer.body, "x");
    EXPECT_FALSE(answer.reused_connection) << "this host gets no kept connection any more";
  }
  EXPECT_EQ(client_->counters().stale, 1);
}

TEST_F(HttpHostile, BytesThatNobodyAskedForAreNoAnswer) {
  // RFC 9112 section 6.3: "A client MUST NOT process, cache, or forward such extra data as a separate response".
  const std::string good = kHead + std::string("Content-Length: 4\r\n\r\ngood");
  const std::string kUnasked[] = {kHead + std::string("Content-Length: 3\r\n\r\nbad"), "\r\n",
                                  "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n"};
  int number = 0;
  for (const std::string& unasked : kUnasked) {
    web_.AddHost("h" + std::to_string(number++) + ".test", [&good, unasked](const TestRequest& request) {
      if (request.path != "/first") return TestAnswer{{Send(good)}, true};
      return TestAnswer{{Send(good), Pause(20), Send(unasked)}, true};
    });
  }
  Start();
  for (int host = 0; host < number; ++host) {
    const std::string origin = "http://h" + std::to_string(host) + ".test";
    HttpRequest request = Get(origin + "/first");
    request.keep_connection = true;
    request.reuse_idle_ms = 4000;
    EXPECT_EQ(FetchOne(*client_, request).body, "good");
    std::vector<HttpAnswer> none;
    while (!web_.Log().back().whole) client_->Poll(5, &none);
    client_->Poll(20, &none);
    request.url = origin + "/second";
    const HttpAnswer answer = FetchOne(*client_, request);
    EXPECT_EQ(answer.outcome, HttpOutcome::kAnswered) << answer.detail;
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.body, "good");
    EXPECT_FALSE(answer.reused_connection);
  }
}

TEST_F(HttpHostile, AConnectionClosedWhileIdleIsNoFault) {
  web_.AddHost("a.test", [](const TestRequest&) {
    return TestAnswer{{Send(kHead + std::string("Content-Length: 1\r\n\r\nx"))}, false};  // closed after the answer
  });
  Start();
  HttpRequest request = Get("http://a.test/");
  request.keep_connection = true;
  request.reuse_idle_ms = 4000;
  EXPECT_EQ(FetchOne(*client_, request).body, "x");
  std::vector<HttpAnswer> none;
  for (int i = 0; i < 100 && web_.connections_open() > 0; ++i) client_->Poll(5, &none);
  const HttpAnswer answer = FetchOne(*client_, request);
  EXPECT_EQ(answer.body, "x");
  EXPECT_FALSE(answer.reused_connection);
  EXPECT_FALSE(answer.stale_connection);
}

TEST_F(HttpHostile, NamesThatDoNotResolve) {
  web_.AddHost("a.test", ServePages({}));
  Start();
  HttpAnswer answer = Fetch("http://" + std::string(64, 'a') + ".test/");
  EXPECT_EQ(answer.outcome, HttpOutcome::kDnsFailed);
  EXPECT_EQ(answer.detail, "not a name for a question");
  answer = FetchAndAdvance(Get("http://nobody.test/"));
  EXPECT_EQ(answer.outcome, HttpOutcome::kDnsFailed) << "the only name server is not there";
}

TEST_F(HttpHostile, HandshakesWithoutEndAreConnectionsThatFail) {
  AddEndlessHandshakes(&web_);
  Start();
  for (const auto& [name, handler] : EndlessHandshakes()) {
    const HttpAnswer answer = FetchAndAdvance(Get("https://" + name + ".bad.test/"));
    EXPECT_EQ(answer.outcome, HttpOutcome::kConnectFailed) << name;
    EXPECT_EQ(answer.detail, "no connection in time") << name;
    EXPECT_EQ(answer.timings.tls_ms, -1) << name;
    EXPECT_FALSE(answer.sent) << name;
    const int64_t limit_ms = HttpLimits().connect_ms;
    EXPECT_GE(answer.timings.total_ms, limit_ms) << name << ": TCP alone has less";
    EXPECT_LT(answer.timings.total_ms, limit_ms + 3'000) << name;
  }
}

// -- all of it at once ------------------------------------------------------------------------------------------------

TEST_F(HttpHostile, AWebOfBadServersHoldsUpNobody) {
  AddBadHosts(false, &web_);
  constexpr int kGood = 50;
  for (int i = 0; i < kGood; ++i)
    web_.AddHost("good" + std::to_string(i) + ".test", ServePages({{"*", {.body = "good"}}}));
  Start();
  const std::map<std::string, std::string> kOutcomes = {
      {"hang", "timeout"},
      {"hang-in-headers", "too_slow"},
      {"hang-in-body", "too_slow"},
      {"close", "connection_reset"},
      {"reset", "connection_reset"},
      {"reset-in-body", "answered, incomplete"},
      {"trickle-headers", "too_slow"},
      {"trickle-body", "too_slow"},
      {"trickle-chunks", "too_slow"},
      {"endless-body", "answered, size"},
      {"endless-chunks", "answered, size"},
      {"endless-headers", "header_limit"},
      {"endless-header", "header_limit"},
      {"endless-interim", "header_limit"},
      {"endless-trailers", "header_limit"},
      {"endless-chunk-extension", "too_slow"},
      {"long-length", "answered, incomplete"},
      {"short-length", "answered"},
      {"two-lengths", "protocol_error"},
      {"no-http", "protocol_error"},
      {"no-gzip", "decode_error"},
      {"redirect-loop", "answered"},
      {"redirect-nowhere", "answered"},
      {"bomb-gzip", "answered, ratio"},
      {"bomb-br", "answered, ratio"},
      {"bomb-zstd", "answered, ratio"},
  };
  std::vector<std::string> names;
  for (const auto& [name, handler] : BadHandlers()) names.push_back(name + ".bad.test");
  ASSERT_EQ(names.size(), kOutcomes.size());
  for (int i = 0; i < kGood; ++i) names.push_back("good" + std::to_string(i) + ".test");
  for (size_t i = 0; i < names.size(); ++i) {
    HttpRequest request = Get("http://" + names[i] + "/");
    request.id = i;
    client_->Submit(std::move(request));
  }
  // First all answers whose end does not depend on time; then time passes.
  const auto is_slow = [](const auto& one) { return one.second == "timeout" || one.second == "too_slow"; };
  const auto slow = static_cast<size_t>(std::count_if(kOutcomes.begin(), kOutcomes.end(), is_slow));
  std::vector<HttpAnswer> answers;
  while (answers.size() < names.size() - slow) client_->Poll(100, &answers);
  while (answers.size() < names.size()) {
    for (int i = 0; i < 10; ++i) client_->Poll(5, &answers);
    clock_.Advance(800);
  }
  for (const HttpAnswer& answer : answers) {
    const std::string& name = names[answer.id];
    std::string outcome(HttpOutcomeName(answer.outcome));
    if (answer.outcome == HttpOutcome::kAnswered && answer.end != BodyEnd::kComplete) {
      outcome += ", " + std::string(BodyEndName(answer.end));
    }
    const auto bad = kOutcomes.find(name.substr(0, name.find('.')));
    EXPECT_EQ(outcome, bad == kOutcomes.end() ? "answered" : bad->second) << name << ": " << answer.detail;
    if (client_->counters().late_loops == 0) {
      EXPECT_LE(answer.timings.total_ms, 33'000) << name;
    }
  }
  EXPECT_EQ(client_->under_way(), 0u);
}

}  // namespace
}  // namespace trawl
