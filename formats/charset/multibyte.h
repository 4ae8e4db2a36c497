// The decoders of the WHATWG Encoding Standard for encodings of more than one byte a character, but for the two of
// Japan that charset_japanese.h has. A byte that ends a broken sequence and is ASCII stands for itself, as the standard
// wants: otherwise a cut character could swallow the '<' or '"' behind it. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace trawl {

// Append `bytes` as UTF-8, U+FFFD for what means nothing (sections 10.2, 11.1, 12.3 and 13.1).
void DecodeGb18030(std::string_view bytes, std::string* out);  // GBK as well: they decode alike
void DecodeBig5(std::string_view bytes, std::string* out);
void DecodeShiftJis(std::string_view bytes, std::string* out);
void DecodeEucKr(std::string_view bytes, std::string* out);

}  // namespace trawl
