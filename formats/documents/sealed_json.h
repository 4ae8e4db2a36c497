// JSON documents that notice damage: manifests, plans, run and dataset records.
//
// The first member, "seal", holds 16 hexadecimal digits: Hash64 of the document's whole text with zeros in their place.
// Any flipped, lost or added byte is then an error, and the text is still plain JSON for every reader. Pure; any
// thread.
#pragma once

#include <string>
#include <string_view>

#include "arrow/result.h"
#include "formats/documents/json.h"

namespace trawl {

// The text to store: `object` with its seal in front, indented, ending in a line feed.
std::string SealJson(const Json& object);

// The object of a stored text, its seal verified and taken out. Errors begin with `name`.
arrow::Result<Json> OpenSealedJson(std::string_view text, const std::string& name);

// The seal of a stored text, by which another document can name it; empty where it has none.
std::string SealOfText(std::string_view text);

}  // namespace trawl
