// The lists of trawl graph: links that lead nowhere, and pages to which nothing leads.
#pragma once

#include <string>

#include "arrow/result.h"
#include "jobs/list/listing.h"
#include "jobs/verb/verb.h"
#include "runtime/options/options.h"

namespace trawl {

struct GraphListOptions {
  bool dead_links = false;
  bool orphans = false;
  std::string host;
};
const OptionGroup<GraphListOptions>& GraphListOptionGroup();

// REQUIRES: one of the lists is asked for, and FormatOptionGroup is among the verb's groups.
arrow::Result<int> ListOfGraph(VerbContext& context, const GraphListOptions& options);

}  // namespace trawl
