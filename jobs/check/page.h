// Functions shared by the kinds that look at a page.
#pragma once

#include <string>
#include <string_view>

#include "arrow/result.h"
#include "formats/charset/charset.h"
#include "formats/documents/json.h"

namespace trawl {

// The encoding of `body` under the input's optional "content_type".
arrow::Result<Charset> CharsetOfInput(const Json& input, std::string_view body);

// The target of a refresh to `url`: `url` itself, or null where the standard has no refresh (HTML Standard, "shared
// declarative refresh steps": to a script).
Json RefreshTarget(Json url);

}  // namespace trawl
