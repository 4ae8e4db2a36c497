// Shows the rows of a segment to people and programs.
#pragma once

#include "formats/documents/json.h"
#include "formats/rows/fetch_row.h"
#include "formats/rows/page_facts_row.h"
#include "formats/rows/parse_row.h"

namespace trawl {

// The outcome of a URL, and its cost.
Json FetchJson(const FetchRow& row);
// The same with raw headers, times and the place of the body.
Json WholeFetchJson(const FetchRow& row);
// The content of a body, without its text. `facts` may be null.
Json ParseJson(const ParseRow& row, const PageFactsRow* facts);
// A page of a segment that read stored bodies again. `facts` may be null.
Json ReadAgainJson(const ParseRow& row, const PageFactsRow* facts);

// The members that --text adds: title, texts and where the main one came from. Both may be null.
Json TextsJson(const ParseRow* row, const PageFactsRow* facts);

}  // namespace trawl
