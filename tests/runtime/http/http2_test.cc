// HTTP/2 against a real server: the same limits as for HTTP/1.1, trailers, and the bytes on the wire.
#include <gtest/gtest.h>

#include <fstream>

#include "runtime/http/http.h"
#include "tests/support/store/temporary_folder.h"
#include "tests/support/values/assert_ok.h"
#include "tests/support/web/certificates.h"
#include "tests/support/web/fetch_all.h"
#include "tests/support/web/http2_flood.h"
#include "tests/support/web/http2_server.h"

namespace trawl {
namespace {

// The fields that nghttpd itself sends: server, cache-control, date, last-modified, content-type, and one field with
// the names of all trailers.
constexpr int kOwnFields = 6;
// After a body of announced length the client waits for nothing more, not even trailers.
constexpr char kNoLength[] = "--no-content-length";

std::vector<std::string> Trailers(int count) {
  std::vector<std::string> arguments = {kNoLength};
  for (int i = 0; i < count; ++i) arguments.push_back("--trailer=x-" + std::to_string(i) + ": value");
  return arguments;
}

class Http2 : public testing::Test {
 protected:
  void Start(const std::vector<std::string>& arguments) {
    ASSERT_OK_AND_ASSIGN(server_, Http2Server::Start(authority_, "a.test", {{"index.html", "hello"}}, arguments));
    StartClient(server_->port());
  }

  void StartClient(uint16_t port) {
    certificates_ = std::make_unique<TemporaryFolder>();
    HttpClientOptions options;
    options.allow_private = true;
    options.ca_file = certificates_->path() + "/ca.pem";
    std::ofstream(options.ca_file) << authority_.CaPem();
    options.dns.hosts_file.clear();
    options.dns.fixed["a.test"] = {{*IpAddress::Parse("127.0.0.1")}, 0, port};
    ASSERT_OK_AND_ASSIGN(client_, HttpClient::Make(options, SystemClock()));
  }

  HttpAnswer Fetch(const HttpLimits& limits, bool keep = true) {
    HttpRequest request;
    request.url = "https://a.test/";
    request.limits = limits;
    request.keep_connection = keep;
    request.reuse_idle_ms = 4'000;
    return FetchOne(*client_, request);
  }

  TestAuthority authority_;
  std::unique_ptr<TemporaryFolder> certificates_;
  std::unique_ptr<Http2Server> server_;
  std::unique_ptr<HttpClient> client_;
};

TEST_F(Http2, TrailersAreNoPartOfTheHeadOrTheBody) {
  Start({"--trailer=content-type: text/late", "--trailer=x-checksum: 1"});
  for (const bool keep : {true, false}) {
    const HttpAnswer answer = Fetch({}, keep);
    EXPECT_EQ(answer.outcome, HttpOutcome::kAnswered) << answer.detail;
    EXPECT_EQ(answer.end, BodyEnd::kComplete);
    EXPECT_EQ(answer.body, "hello");
    EXPECT_EQ(answer.content_type, "text/html");
    EXPECT_TRUE(answer.raw_headers.starts_with("HTTP/2 200")) << answer.raw_headers;
    EXPECT_EQ(answer.raw_headers.find("x-checksum: "), std::string::npos) << answer.raw_headers;
  }
}

TEST_F(Http2, TrailersEndABodyWithoutALength) {
  Start({kNoLength, "--trailer=x-checksum: 1"});
  const HttpAnswer answer = Fetch({});
  EXPECT_EQ(answer.outcome, HttpOutcome::kAnswered) << answer.detail;
  EXPECT_EQ(answer.end, BodyEnd::kComplete);
  EXPECT_EQ(answer.body, "hello");
}

TEST_F(Http2, AHundredFieldsTrailersIncluded) {
  Start(Trailers(100 - kOwnFields));
  EXPECT_EQ(Fetch({}).outcome, HttpOutcome::kAnswered);
  Start(Trailers(100 - kOwnFields + 1));
  EXPECT_EQ(Fetch({}).outcome, HttpOutcome::kHeaderLimit);
  EXPECT_EQ(Fetch({}, /*keep=*/false).outcome, HttpOutcome::kHeaderLimit);
  EXPECT_EQ(Fetch({.max_header_fields = kOwnFields - 1}).outcome, HttpOutcome::kHeaderLimit) << "in the head already";
}

TEST_F(Http2, SixtyFourKibibytesOfFields) {
  // The name comes twice: announced in the head, and as the trailer.
  const std::string half(30'000, 'n');
  Start({kNoLength, "--trailer=" + half + ": value"});
  HttpAnswer answer = Fetch({});
  EXPECT_EQ(answer.outcome, HttpOutcome::kAnswered) << answer.detail;
  EXPECT_GT(answer.header_bytes, 60'000);
  EXPECT_EQ(Fetch({.max_header_bytes = answer.header_bytes}).outcome, HttpOutcome::kAnswered);
  EXPECT_EQ(Fetch({.max_header_bytes = answer.header_bytes - 1}).outcome, HttpOutcome::kHeaderLimit);
  EXPECT_EQ(Fetch({.max_header_bytes = 20'000}).outcome, HttpOutcome::kHeaderLimit) << "in the head already";
  Start({kNoLength, "--trailer=" + half + half.substr(0, 3'000) + ": value"});
  answer = Fetch({});
  EXPECT_EQ(answer.outcome, HttpOutcome::kHeaderLimit) << answer.detail;
  EXPECT_EQ(answer.status, 200);
}

TEST_F(Http2, AKeptConnectionHasOneStreamAfterTheOther) {
  Start({});
  for (int i = 0; i < 20; ++i) EXPECT_EQ(Fetch({}).reused_connection, i > 0);
  Http2Server::Streams streams = server_->ReadStreams();
  EXPECT_EQ(streams.opened, 20);
  EXPECT_EQ(streams.connections, 1);
  EXPECT_EQ(streams.most_at_once, 1);
  // A request that is given up within its body is over for the server, too.
  Fetch({.max_body_bytes = 2});
  Fetch({});
  streams = server_->ReadStreams();
  EXPECT_EQ(streams.opened, 22);
  EXPECT_EQ(streams.most_at_once, 1);
}

// libcurl reads such frames within one call for as long as they come; all other requests would wait for their sender.
TEST_F(Http2, FramesThatCarryNothingEnd) {
  const std::string settings = Http2Flood::Frame(4, 0, 0, "");
  const std::string head = Http2Flood::Frame(1, 4, 1, "\x88");  // :status 200
  const std::string page = Http2Flood::Frame(0, 0, 1, "<p>page");
  const struct {
    const char* what;
    std::string first, frames, outcome, body;
  } kCases[] = {
      {"priorities", settings, Http2Flood::Frame(2, 0, 3, std::string(5, '\0')), "protocol_error", ""},
      {"windows", settings, Http2Flood::Frame(8, 0, 0, std::string("\0\0\0\1", 4)), "protocol_error", ""},
      {"a type that nobody knows", settings, Http2Flood::Frame(99, 0, 0, "what"), "protocol_error", ""},
      {"empty data", settings + head + page, Http2Flood::Frame(0, 0, 1, ""), "answered", "<p>page"},
      {"padding", settings + head + page, Http2Flood::Frame(0, 8, 1, std::string("\x03\0\0\0", 4)), "answered",
       "<p>page"},
  };
  for (const auto& c : kCases) {
    ASSERT_OK_AND_ASSIGN(const auto flood, Http2Flood::Start(authority_, "a.test", c.first, c.frames));
    StartClient(flood->port());
    const HttpAnswer answer = Fetch({});
    EXPECT_EQ(HttpOutcomeName(answer.outcome), c.outcome) << c.what << ": " << answer.detail;
    EXPECT_EQ(answer.body, c.body) << c.what;
    EXPECT_EQ(answer.detail, c.body.empty() ? "far more bytes than an answer" : "received bytes over the limit")
        << c.what;
    client_.reset();
  }
}

}  // namespace
}  // namespace trawl
