// Shows the rows of a segment to people and programs.
#pragma once

#include "formats/documents/json.h"
#include "formats/rows/fetch_row.h"
#include "formats/rows/parse_row.h"

namespace trawl {

// The outcome of a URL, and its cost.
Json FetchJson(const FetchRow& row);
// The same with raw headers, times and the place of the body.
Json WholeFetchJson(const FetchRow& row);
// The content of a body, without its text.
Json ParseJson(const ParseRow& row);
// A page of a segment that read stored bodies again.
Json ReadAgainJson(const ParseRow& row);

}  // namespace trawl
