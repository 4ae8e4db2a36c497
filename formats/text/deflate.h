// A whole text as one gzip member (RFC 1952), and a whole text from raw DEFLATE. This is the only door to libdeflate. One
// thread.
//
// The same text gives the same bytes on every machine and every day: no time, no name, an unknown system. The bytes change
// with the level and with libdeflate's version.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "arrow/result.h"

namespace trawl {

class GzipMembers {
 public:
  static constexpr int kLeastLevel = 1, kMostLevel = 12, kUsualLevel = 6;

  // Invalid where there is no such level.
  static arrow::Result<GzipMembers> Make(int level);
  GzipMembers(GzipMembers&&) noexcept;
  GzipMembers& operator=(GzipMembers&&) noexcept;
  ~GzipMembers();

  // The member that holds `text`. It lives until the next call, in memory that is used again.
  arrow::Result<std::string_view> MemberOf(std::string_view text);

  // "libdeflate 1.14": what the bytes depend on, beside the level.
  static std::string Codec();

 private:
  struct State;
  explicit GzipMembers(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Returns the text of raw DEFLATE bytes (RFC 1951); Invalid where it does not have exactly that size.
arrow::Result<std::string> Inflate(std::string_view deflated, size_t size_bytes);

// The CRC-32 of gzip and ZIP: of `bytes` that follow others whose CRC-32 is `before`.
uint32_t Crc32(std::string_view bytes, uint32_t before = 0);

}  // namespace trawl
