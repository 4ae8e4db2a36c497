#include "tests/support/web/bad_hosts.h"

#include "tests/support/values/encode.h"

namespace trawl {

namespace {

constexpr const char* kHead = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n";

TestHandler Always(std::vector<TestStep> steps) {
  return [steps = std::move(steps)](const TestRequest&) { return TestAnswer{steps, false}; };
}

// A single page, encoded once.
TestHandler Bomb(const std::string& coding, size_t bytes) {
  return ServePages(
      {{"*", {.body = EncodeContent(coding, std::string(bytes, ' ')), .headers = {{"Content-Encoding", coding}}}}});
}

TestHandler WithRobots(TestHandler handler) {
  return [handler = std::move(handler)](const TestRequest& request) {
    if (request.path != "/robots.txt") return handler(request);
    return AnswerWith({.content_type = "text/plain", .body = "User-agent: *\nAllow: /\n", .close = true}, request);
  };
}

std::map<std::string, TestHandler> Handlers() {
  const std::string head = kHead;
  const std::string open = head + "\r\n";
  const std::string chunked = head + "Transfer-Encoding: chunked\r\n\r\n";
  std::map<std::string, TestHandler> handlers = {
      {"hang", Always({Hang()})},
      {"hang-in-headers", Always({Send(head), Hang()})},
      {"hang-in-body", Always({Send(open + "<p>begins"), Hang()})},
      {"close", Always({Close()})},
      {"reset", Always({Reset()})},
      {"reset-in-body", Always({Send(head + "Content-Length: 99\r\n\r\n<p>"), Pause(20), Reset()})},
      // All within one field: on a busy machine many fields would reach the limit of their number first.
      {"trickle-headers", Always({Send("HTTP/1.1 200 OK\r\nX: "), Repeat("y", 50)})},
      {"trickle-body", Always({Send(open), Repeat("x", 50)})},
      {"trickle-chunks", Always({Send(chunked), Repeat("1\r\nx\r\n", 50)})},
      {"endless-body", Always({Send(open), Repeat(std::string(16 << 10, 'x'), 0)})},
      {"endless-chunks", Always({Send(chunked), Repeat("400\r\n" + std::string(1024, 'x') + "\r\n", 0)})},
      {"endless-headers", Always({Send(head), Repeat("X-Filler: " + std::string(500, 'x') + "\r\n", 0)})},
      {"endless-header", Always({Send(head + "X: "), Repeat(std::string(1024, 'x'), 0)})},
      {"endless-interim", Always({Repeat("HTTP/1.1 103 Early Hints\r\n\r\n", 0)})},
      {"endless-trailers", Always({Send(chunked + "1\r\nx\r\n0\r\n"), Repeat("T: x\r\n", 0)})},
      {"endless-chunk-extension", Always({Send(chunked + "1;x="), Repeat(std::string(1024, 'x'), 0)})},
      {"long-length", Always({Send(head + "Content-Length: 999\r\n\r\n<p>short")})},
      {"short-length", Always({Send(head + "Content-Length: 3\r\n\r\n<p>longer than said")})},
      {"two-lengths", Always({Send(head + "Content-Length: 3\r\nContent-Length: 4\r\n\r\n<p>x")})},
      {"no-http", Always({Send("\x16\x03\x01 what is this\r\n\r\n")})},
      {"no-gzip", Always({Send(head + "Content-Encoding: gzip\r\nContent-Length: 3\r\n\r\n<p>")})},
      {"redirect-loop", ServePages({{"*", RedirectTo("/again")}})},
      {"redirect-nowhere", ServePages({{"*", RedirectTo("http://[not a host/")}})},
  };
  handlers["bomb-gzip"] = Bomb("gzip", 64 << 20);
  handlers["bomb-br"] = Bomb("br", 64 << 20);
  handlers["bomb-zstd"] = Bomb("zstd", 64 << 20);
  return handlers;
}

}  // namespace

std::map<std::string, TestHandler> BadHandlers(bool robots) {
  std::map<std::string, TestHandler> handlers = Handlers();
  for (auto& [name, handler] : handlers) {
    if (robots) handler = WithRobots(std::move(handler));
  }
  return handlers;
}

void AddBadHosts(bool robots, TestWeb* web) {
  for (auto& [name, handler] : BadHandlers(robots)) web->AddHost(name + ".bad.test", std::move(handler));
}

}  // namespace trawl
