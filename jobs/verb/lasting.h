// Options that last: what is said once on a command line becomes a setting of the crawl, so that every later verb and round
// keeps to it.
#pragma once

#include <string>

#include "arrow/result.h"
#include "arrow/status.h"
#include "jobs/verb/crawl.h"
#include "jobs/verb/verb.h"

namespace trawl {

// For a crawl that was just made: stores every given option of the groups urls, fetch, robots, refresh, sitemaps,
// signals and settle, and the quotas. Says on standard error which quotas.
arrow::Status KeepFirstSettings(VerbContext& context, Crawl& crawl);

// Stores the quotas (QuotaOptionNames) that were given, also by the environment or a file of options, and differ from the
// crawl's, and says so on standard error. One snapshot, or none. Call it once the crawl is open, in every verb that begins rounds.
arrow::Status KeepQuotas(VerbContext& context, Crawl& crawl);

// The option's text, with absolute paths of files: later verbs may run in another folder.
arrow::Result<std::string> WithWholePaths(const OptionSpec& option, const std::string& text);

}  // namespace trawl
