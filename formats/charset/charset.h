// The door of formats/charset: which encoding a body is in. Start with SniffCharset, then DecodeToUtf8 (decode.h).
//
// The order is the HTML Standard's (13.2.3.2): byte order mark, Content-Type, the page's own meta elements, its XML
// declaration; where nothing is declared, detection; finally windows-1252. Departures: the standard leaves detection
// open. Here valid UTF-8 is UTF-8, and so is almost valid UTF-8; uchardet guesses the rest. A body that is all ASCII is
// "default" without any guess. Pure; any thread.
#pragma once

#include <cstddef>
#include <string_view>

namespace trawl {

enum class CharsetSource { kBom, kHttp, kMeta, kXml, kDetected, kDefault };

// "bom", "http", "meta", "xml", "detected", "default".
std::string_view CharsetSourceName(CharsetSource source);

struct Charset {
  // The name as the WHATWG Encoding Standard spells it; lives for ever.
  std::string_view encoding;
  CharsetSource source = CharsetSource::kDefault;
};

// `http_label` is the charset parameter of the Content-Type, or empty where it has no charset. A label that names no
// encoding counts as empty.
Charset SniffCharset(std::string_view body, std::string_view http_label);

// The encoding that the bytes look like, whatever they declare: its name, or empty where nothing hints at one. Looks at
// the first 16 KiB, counted from the first byte that is not ASCII.
std::string_view DetectCharset(std::string_view body);

}  // namespace trawl
