// What a page states of itself: when it came out, who wrote it, what it shows. For the sources of formats/structured. Pure;
// any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "formats/structured/parts.h"
#include "formats/structured/structured.h"
#include "formats/structured/value.h"

namespace trawl {

// An item of the page with its value, from which statements are taken.
struct StatedItem {
  ItemSyntax syntax;
  ItemValue value;
};

// `items` are top items in the order in which their syntaxes count: JSON-LD, microdata, RDFa.
PageStatements StatementsOf(const StructuredParts& parts, const std::vector<StatedItem>& items,
                            const StructuredContext& context);

}  // namespace trawl
