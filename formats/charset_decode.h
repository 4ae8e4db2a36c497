// Bodies to UTF-8, as the decoders of the WHATWG Encoding Standard make them. The one door to ICU's converters.
//
// Bytes that mean nothing become U+FFFD; nothing fails. Known departures from the standard's indexes, all in rare
// characters: Big5 is ICU's Big5-HKSCS (ibm-1375), EUC-KR its windows-949, gb18030 its table of 2005 with the
// standard's 0x80 as the euro sign; the third plane of EUC-JP is ICU's. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace trawl {

// `body` in UTF-8 without its byte order mark. The result views `body` itself where that already is UTF-8 (or ASCII, in
// an encoding that contains ASCII), else `*storage`; it lives as long as both. `encoding` is a WHATWG name; one that is
// not known is read as UTF-8.
std::string_view DecodeToUtf8(std::string_view body, std::string_view encoding, std::string* storage);

}  // namespace trawl
