// A door of jobs/sites: parameters that change nothing (jobs/yields/idle_parameters.h), what trawl host --suggest prints. One
// thread.
#pragma once

#include <string>

#include "arrow/result.h"
#include "formats/documents/json.h"
#include "formats/documents/manifest.h"
#include "runtime/process/stop.h"
#include "runtime/store/store.h"

namespace trawl {

// {"host", "suggestions": [{"pattern", "parameter", "pairs", "rule"}], "is_cut"}. The rule is a line for
// --urls.ignored_parameters; null where pages of another pattern depend on the parameter.
arrow::Result<Json> SuggestionsJson(Store* store, const Manifest& snapshot, const std::string& host,
                                    const StopToken& stop);
std::string SuggestionsText(const Json& json);

}  // namespace trawl
