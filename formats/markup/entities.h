// Character references, for readers of bytes: the flat scan of a page whose tree was refused, and formats/scan. The
// tree has gumbo's own. Pure; any thread.
//
// Departure from the HTML Standard (13.5): of its 2,231 names we know the 252 of HTML 4 and those that need no
// semicolon. The other names are rare on any page and stay as written.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trawl {

// Appends `text` with its references replaced. In an attribute, a reference without a semicolon stays as it is if a
// word character or '=' follows it ("?a=1&copy=2").
void AppendUnescaped(std::string_view text, bool in_attribute, std::string* out);

// The same, for a reader that must do as gumbo does. Returns false if `text` has a reference that might be one of the
// names not known here, or a number so large that gumbo's overflows. The appended text must then not be used.
bool AppendSurelyUnescaped(std::string_view text, bool in_attribute, std::string* out);

// All known names, for tests.
std::vector<std::string_view> KnownReferences();

}  // namespace trawl
