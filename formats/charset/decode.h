// Turns bodies into UTF-8, as the decoders of the WHATWG Encoding Standard do. The characters come from ICU's
// converters (icu.h).
//
// Invalid bytes become U+FFFD; nothing fails. Checked against an implementation of the standard over all sequences of
// one to three bytes and samples of four. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace trawl {

// `body` in UTF-8 without its byte order mark. The result views `body` itself where that already is UTF-8 (or ASCII, in
// an encoding that contains ASCII), else `*storage`; it is valid while both live. `encoding` is a WHATWG name; an
// unknown one is read as UTF-8.
std::string_view DecodeToUtf8(std::string_view body, std::string_view encoding, std::string* storage);

}  // namespace trawl
