// JSON documents in which damage is noticed: manifests, plans, run and dataset records.
//
// The first member, "seal", holds 16 hexadecimal digits: Hash64 of the document's whole text with zeros in their place.
// So any flipped, lost or added byte is an error, but the text is still plain JSON for every reader. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

#include "arrow/result.h"
#include "formats/documents/json.h"

namespace trawl {

// The text to store: `object` with its seal as the first member, indented, ending in a line feed.
std::string SealJson(const Json& object);

// The object of a stored text, with the seal checked and removed. Errors begin with `name`.
arrow::Result<Json> OpenSealedJson(std::string_view text, const std::string& name);

// The seal of a stored text, by which another document can name it; empty where the text has no seal.
std::string SealOfText(std::string_view text);

}  // namespace trawl
