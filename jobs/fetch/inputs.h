// The inputs of a fetch task: its list, the answers of the attempts before it, and the crawl's tables. A plain value,
// from which FetchState (jobs/fetch/state.h) is made.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "arrow/status.h"
#include "formats/documents/attempt_entry.h"
#include "formats/documents/step_record.h"
#include "formats/rows/host_row.h"
#include "formats/rows/outcome.h"
#include "jobs/fetch/shared_bodies.h"
#include "jobs/fetch/url_list.h"
#include "jobs/policy/fetch_options.h"
#include "jobs/policy/robots_options.h"
#include "jobs/politeness/quota.h"
#include "jobs/politeness/robots_gate.h"
#include "runtime/store/store.h"
#include "runtime/tables/table.h"

namespace trawl {

// A host of the list: its URLs are those from `first` to the next host's first.
struct ListedHost {
  std::string key;  // the key of its first URL
  UrlNumber first = 0;
};

// The part of a fetch row that a later attempt goes by.
struct EarlierFetch {
  UrlNumber url = 0;
  Outcome outcome = Outcome::kNone;
  bool blameless = false;
  int32_t requests = 0;
  int64_t fetched_ms = 0;
};

struct FetchInputs {
  FetchInputs(const FetchOptions& fetch, const RobotsOptions& robots, int64_t now_ms)
      : options(fetch), start_ms(now_ms), gate(fetch.agent, robots) {}

  FetchOptions options;
  int64_t start_ms = 0;  // by the crawl's time
  // Whether another attempt has worked on the list before.
  bool continues = false;
  PageLimits host_limits;  // of each host; those of domains come with the hosts' rows
  // Tables of the crawl. A redirect may lead to hosts that the list does not have. A table that is null knows no host.
  std::shared_ptr<const Table> url_table, host_table, robots_table;
  // Told of the bodies that attempts before have stored; null: nobody asks.
  SharedBodies* bodies = nullptr;

  // LoadFetchInputs fills in the rest. The gate takes robots.txt files one by one, because it bounds their memory.
  RobotsGate gate;
  std::unordered_map<std::string, HostRow> host_rows;  // by key
  FetchList list;                                      // with the hops that were fetched
  std::vector<ListedHost> listed_hosts;
  std::vector<EarlierFetch> fetched;
  std::vector<HopUrl> redirects;  // that attempts before met
};

// Reads one list, and the parts that attempts before have committed.
arrow::Status LoadFetchInputs(Store* store, const std::string& segment, const StepTask& lists,
                              const std::vector<AttemptEntry>& parts, FetchInputs* inputs);

}  // namespace trawl
