// JSON that other programs wrote, for `trawl check`. Pure; any thread.
#pragma once

#include <string_view>

#include "arrow/result.h"
#include "formats/documents/json.h"

namespace trawl {

// ParseJson for text that may hold what no UTF-8 can: an escaped lone surrogate ("\ud800") is read as U+FFFD, which is
// what WHATWG's "UTF-8 encode" makes of it.
arrow::Result<Json> ParseForeignJson(std::string_view text);

}  // namespace trawl
