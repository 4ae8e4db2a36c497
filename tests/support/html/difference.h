// Compares a scanned page with the same page read from its tree: field by field, in order, cuts included.
#pragma once

#include <string>
#include <string_view>

#include "formats/html/html.h"

namespace trawl {

// Names the first field that differs, with both its values; empty if no field differs. The fields that tell how a page
// was read do not count.
std::string DifferenceOf(const HtmlPage& scanned, const HtmlPage& tree);

// Reads `utf8` both ways. If the scan finds the page wild, *wild says why and nothing is compared.
std::string DifferenceBetweenReaders(std::string_view utf8, const HtmlOptions& options, HtmlWild* wild);

}  // namespace trawl
