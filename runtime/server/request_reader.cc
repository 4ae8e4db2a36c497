#include "runtime/server/request_reader.h"

#include <algorithm>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/parser.hpp>
#include <charconv>

#include "formats/text/ascii.h"
#include "runtime/server/answer_head.h"

namespace trawl {

namespace http = boost::beast::http;

struct RequestReader::Parser : http::request_parser<http::empty_body> {};

RequestReader::RequestReader(const ServerLimits& limits) : limits_(limits), parser_(std::make_unique<Parser>()) {
  parser_->header_limit(static_cast<uint32_t>(limits.header_bytes));
  parser_->body_limit(UINT64_MAX);  // CheckLength has the limit, and the parser never sees the body
  parser_->eager(false);
}

RequestReader::~RequestReader() = default;

size_t RequestReader::Take(std::string_view bytes) {
  has_begun_ |= !bytes.empty();
  return state_ == ReaderState::kHeader ? TakeHeader(bytes) : TakeBody(bytes);
}

size_t RequestReader::TakeHeader(std::string_view bytes) {
  boost::system::error_code error;
  const size_t taken = parser_->put(boost::asio::const_buffer(bytes.data(), bytes.size()), error);
  if (error == http::error::need_more) return taken;
  if (error == http::error::header_limit) {
    Refuse(431, "the header of the request is too large");
  } else if (error) {
    Refuse(400, "this is not an HTTP/1.1 request");
  } else if (parser_->is_header_done()) {
    UseHeader();
  }
  return taken;
}

size_t RequestReader::TakeBody(std::string_view bytes) {
  request_.body.reserve(static_cast<size_t>(body_bytes_));  // costs memory only as bytes arrive
  const size_t missing = static_cast<size_t>(body_bytes_) - request_.body.size();
  const size_t taken = std::min(missing, bytes.size());
  request_.body.append(bytes.substr(0, taken));
  if (taken == missing) state_ = ReaderState::kDone;
  return taken;
}

void RequestReader::UseHeader() {
  const auto& header = parser_->get();
  const auto text = [](boost::beast::string_view view) { return std::string(view.data(), view.size()); };
  request_.method = text(header.method_string());
  request_.target = text(header.target());
  for (const auto& field : header) {
    request_.headers.emplace_back(AsciiLower(text(field.name_string())), text(field.value()));
  }
  keeps_alive_ = parser_->keep_alive();
  CheckFields();
  if (state_ == ReaderState::kRefused) return;
  state_ = body_bytes_ == 0 ? ReaderState::kDone : ReaderState::kBody;
}

void RequestReader::CheckFields() {
  const auto count = [this](std::string_view name) {
    return std::count_if(request_.headers.begin(), request_.headers.end(),
                         [name](const auto& field) { return field.first == name; });
  };
  if (request_.Header("transfer-encoding")) return Refuse(411, "a body needs Content-Length, not Transfer-Encoding");
  if (count("content-length") > 1) return Refuse(400, "the request has several Content-Length fields");
  if (count("host") > 1) return Refuse(400, "the request has several Host fields");
  if (parser_->get().version() >= 11 && count("host") == 0) return Refuse(400, "the request has no Host field");
  if (!request_.target.starts_with('/')) return Refuse(400, "the target of the request does not begin with /");
  if (const auto expect = request_.Header("expect")) {
    if (AsciiLower(*expect) != "100-continue") return Refuse(417, "the server knows no other Expect than 100-continue");
    expects_continue_ = true;
  }
  if (const auto length = request_.Header("content-length")) CheckLength(*length);
}

void RequestReader::CheckLength(std::string_view text) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), body_bytes_);
  const bool is_number = !text.empty() && std::all_of(text.begin(), text.end(), IsAsciiDigit);
  if (!is_number) return Refuse(400, "Content-Length is not a number");
  if (error != std::errc() || body_bytes_ > limits_.body_bytes) {
    return Refuse(413, "the body is larger than " + std::to_string(limits_.body_bytes) + " bytes");
  }
}

void RequestReader::Refuse(int status, std::string_view why) {
  state_ = ReaderState::kRefused;
  keeps_alive_ = false;
  refusal_ = ProblemAnswer(status, why);
}

}  // namespace trawl
