// EUC-JP and ISO-2022-JP, as the decoders of the WHATWG Encoding Standard have them (12.1 and 12.2). Pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace trawl {

// Append `bytes` as UTF-8, with U+FFFD for invalid bytes.
void DecodeEucJp(std::string_view bytes, std::string* out);
void DecodeIso2022Jp(std::string_view bytes, std::string* out);

}  // namespace trawl
