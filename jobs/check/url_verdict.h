// What becomes of a URL, for people and scripts: `trawl check url URL…` and `trawl check urlfilter`, with arguments.
#pragma once

#include "arrow/result.h"
#include "jobs/verb/verb.h"

namespace trawl {

struct CheckUrlOptions {
  std::string base;
};
const OptionGroup<CheckUrlOptions>& CheckUrlOptionGroup();

// Judges each URL by the scope of the options and, where --root has a crawl, by what that crawl knows. The arguments
// without the kind.
arrow::Result<int> RunUrlChecks(VerbContext& context, const std::vector<std::string>& urls);

// Judges each URL by the rules file that the first argument names, and by the other options of the scope.
arrow::Result<int> RunUrlFilter(VerbContext& context, const std::vector<std::string>& arguments);

}  // namespace trawl
