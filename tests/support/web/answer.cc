#include "tests/support/web/answer.h"

#include <algorithm>

#include "tests/support/values/encode.h"

namespace trawl {

namespace {

std::string_view ReasonOf(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 301:
      return "Moved Permanently";
    case 302:
      return "Found";
    case 304:
      return "Not Modified";
    case 404:
      return "Not Found";
    case 410:
      return "Gone";
    case 429:
      return "Too Many Requests";
    case 500:
      return "Internal Server Error";
    case 503:
      return "Service Unavailable";
    default:
      return "Status";
  }
}

std::string EncodeAll(std::string_view codings, std::string body) {
  while (!codings.empty()) {
    const size_t comma = codings.find(',');
    std::string_view name = codings.substr(0, comma);
    name.remove_prefix(std::min(name.find_first_not_of(' '), name.size()));
    body = EncodeContent(name, body);
    codings = comma == std::string_view::npos ? std::string_view() : codings.substr(comma + 1);
  }
  return body;
}

std::string Chunk(std::string_view bytes) {
  char size[32];
  std::snprintf(size, sizeof size, "%zx\r\n", bytes.size());
  return size + std::string(bytes) + "\r\n";
}

bool IsUnchanged(const TestPage& page, const TestRequest& request) {
  if (!page.etag.empty() && request.Header("if-none-match") == page.etag) return true;
  return !page.last_modified.empty() && request.Header("if-none-match").empty() &&
         request.Header("if-modified-since") == page.last_modified;
}

std::string HeadOf(const TestPage& page, int status, size_t body_bytes) {
  std::string head = "HTTP/1.1 " + std::to_string(status) + ' ' + std::string(ReasonOf(status)) + "\r\n";
  const auto add = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) head += std::string(name) + ": " + value + "\r\n";
  };
  if (status != 304) add("Content-Type", page.content_type);
  add("ETag", page.etag);
  add("Last-Modified", page.last_modified);
  if (status != 304) add("Content-Encoding", page.coding == "raw-deflate" ? "deflate" : page.coding);
  for (const auto& [name, value] : page.headers) head += name + ": " + value + "\r\n";
  if (page.close || page.no_length) add("Connection", "close");
  if (status == 304 || page.no_length) return head + "\r\n";
  if (page.chunked) {
    add("Transfer-Encoding", "chunked");
  } else {
    add("Content-Length", std::to_string(page.content_length >= 0 ? page.content_length : int64_t(body_bytes)));
  }
  return head + "\r\n";
}

}  // namespace

TestStep Send(std::string bytes) {
  return {TestStep::Kind::kSend, std::make_shared<const std::string>(std::move(bytes)), 0};
}
TestStep SendShared(std::shared_ptr<const std::string> bytes) { return {TestStep::Kind::kSend, std::move(bytes), 0}; }
TestStep Pause(int64_t ms) { return {TestStep::Kind::kPause, nullptr, ms}; }
TestStep Repeat(std::string bytes, int64_t ms) {
  return {TestStep::Kind::kRepeat, std::make_shared<const std::string>(std::move(bytes)), ms};
}
TestStep Reset() { return {TestStep::Kind::kReset, nullptr, 0}; }
TestStep Close() { return {TestStep::Kind::kClose, nullptr, 0}; }
TestStep Hang() { return {TestStep::Kind::kHang, nullptr, 0}; }

std::string TestRequest::Header(std::string_view lower_case_name) const {
  for (const auto& [name, value] : headers) {
    if (name == lower_case_name) return value;
  }
  return "";
}

TestAnswer AnswerWith(const TestPage& page, const TestRequest& request) {
  TestAnswer answer;
  answer.keep_alive = !page.close && !page.no_length;
  if (page.delay_ms > 0) answer.steps.push_back(Pause(page.delay_ms));
  if (IsUnchanged(page, request)) {
    answer.steps.push_back(Send(HeadOf(page, 304, 0)));
    return answer;
  }
  const std::string body = EncodeAll(page.coding, page.body);
  const std::string head = HeadOf(page, page.status, body.size());
  if (!page.chunked && page.piece_bytes == 0) {
    answer.steps.push_back(Send(head + body));
  } else {
    answer.steps.push_back(Send(head));
    const size_t piece = page.piece_bytes > 0 ? page.piece_bytes : body.size();
    for (size_t at = 0; at < body.size(); at += piece) {
      if (at > 0 && page.piece_every_ms > 0) answer.steps.push_back(Pause(page.piece_every_ms));
      const std::string_view bytes = std::string_view(body).substr(at, piece);
      answer.steps.push_back(Send(page.chunked ? Chunk(bytes) : std::string(bytes)));
    }
    if (page.chunked) answer.steps.push_back(Send("0\r\n\r\n"));
  }
  // A wrong length ends the connection, because the next answer would be read as the rest of this one.
  if (page.content_length >= 0 && page.content_length != int64_t(body.size())) answer.keep_alive = false;
  return answer;
}

TestAnswer AnswerRaw(std::string bytes) { return {{Send(std::move(bytes))}, false}; }

TestPage RedirectTo(std::string location, int status) {
  return {.status = status, .headers = {{"Location", std::move(location)}}};
}
TestPage NotFound() { return {.status = 404, .body = "<title>not here</title>"}; }

TestHandler ServePages(std::map<std::string, TestPage> pages) {
  return [pages = std::move(pages)](const TestRequest& request) {
    auto found = pages.find(request.path);
    if (found == pages.end()) found = pages.find("*");
    return AnswerWith(found == pages.end() ? NotFound() : found->second, request);
  };
}

TestHandler ServeInTurn(std::vector<TestAnswer> answers) {
  return [answers = std::move(answers), next = size_t{0}](const TestRequest&) mutable {
    const size_t turn = std::min(next++, answers.size() - 1);
    return answers[turn];
  };
}

TestHandler ServeChanging(int requests_per_version) {
  return [requests_per_version](const TestRequest& request) {
    const std::string version = std::to_string((request.number - 1) / requests_per_version);
    return AnswerWith({.body = "<title>version " + version + "</title>", .etag = "\"v" + version + "\""}, request);
  };
}

}  // namespace trawl
