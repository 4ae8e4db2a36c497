// Input: fields as "name: value" lines. Every reader of fields gets all of them.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "formats/http/date.h"
#include "formats/http/fields.h"
#include "formats/http/link_header.h"
#include "formats/http/media_type.h"
#include "formats/robots/content_signal.h"
#include "formats/robots/directives.h"

namespace {

constexpr int64_t kNow = 1'790'000'000'000;

trawl::HeaderList ReadLines(std::string_view text) {
  trawl::HeaderList headers;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const size_t colon = line.find(':');
    if (colon != std::string_view::npos) headers.Add(line.substr(0, colon), line.substr(colon + 1));
  }
  return headers;
}

void Require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const trawl::HeaderList headers = ReadLines(text);
  const trawl::ContentSignal signal = trawl::ParseContentSignal(text);
  Require(trawl::ParseContentSignal(trawl::TextOf(signal)) == signal);
  if (const auto type = trawl::ContentTypeOf(headers)) {
    // Reading an essence again gives the same essence.
    const auto again = trawl::ParseMediaType(type->essence);
    Require(again && again->essence == type->essence);
    type->Encoding();
  }
  if (const auto refresh = trawl::RefreshOf(headers)) Require(refresh->delay_s >= 0);
  if (const auto wait_ms = trawl::RetryAfterMsOf(headers, kNow)) Require(*wait_ms >= 0);
  if (const auto length = trawl::ContentLengthOf(headers); length.ok() && *length) Require(**length >= 0);
  trawl::LastModifiedMsOf(headers, kNow);
  trawl::ContentEncodingsOf(headers);
  trawl::CanonicalLinkOf(headers);
  trawl::XRobotsTagOf(headers, "foobot", kNow);
  trawl::ParseAnyDateMs(text, kNow);
  return 0;
}
