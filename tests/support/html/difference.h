// Compares a page that was scanned with the same page read from its tree: field by field, in order, cuts included.
#pragma once

#include <string>
#include <string_view>

#include "formats/html/html.h"

namespace trawl {

// The first field that differs and both its values; empty where none does. How a page was read is no such field.
std::string DifferenceOf(const HtmlPage& scanned, const HtmlPage& tree);

// Reads `utf8` both ways. Where the scan finds it wild, *wild says why and nothing is compared.
std::string DifferenceBetweenReaders(std::string_view utf8, const HtmlOptions& options, HtmlWild* wild);

}  // namespace trawl
