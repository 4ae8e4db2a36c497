// What the kinds that look at a page share: its bytes, and the encoding they are in.
#pragma once

#include <string>
#include <string_view>

#include "arrow/result.h"
#include "formats/charset.h"
#include "formats/json.h"

namespace trawl {

// The encoding of `body` under the input's optional "content_type".
arrow::Result<Charset> CharsetOfInput(const Json& input, std::string_view body);

// The whole file.
arrow::Result<std::string> ReadPageFile(const std::string& path);

}  // namespace trawl
