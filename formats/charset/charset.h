// Which encoding a body is in. Start with SniffCharset, then DecodeToUtf8 (charset_decode.h).
//
// The order is the HTML Standard's (13.2.3.2): byte order mark, Content-Type, the page's own meta elements, its XML
// declaration; where nothing is declared, detection, and windows-1252 at last. Departures: the standard leaves
// detection open. Here valid UTF-8 is UTF-8, almost valid UTF-8 too, and uchardet is asked of the rest. A body that is
// all ASCII is "default" without any guess. Pure; any thread.
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

// `http_label` is the charset parameter of the Content-Type, empty where it has none; a label that no encoding has
// counts as none.
Charset SniffCharset(std::string_view body, std::string_view http_label);

// What the bytes look like, whatever they declare: the encoding's name, or empty where there is nothing to go by. Looks
// at the first 16 KiB from the first byte that is not ASCII on.
std::string_view DetectCharset(std::string_view body);

}  // namespace trawl
