// EUC-JP and ISO-2022-JP. The standard's index of JIS X 0208 is Microsoft's, which ICU has for Shift_JIS alone: so the
// rows and cells are written as Shift_JIS and decoded as that. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace trawl {

// Append `bytes` as UTF-8 (WHATWG Encoding Standard, 12.1 and 12.2), U+FFFD for what means nothing.
void DecodeEucJp(std::string_view bytes, std::string* out);
void DecodeIso2022Jp(std::string_view bytes, std::string* out);

}  // namespace trawl
