// The door of runtime/decode: undoes content codings while a body arrives, within limits that hold whatever a server
// sends.
//
// We use our own decoders because the HTTP library's hide a missing trailer, fail on a coding that they do not know,
// and know no limits. The codings: gzip and x-gzip (any number of members), deflate (zlib or raw, told by its first
// bytes), br (windows up to 16 MiB, its own limit) and zstd (windows up to 8 MiB, RFC 9659); up to three of them on top
// of each other. Bytes after a whole stream are ignored, as browsers do. The memory per body is a few windows, never
// the body's size. One body, one BodyDecoder, one thread. Start at BodyDecoder.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace trawl {

class DecodeLayer;

// How a body ended. The body is kept in every case but the last.
enum class BodyEnd : uint8_t {
  kComplete,
  kSize,              // cut at the limit of decoded bytes
  kRatio,             // cut where it grew beyond the limit of compression
  kTime,              // cut when the time for the request was over
  kIncomplete,        // the connection ended before the body did
  kCodingIncomplete,  // the body is whole, but the coded content in it is cut off
  kDecodeError,       // its bytes are not what its coding says
};
// "complete", "size", "ratio", "time", "incomplete", "coding_incomplete", "decode_error"
std::string_view BodyEndName(BodyEnd end);

struct DecodeLimits {
  int64_t max_decoded_bytes = 10 << 20;
  // Decoded bytes per received byte. Text rarely passes 30, gzip itself cannot pass 1,032. Below the free bytes a
  // high ratio does no harm and is common (runs of blanks).
  int64_t max_ratio = 200;
  int64_t ratio_free_bytes = 1 << 20;
};

// The codings of a Content-Encoding value, in the order in which they were applied (RFC 9110 8.4).
struct ContentCodings {
  enum class Coding : uint8_t { kGzip, kDeflate, kBrotli, kZstd };
  // The codings that are undone, the last applied first.
  std::vector<Coding> undone;
  // The codings that stay on the body because the first of them, seen from outside, is unknown: "utf-8", "gzip,
  // compress".
  std::string kept;
  // More than three codings to undo: nothing is decoded.
  bool too_many = false;
};
ContentCodings ParseContentEncoding(std::string_view value);

class BodyDecoder {
 public:
  // Receives decoded bytes as they come; the view is valid only during the call.
  using Sink = std::function<void(std::string_view)>;

  BodyDecoder(std::string_view content_encoding, const DecodeLimits& limits);
  ~BodyDecoder();
  BodyDecoder(BodyDecoder&&) noexcept;
  BodyDecoder& operator=(BodyDecoder&&) noexcept;

  // Takes the next bytes of the message body. Returns false when nothing that follows can change the outcome: stop
  // receiving.
  bool Write(std::string_view wire, const Sink& sink);

  // Call it when the message body is over; `whole` says whether the protocol confirmed that. Returns how the body
  // ended, which detail() explains.
  BodyEnd Finish(bool whole);
  // Ends the body where it stands, for a reason that the decoder cannot see.
  void Cut(BodyEnd end, std::string detail);

  // Codings that stay on the body, usually "".
  const std::string& kept_codings() const { return kept_codings_; }
  // Whether any coding is undone.
  bool decodes() const { return !stages_.empty(); }
  int64_t wire_bytes() const { return wire_bytes_; }
  int64_t decoded_bytes() const { return decoded_bytes_; }
  const std::string& detail() const { return detail_; }

 private:
  struct Stage {
    std::unique_ptr<DecodeLayer> layer;
    int64_t bytes_out = 0;
  };
  bool Feed(size_t stage, std::string_view bytes, const Sink& sink);
  bool Count(size_t stage, std::string_view bytes, const Sink& sink);
  bool Deliver(std::string_view bytes, const Sink& sink);

  DecodeLimits limits_;
  std::vector<Stage> stages_;
  std::string kept_codings_;
  std::string detail_;
  int64_t wire_bytes_ = 0;
  int64_t decoded_bytes_ = 0;
  bool ended_ = false;
  BodyEnd end_ = BodyEnd::kComplete;
};

}  // namespace trawl
