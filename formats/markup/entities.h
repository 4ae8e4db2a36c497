// Character references, for the flat scan of a page whose tree was refused (the tree has gumbo's own). Pure; any
// thread.
//
// Departure from the HTML Standard (13.5): of its 2,231 names the 252 of HTML 4 and those that need no semicolon are
// known; the rest, rare on any page, stay as written.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trawl {

// Appends `text` with its references replaced. In an attribute a reference without semicolon that goes on as a word or
// with '=' is none ("?a=1&copy=2").
void AppendUnescaped(std::string_view text, bool in_attribute, std::string* out);

// The same, for a reader that must do as gumbo does: false where `text` has a reference that might be one of the names
// that are not known here, or a number so large that gumbo's overflows. What is appended then is not to be used.
bool AppendSurelyUnescaped(std::string_view text, bool in_attribute, std::string* out);

// Every known name, for tests.
std::vector<std::string_view> KnownReferences();

}  // namespace trawl
