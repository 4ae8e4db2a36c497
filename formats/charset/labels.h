// Labels of encodings, as they stand in a Content-Type, a meta element or an XML declaration: the table of the WHATWG
// Encoding Standard, section 4.2 "Names and labels". Pure; any thread.
#pragma once

#include <string_view>

namespace trawl {

// The encoding's name as the standard spells it ("UTF-8", "windows-1252", "Shift_JIS"); empty where no encoding has
// that label. White space around the label and letter case do not matter. The result lives for ever.
std::string_view EncodingForLabel(std::string_view label);

}  // namespace trawl
