// Shows rows to people and programs: times as RFC 3339, states in words, keys as URLs.
#pragma once

#include <string>

#include "formats/documents/json.h"
#include "formats/rows/host_row.h"
#include "formats/rows/parse_row.h"
#include "formats/rows/url_row.h"

namespace trawl {

struct PageFactsRow;

// Every member is there, whatever the state; an unknown one is null.
Json UrlJson(const UrlRow& row);
// `pages_today` is that of the day of `now_ms`.
Json HostJson(const HostRow& row, TimeMs now_ms);
Json DomainJson(const std::string& name, const DomainRecord& record, TimeMs now_ms);

// The same for people: one line per member that is not empty, with the values from column `columns` on.
std::string MembersText(const Json& object, size_t columns);

// What a page says of text and data mining (TDM reservation): true, false, or null.
Json TdmJson(const ParseRow& row);
// The page in other languages: [{"language", "url"}].
Json AlternatesJson(const ParseRow& row);

// What follows from the page, without texts; every member is null where no facts are there.
Json FactsJson(const PageFactsRow* facts);

// Why the row is in its state: the outcome of its last request joined with its detail; empty before the first.
std::string ReasonOf(const UrlRow& row);

// Which page stands for it: "duplicate of URL; looked at again at twice its interval"; empty where it stands for itself.
std::string DuplicateText(const UrlRow& row);

// A time, or null where it is 0 or never.
Json TimeJson(int64_t time_ms);
Json TextOrNull(const std::string& text);
// The URL of a key; the key itself where it is damaged, so that it can still be seen.
Json UrlOrNull(const std::string& key);

}  // namespace trawl
