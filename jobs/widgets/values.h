// Reads the API's values for pages: what is missing, null or of another type is empty, 0 or false. Pure.
#pragma once

#include <cstdint>
#include <string>

#include "formats/documents/json.h"
#include "runtime/process/clock.h"

namespace trawl {

// A member, or null. The reference lives as long as `json`.
const Json& MemberAt(const Json& json, const char* name);
// The members of an array; an empty one for anything else.
const Json& ListAt(const Json& json, const char* name);
std::string TextAt(const Json& json, const char* name);
int64_t CountAt(const Json& json, const char* name);
double NumberAt(const Json& json, const char* name);
bool IsAt(const Json& json, const char* name);
// RFC 3339, or milliseconds; 0 where there is none.
TimeMs TimeAt(const Json& json, const char* name);
bool HasValue(const Json& json, const char* name);
// A value as a person reads it: texts as they are, lists with commas, everything else as JSON.
std::string Readable(const Json& value);

}  // namespace trawl
