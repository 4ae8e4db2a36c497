#include "runtime/decode/payload_decoder.h"

#include <limits>
#include <memory>

#include "runtime/decode/decode.h"

namespace trawl {

PayloadDecoder MakePayloadDecoder(std::string_view codings) {
  constexpr DecodeLimits kLimits = {.max_decoded_bytes = int64_t{1} << 30,
                                    .max_ratio = std::numeric_limits<int32_t>::max()};
  // A std::function is copied, a decoder is not.
  const auto decoder = std::make_shared<BodyDecoder>(codings, kLimits);
  return [decoder, is_over = false](std::string_view piece) mutable {
    const auto forget = [](std::string_view) {};
    if (is_over) return true;
    if (!piece.empty() && decoder->Write(piece, forget)) return true;
    is_over = true;
    const BodyEnd end = decoder->Finish(/*whole=*/true);
    return end == BodyEnd::kComplete || end == BodyEnd::kSize;
  };
}

WarcReading StrictWarcReading() { return {.strict = true, .make_decoder = MakePayloadDecoder}; }

}  // namespace trawl
