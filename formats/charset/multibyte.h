// The decoders of the WHATWG Encoding Standard for encodings of more than one byte per character, except the two
// Japanese ones in japanese.h. An ASCII byte that ends a broken sequence stands for itself, as the standard wants:
// otherwise a cut character could swallow the '<' or '"' after it. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace trawl {

// Append `bytes` as UTF-8, with U+FFFD for invalid bytes (sections 10.2, 11.1, 12.3 and 13.1).
void DecodeGb18030(std::string_view bytes, std::string* out);  // GBK as well: they decode alike
void DecodeBig5(std::string_view bytes, std::string* out);
void DecodeShiftJis(std::string_view bytes, std::string* out);
void DecodeEucKr(std::string_view bytes, std::string* out);

}  // namespace trawl
