// The items of microdata on a page (HTML Standard 5.2), in the form that JSON-LD has. For the sources of
// formats/structured. Pure; any thread.
//
// Departures from the standard:
//  - `content` counts as the value of any element without a value of its own, as the examples of schema.org have it.
//  - The text of an element is collapsed as a page's text is: blocks are a space apart.
//  - Where an item would hold itself, or stand deeper than kMostItemDepth, its @id takes its place.
#pragma once

#include <string>
#include <vector>

#include "formats/structured/budget.h"
#include "formats/structured/parts.h"
#include "formats/structured/value.h"
#include "formats/url/url.h"

namespace trawl {

// The top items in the order of the page, each {"@type": …, "@id": …, property: value}. `base` may be null: URLs then stay as
// written.
std::vector<ItemValue> ItemsOfMicrodata(const StructuredParts& parts, const BaseUrl* base, ItemBudget* budget);

// The value of a property of `element` that is no item. `base` as above.
ItemValue ValueOfMicrodata(const StructuredParts& parts, const MarkedElement& element, const BaseUrl* base);

// `written` against `base`, or as it is where that gives no URL.
std::string ResolvedUrl(const std::string& written, const BaseUrl* base);

}  // namespace trawl
