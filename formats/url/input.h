// What becomes of a URL's text before it is parsed: bytes that are not UTF-8, and queries in a page's own encoding.
// Used by formats/url/url.cc alone.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "formats/charset/legacy_encoder.h"

namespace trawl {

// `input` itself where it is UTF-8, else `*repaired`: the same with each byte that is not percent-encoded.
std::string_view AsUtf8(std::string_view input, std::string* repaired);

// Converting a host that is not plain ASCII takes time with the square of its length. DNS has 253 bytes.
inline constexpr size_t kMaxHostTextBytes = 1024;

// Whether the text between the slashes of an authority and its end is longer than that and not plain ASCII.
bool HasOverlongHost(std::string_view input);

// Writes queries in a legacy encoding, as https://url.spec.whatwg.org/#query-state asks. For one thread at a time.
class QueryEncoder {
 public:
  // By any label of the encoding. Null where queries are sent as UTF-8: for UTF-8 itself, UTF-16,
  // the replacement encoding and names that are not known.
  static std::unique_ptr<QueryEncoder> For(std::string_view encoding);

  // REQUIRES: `input` is UTF-8 and refers to a special URL. False where its query needs nothing; else `*out` is the
  // input with the query percent-encoded in the encoding, a character that it lacks as the escaped "&#N;".
  bool EncodeQueryOf(std::string_view input, std::string* out);

 private:
  explicit QueryEncoder(std::unique_ptr<LegacyEncoder> encoder) : encoder_(std::move(encoder)) {}
  void AppendQuery(std::string_view query, std::string* out);

  std::unique_ptr<LegacyEncoder> encoder_;
  std::string bytes_;
};

}  // namespace trawl
