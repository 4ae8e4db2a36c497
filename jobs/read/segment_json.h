// Rows of a segment as people and programs are shown them.
#pragma once

#include "formats/documents/json.h"
#include "formats/rows/fetch_row.h"
#include "formats/rows/parse_row.h"

namespace trawl {

// What became of a URL, and what it took.
Json FetchJson(const FetchRow& row);
// The same with raw headers, times and where the body lies.
Json WholeFetchJson(const FetchRow& row);
// What a body says, without its text.
Json ParseJson(const ParseRow& row);

}  // namespace trawl
