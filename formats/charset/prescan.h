// The encoding that a page declares in its first bytes: the "prescan a byte stream to determine its encoding" algorithm
// of the HTML Standard (13.2.3.2), and its last step, the XML declaration ("get an XML encoding"). Pure; any thread.
#pragma once

#include <cstddef>
#include <string_view>

namespace trawl {

// The prescan reads the first 1,024 bytes, as the standard asks.
constexpr size_t kPrescanBytes = 1024;

// A meta element after the first kPrescanBytes makes a browser start over ("changing the encoding while parsing",
// 13.2.3.4). Here it is looked for up to this many bytes, outside of scripts and other text.
constexpr size_t kLateMetaBytes = 64 << 10;

// The encoding that a meta element names, as the standard spells it; empty where no meta element names one. UTF-16
// becomes UTF-8 and x-user-defined becomes windows-1252, as the standard wants.
std::string_view EncodingFromMeta(std::string_view body);

// The encoding of the XML declaration at the very front, which may be in UTF-16 without a byte order mark.
std::string_view EncodingFromXmlDeclaration(std::string_view body);

// The encoding that the value of a meta element's content attribute names ("text/html; charset=x"); else empty.
std::string_view EncodingFromMetaContent(std::string_view content);

}  // namespace trawl
