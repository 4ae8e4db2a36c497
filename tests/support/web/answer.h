// A host of the test web answers a request with a list of steps, so that tests can write down every kind of bad
// behaviour. Usual answers are pages as values.
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
// Sends a piece every `ms`, without end (0: as fast as it is taken).
TestStep Repeat(std::string bytes, int64_t ms);
TestStep Reset();
TestStep Close();
// Sends nothing more until the client goes.
TestStep Hang();

struct TestAnswer {
  std::vector<TestStep> steps;
  // Whether the connection takes another request after the last step.
  bool keep_alive = true;
};

struct TestRequest {
  std::string host;  // from the Host field, without port
  std::string path;  // with its query; empty where a TLS handshake began (TestCertificate::kNone)
  bool https = false;
  std::vector<std::pair<std::string, std::string>> headers;  // names in lower case
  // The number of requests for this path of this host so far, including this one.
  int number = 1;

  // "" where the field is missing.
  std::string Header(std::string_view lower_case_name) const;
};

// Called on the web's thread.
using TestHandler = std::function<TestAnswer(const TestRequest&)>;

struct TestPage {
  int status = 200;
  std::string content_type = "text/html; charset=utf-8";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;
  // Validators: a request that has one of them in If-None-Match or If-Modified-Since gets 304.
  std::string etag;
  std::string last_modified;
  // gzip, br, zstd, deflate, raw-deflate; several with commas, in the order in which they are applied.
  std::string coding;
  int64_t delay_ms = 0;  // before the first byte
  bool chunked = false;
  // Announced instead of the true length, where not negative.
  int64_t content_length = -1;
  bool no_length = false;  // neither length nor chunks: the body ends with the connection
  bool close = false;
  // Sends the body in pieces of `piece_bytes`, one every `piece_every_ms`; 0: at once.
  size_t piece_bytes = 0;
  int64_t piece_every_ms = 0;
};

TestAnswer AnswerWith(const TestPage& page, const TestRequest& request);
// Sends the bytes as they are, then ends the connection.
TestAnswer AnswerRaw(std::string bytes);

TestPage RedirectTo(std::string location, int status = 301);
TestPage NotFound();

// Pages by path. "*" stands for every other path; without it other paths get 404.
TestHandler ServePages(std::map<std::string, TestPage> pages);
// The n-th request for any path gets the n-th answer; the last answer repeats.
TestHandler ServeInTurn(std::vector<TestAnswer> answers);
// A page whose body and ETag tell its version. The version changes every `requests_per_version` requests.
TestHandler ServeChanging(int requests_per_version);

}  // namespace trawl
