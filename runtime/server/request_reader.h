// Makes a request out of the bytes of a connection, however they are cut. One thread.
//
// Boost.Beast parses the header. On top of its checks, these are refused, because two parsers might read them in two
// ways: Transfer-Encoding, several Content-Length or Host fields, a Content-Length that is not just digits, no Host in
// HTTP/1.1, a target that does not begin with '/'.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "runtime/server/limits.h"
#include "runtime/server/message.h"

namespace trawl {

enum class ReaderState {
  kHeader,   // the header is not whole
  kBody,     // the header is there, the body is not whole
  kDone,     // request() is whole
  kRefused,  // refusal() is the answer; the connection is of no more use
};

class RequestReader {
 public:
  explicit RequestReader(const ServerLimits& limits);
  ~RequestReader();

  // Takes as much of `bytes` as belongs to the request and is of use now, and returns how much that is. What is left is
  // to be offered again, with more bytes. It goes from kHeader to kBody without taking bytes of the body. REQUIRES: the
  // state is kHeader or kBody.
  size_t Take(std::string_view bytes);

  ReaderState state() const { return state_; }
  // Whether a part of the request line has been taken or offered.
  bool has_begun() const { return has_begun_; }
  // Its header is there once the state is kBody or kDone. The caller may move it away once the state is kDone.
  ServerRequest& request() { return request_; }
  ServerAnswer& refusal() { return refusal_; }
  // These three are known once the header is there.
  int64_t body_bytes() const { return body_bytes_; }
  bool keeps_alive() const { return keeps_alive_; }
  bool expects_continue() const { return expects_continue_; }

 private:
  struct Parser;
  size_t TakeHeader(std::string_view bytes);
  size_t TakeBody(std::string_view bytes);
  // Fills `request_` from the parser.
  void UseHeader();
  // Refuses the request where its fields say different things to different parsers.
  void CheckFields();
  void CheckLength(std::string_view text);
  void Refuse(int status, std::string_view why);

  const ServerLimits limits_;
  std::unique_ptr<Parser> parser_;
  ReaderState state_ = ReaderState::kHeader;
  ServerRequest request_;
  ServerAnswer refusal_;
  int64_t body_bytes_ = 0;
  bool has_begun_ = false;
  bool keeps_alive_ = false;
  bool expects_continue_ = false;
};

}  // namespace trawl
