// Prepares a URL's text for the parser: bytes that are not UTF-8, and queries in a page's own encoding. Only
// formats/url/url.cc uses it.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "formats/charset/legacy_encoder.h"

namespace trawl {

// `input` itself where it is UTF-8, else `*repaired`: `input` with each byte that is not UTF-8 percent-encoded.
std::string_view AsUtf8(std::string_view input, std::string* repaired);

// The time to convert a host that is not plain ASCII grows with the square of its length. DNS has 253 bytes.
inline constexpr size_t kMaxHostTextBytes = 1024;

// Whether the text between the slashes of an authority and its end is longer than kMaxHostTextBytes and not plain
// ASCII.
bool HasOverlongHost(std::string_view input);

// Writes queries in a legacy encoding, as https://url.spec.whatwg.org/#query-state asks. For one thread at a time.
class QueryEncoder {
 public:
  // `encoding` is any label of the encoding. Null where queries are sent as UTF-8: for UTF-8 itself, UTF-16, the
  // replacement encoding and unknown names.
  static std::unique_ptr<QueryEncoder> For(std::string_view encoding);

  // False where the query of `input` needs no change; else `*out` is the input with the query percent-encoded in the
  // encoding. A character that the encoding lacks becomes the escaped "&#N;". REQUIRES: `input` is UTF-8 and refers to
  // a special URL.
  bool EncodeQueryOf(std::string_view input, std::string* out);

 private:
  explicit QueryEncoder(std::unique_ptr<LegacyEncoder> encoder) : encoder_(std::move(encoder)) {}
  void AppendQuery(std::string_view query, std::string* out);

  std::unique_ptr<LegacyEncoder> encoder_;
  std::string bytes_;
};

}  // namespace trawl
