// What trawl host prints of hosts and domains without changing them.
#pragma once

#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/json.h"
#include "jobs/operate/host_change.h"
#include "jobs/verb/crawl.h"
#include "jobs/verb/verb.h"

namespace trawl {

// What an option shows of one host, in both forms.
struct HostView {
  const char* option;
  arrow::Result<Json> (*json)(VerbContext& context, const Crawl& crawl, const std::string& host_key);
  std::string (*text)(const Json& json);
};
extern const HostView kRobotsView, kPatternsView, kSuggestView;

// What is known and decided of the target; `known` says whether the crawl knows it.
arrow::Result<Json> HostTargetJson(Store* store, const Manifest& snapshot, const HostTarget& target, TimeMs now_ms);

// Both return an exit code: kExitNothingDue where the crawl does not know one of them.
arrow::Result<int> ShowView(VerbContext& context, const Crawl& crawl, const HostView& view,
                            const std::vector<HostTarget>& targets);
arrow::Result<int> ShowTargets(VerbContext& context, const Crawl& crawl, const std::vector<HostTarget>& targets);

}  // namespace trawl
