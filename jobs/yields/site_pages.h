// The pages of one host that the crawl has fetched, for what is said about the host as a whole: a bounded scan of urls. Any
// thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "arrow/result.h"
#include "formats/documents/manifest.h"
#include "formats/rows/url_row.h"
#include "runtime/process/stop.h"
#include "runtime/store/store.h"

namespace trawl {

// Of a larger host only the first are looked at, in the order of their keys: enough to see a rule, and a second of work.
inline constexpr int64_t kMostSitePages = 100'000;

// Calls `visit` for each row of kind page that is fetched, a duplicate or redirected, and `with_missing` for those that are
// missing (jobs/yields/bare_urls.h). Of a row only the columns are set that tell its content apart: key, state,
// content_digest, simhash, redirect_to, duplicate_of, near_duplicate_of, status. Returns whether the host has more than `most`.
arrow::Result<bool> ForEachSitePage(Store* store, const Manifest& snapshot, const std::string& host, int64_t most,
                                    const StopToken& stop, const std::function<void(const UrlRow&)>& visit,
                                    bool with_missing = false);

}  // namespace trawl
