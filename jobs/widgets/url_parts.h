// Parts of pages that are about URLs and links. Pure.
#pragma once

#include <string>
#include <string_view>

#include "formats/documents/json.h"
#include "jobs/widgets/markup.h"

namespace trawl {

// Fetched is good; denied, gone, failing and the like are worth a look.
NoteKind KindOfState(const std::string& state);
// The id of the row's page in the API and here; empty where the row has no key.
std::string IdOfUrlRow(const Json& row);
bool HasStoredBody(const Json& row);
// A link out of these pages, named in our words; the name alone where the URL is not of the web.
Markup OutwardLinkNamed(std::string_view url, std::string_view name);
// {"links": [{"url", "how", "rel", "text", "nofollow", "enters"}…]}
Markup LinksTable(const Json& links, std::string_view id, std::string_view caption, std::string_view when_empty);

}  // namespace trawl
