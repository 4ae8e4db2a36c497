// JSON that other programs wrote, for `trawl check`. Pure; any thread.
#pragma once

#include <string_view>

#include "arrow/result.h"
#include "formats/documents/json.h"

namespace trawl {

// ParseJson for text with escapes that UTF-8 cannot hold: a lone surrogate ("\ud800") is read as U+FFFD, as in WHATWG's
// "UTF-8 encode".
arrow::Result<Json> ParseForeignJson(std::string_view text);

}  // namespace trawl
