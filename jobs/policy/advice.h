// What to type where a URL was refused or failed, and the operator wants it after all. Pure; any thread.
#pragma once

#include <string>

#include "formats/rows/url_row.h"

namespace trawl {

// For a refusal that an option lifts: that option, and the command that brings back what was refused before. For another
// URL that is refused, denied, gone, failing or held up: the command alone. Empty where the last answer was what the
// crawl wanted, or there was none.
//
//   "--fetch.allow_private lifts this (trawl config set fetch.allow_private=true for good); then trawl urls set
//   --outcome address_refused --retry asks for all of them now"
std::string AdviceFor(const UrlRow& row);

}  // namespace trawl
