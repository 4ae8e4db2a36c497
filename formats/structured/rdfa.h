// The items of RDFa Lite on a page (https://www.w3.org/TR/rdfa-lite/), in the form that JSON-LD has. For the sources of
// formats/structured. Pure; any thread.
//
// Only vocab, typeof, property, resource (or about) and prefix count. An element with typeof or resource begins an item;
// with a property, too, it is a value of the item around it. Otherwise it is a top item. Names of schema.org are cut, whatever
// prefix stands for it. A type of another vocabulary is a full IRI; a name with another prefix stays as written.
#pragma once

#include <vector>

#include "formats/structured/budget.h"
#include "formats/structured/parts.h"
#include "formats/structured/value.h"
#include "formats/url/url.h"

namespace trawl {

// As ItemsOfMicrodata.
std::vector<ItemValue> ItemsOfRdfa(const StructuredParts& parts, const BaseUrl* base, ItemBudget* budget);

}  // namespace trawl
