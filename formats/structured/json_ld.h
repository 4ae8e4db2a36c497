// The items of a block of JSON-LD (https://www.w3.org/TR/json-ld11/). For the sources of formats/structured. Pure; any
// thread.
//
// A block is not expanded, and no context is ever asked for: a page could name any URL there. Instead:
//  - Every element of a list at the top, and every node of an @graph, is an item of its own. An item stays with the
//    items inside it; references by @id stay references.
//  - Names and types lose the prefix of schema.org, and so do values that are one name of it (InStock). The values of
//    @id, url and sameAs stay as they are.
//  - A context that is schema.org alone is left out. Any other stays with its item, up to 4 KiB.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "formats/structured/value.h"

namespace trawl {

// At most one item more than `most_items`. REQUIRES: `block` is in normal order; so are the items.
std::vector<ItemValue> ItemsOfJsonLd(ItemValue block, size_t most_items);

// The types of an item in normal form, each once, sorted, one space apart.
std::string TypesOf(const ItemValue& item);

}  // namespace trawl
