// The door of formats/documents: JSON, which manifests, plans, reports and the `check` verb use. This is the only door
// to nlohmann-json.
//
// Nothing here throws. Read members with the Get… functions, which say what was wrong and where. The library's own
// operators throw on a value of another type. Pure; any thread.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "arrow/result.h"
#include "arrow/status.h"

namespace trawl {

// Members keep the order in which they were added, so that people read them in the intended order.
using Json = nlohmann::ordered_json;

// Exactly one JSON value. Nesting deeper than 64 is refused.
arrow::Result<Json> ParseJson(std::string_view text);

// On one line. Bytes that are not UTF-8 become U+FFFD.
std::string DumpJson(const Json& value);
// Over several lines, indented by two spaces.
std::string DumpJsonPretty(const Json& value);

bool HasMember(const Json& object, const char* name);
arrow::Result<std::string> GetString(const Json& object, const char* name);
arrow::Result<int64_t> GetInt(const Json& object, const char* name);
arrow::Result<bool> GetBool(const Json& object, const char* name);
// The member itself, which must be an array or an object. The pointer lives as long as `object`.
arrow::Result<const Json*> GetArray(const Json& object, const char* name);
arrow::Result<const Json*> GetObject(const Json& object, const char* name);
arrow::Result<std::vector<std::string>> GetStrings(const Json& object, const char* name);

// Base64 with padding (RFC 4648 section 4).
arrow::Result<std::string> Base64Decode(std::string_view text);

}  // namespace trawl
