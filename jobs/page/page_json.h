// Shows a page to people and programs. Pure; any thread.
#pragma once

#include <string>

#include "arrow/result.h"
#include "formats/documents/json.h"
#include "jobs/list/listing.h"
#include "jobs/page/page.h"

namespace trawl {

// Everything that was read, but the bytes of the body. `reason` says why there is no text.
Json ToJson(const Page& page);
// [[name, value]…], in the order in which they came.
Json HeadersJson(const std::string& raw);
Json ToJson(const PageLink& link);
Json ToJson(const ItemRow& row);
Json ToJson(const PastFetch& fetch);

// {"url", "inlinks": [{"url", "text", "how", "nofollow"}…], "count", …}: a list has an end, the count has none.
arrow::Result<Json> InlinksJson(const Page& page);

ListShape LinksShape();
ListShape InlinksShape();
ListShape ItemsShape();
ListShape HistoryShape();

// The page's facts, a line each; then its text.
std::string SummaryText(const Page& page);
// The headers of the last answer, and of the one that brought the body where that is another.
std::string HeadersText(const Page& page);

}  // namespace trawl
