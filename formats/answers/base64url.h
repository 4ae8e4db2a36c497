// Base64 with the alphabet for URLs and without padding (RFC 4648 section 5): how keys stand in paths. Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace trawl {

std::string Base64UrlOf(std::string_view bytes);

// Nothing where `text` is not what Base64UrlOf writes: padding, other characters, a length that cannot be, or bits that
// stand for no byte. So each text is the name of at most one value.
std::optional<std::string> BytesOfBase64Url(std::string_view text);

}  // namespace trawl
