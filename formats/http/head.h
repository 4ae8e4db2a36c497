// Reads the header section of an HTTP answer while it arrives, line by line: its limits, its raw bytes and the few
// fields that decide how the body is read.
//
// Limits count every header line, also those of interim answers (1xx) and trailers. Content-Length follows the Fetch
// standard's "extract a length": differing values are a failure, values that are not a number are ignored. Pure; one
// thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace trawl {

struct HttpHeadLimits {
  int64_t max_bytes = 64 << 10;
  int max_fields = 100;
};

class HttpHeadReader {
 public:
  enum class Step {
    kMore,
    kInterimEnd,  // a 1xx is over, another answer follows
    kEnd,         // the header section is whole
    kTooLarge,    // a limit is passed
    kConflict,    // lengths that contradict each other
  };

  explicit HttpHeadReader(const HttpHeadLimits& limits) : limits_(limits) {}

  // Takes a line with its line end. Lines after kEnd are trailers.
  Step Take(std::string_view line);

  bool ended() const { return ended_; }
  // 0 where the status line has no code.
  int status() const { return status_; }
  // The final header section as it came, from the status line to the empty line, without trailers.
  const std::string& raw() const { return raw_; }
  // The number of bytes counted so far.
  int64_t bytes() const { return bytes_; }
  // Says after kTooLarge which limit was passed.
  std::string Excess() const;

  // The value of the last Content-Type field.
  const std::string& content_type() const { return content_type_; }
  // The codings of the body, the last applied one last: all of Content-Encoding, then a transfer coding other than
  // chunked (nobody asked for it; it is undone all the same).
  std::string codings() const {
    return content_encoding_ + (content_encoding_.empty() || transfer_codings_.empty() ? "" : ", ") + transfer_codings_;
  }
  const std::string& location() const { return location_; }
  // -1 where no length can be read, or where a transfer coding frames the body (RFC 9112 6.3).
  int64_t content_length() const { return has_transfer_coding_ ? -1 : content_length_; }
  // Content-Length is present but not a number.
  bool has_unreadable_length() const { return length_count_ > 0 && content_length_ < 0; }

 private:
  enum class Field { kNone, kContentType, kContentEncoding, kContentLength, kLocation, kTransferEncoding };
  void BeginAnswer(std::string_view line);
  void TakeField(std::string_view line);
  void Keep(Field field, std::string_view value, bool continues);
  Step EndSection();
  bool SettleLength();

  const HttpHeadLimits limits_;
  std::string raw_;
  std::string content_type_, content_encoding_, transfer_codings_, location_, lengths_;
  Field last_field_ = Field::kNone;
  int64_t bytes_ = 0;
  int64_t content_length_ = -1;
  int fields_ = 0;
  int length_count_ = 0;
  int status_ = 0;
  bool in_answer_ = false;
  bool has_transfer_coding_ = false;
  bool ended_ = false;
};

}  // namespace trawl
