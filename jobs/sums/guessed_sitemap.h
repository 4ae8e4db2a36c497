// A sitemap that nobody named: /sitemap.xml of a host, asked for on the chance that there is one. Pure; any thread.
//
// Where none is there, that is no fault of the host: the fetch row says so in its reason, reports leave it out, and the
// urls row goes.
#pragma once

#include <string_view>

#include "formats/rows/fetch_row.h"
#include "formats/rows/url_row.h"
#include "formats/url/key.h"

namespace trawl {

inline constexpr std::string_view kGuessedSitemapPath = "/sitemap.xml";

// A sitemap that robots.txt, an index or a page names has a `via`.
inline bool IsGuessedSitemap(const UrlRow& row) {
  const std::string_view key = row.key;
  return row.kind == UrlKind::kSitemap && row.via.empty() && !row.is_seed &&
         key.substr(OriginPartOfKey(key).size()) == kGuessedSitemapPath;
}

// The reason of a fetch row, and its word in the outcomes of reports.
inline constexpr std::string_view kNoSitemap = "no sitemap, and none is named";
inline constexpr std::string_view kNoSitemapOutcome = "no_sitemap";

inline bool IsNoSitemap(const FetchRow& row) { return row.reason == kNoSitemap; }

}  // namespace trawl
