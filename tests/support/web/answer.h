// What a host of the test web does with a request: a list of steps, so that every kind of bad manners can be written
// down, and pages as values for the usual ones.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trawl {

struct TestStep {
  enum class Kind { kSend, kPause, kRepeat, kReset, kClose, kHang };
  Kind kind = Kind::kSend;
  std::shared_ptr<const std::string> bytes = nullptr;
  int64_t ms = 0;
};

// Steps as they are written in tests.
TestStep Send(std::string bytes);
TestStep SendShared(std::shared_ptr<const std::string> bytes);
TestStep Pause(int64_t ms);
// Without end, a piece every `ms` (0: as fast as it is taken).
TestStep Repeat(std::string bytes, int64_t ms);
TestStep Reset();
TestStep Close();
// Nothing more until the client goes.
TestStep Hang();

struct TestAnswer {
  std::vector<TestStep> steps;
  // Whether the connection takes another request behind the last step.
  bool keep_alive = true;
};

struct TestRequest {
  std::string host;  // of the Host field, without port
  std::string path;  // with its query; empty where a TLS handshake was begun (TestCertificate::kNone)
  bool https = false;
  std::vector<std::pair<std::string, std::string>> headers;  // names in lower case
  // How often this path of this host has been asked, this time included.
  int number = 1;

  // "" where there is none.
  std::string Header(std::string_view lower_case_name) const;
};

// Called on the web's thread.
using TestHandler = std::function<TestAnswer(const TestRequest&)>;

struct TestPage {
  int status = 200;
  std::string content_type = "text/html; charset=utf-8";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;
  // Validators: with either, a request that has it in If-None-Match or If-Modified-Since gets 304.
  std::string etag;
  std::string last_modified;
  // gzip, br, zstd, deflate, raw-deflate; several with commas, in the order in which they are applied.
  std::string coding;
  int64_t delay_ms = 0;  // before the first byte
  bool chunked = false;
  // A lie where not negative.
  int64_t content_length = -1;
  bool no_length = false;  // neither length nor chunks: ends with the connection
  bool close = false;
  // The body in pieces of so many bytes, so far apart; 0: at once.
  size_t piece_bytes = 0;
  int64_t piece_every_ms = 0;
};

TestAnswer AnswerWith(const TestPage& page, const TestRequest& request);
// Bytes as they are, then the end of the connection.
TestAnswer AnswerRaw(std::string bytes);

TestPage RedirectTo(std::string location, int status = 301);
TestPage NotFound();

// Pages by path; "*" stands for every other, without it they are 404.
TestHandler ServePages(std::map<std::string, TestPage> pages);
// The n-th request of any path gets the n-th answer, the last one stays.
TestHandler ServeInTurn(std::vector<TestAnswer> answers);
// A page whose body and ETag say how often it has changed: every `requests_per_version` requests.
TestHandler ServeChanging(int requests_per_version);

}  // namespace trawl
