// Comma-separated values (RFC 4180) of flat JSON objects.
#pragma once

#include <string>

#include "formats/documents/json.h"

namespace trawl {

// A line of the members' names, and a line of their values: null is empty, objects and arrays are JSON text. Lines end
// in CR LF.
std::string CsvHead(const Json& object);
std::string CsvLine(const Json& object);

}  // namespace trawl
