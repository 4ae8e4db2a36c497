// What a client of the server wants changed, and what came of it: values. Any thread.
//
// An order is checked by whoever makes it: texts are short enough, hosts and URLs have their keys. What only the crawl can
// tell (whether a URL is known, what its scope refuses) is found out when the order is carried out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "arrow/status.h"
#include "formats/documents/json.h"
#include "formats/rows/url_row.h"
#include "jobs/operate/host_policy.h"

namespace trawl {

// Puts URLs into the crawl, as trawl inject does. Known URLs stay as they are.
struct SeedOrder {
  std::vector<std::string> urls;
  std::optional<TierChoice> tier;      // nothing: by rule, as without an order
  std::optional<int64_t> interval_ms;  // nothing: as the page's changes say
  std::map<std::string, std::string> metadata;
};

// Why a pair cannot stand in a line of seeds: an empty name, a name that means something there, a tab. Empty: it can.
std::string FaultOfMetadata(const std::string& name, const std::string& value);

// Changes what the operator decided about a host or a registrable domain, as trawl host does.
struct HostOrder {
  HostPolicy policy;
};

// Never asks for the URL again, as trawl urls set --drop does.
struct DropOrder {
  std::string key;
};

// Ends a job that runs on a cluster, as trawl jobs kill does.
struct KillOrder {
  std::string job;
};

using Order = std::variant<SeedOrder, HostOrder, DropOrder, KillOrder>;
// "seeds", "host", "drop", "kill".
const char* NameOf(const Order& order);
// About the memory that the order takes.
size_t SizeOf(const Order& order);

// By which a client names an order, so that sending it twice does it once. Without a name there is no check.
struct OrderName {
  std::string key;          // digest of Idempotency-Key; empty: the order has no name
  std::string fingerprint;  // digest of method, target and body
};
// `idempotency_key` is the field's value; empty: there is none.
OrderName MakeOrderName(const std::string& idempotency_key, const std::string& method, const std::string& target,
                        const std::string& body);

// What came of an order.
struct OrderOutcome {
  // KeyError: the crawl does not know what the order names. kUsage: the order makes no sense to this crawl. kConflict: other
  // jobs published first, each time. kStopped: the server ends, and the order was not carried out. Any other failure is
  // the store's, or damage. The same order may come again after each of them.
  arrow::Status status;
  bool is_store_away = false;    // after a failure: the store does not answer
  bool is_cluster_away = false;  // after a failure: YARN does not answer
  // Where the status is OK: "job" (the one that did it; empty where there was nothing to do), "snapshot", "changed", and
  //   seeds  "queued", "known", "bad" [{"url", "reason"}], "robots" [{"url", "allowed" (null: not known), "text"}]
  //   host   "policy": what is decided about it now: "crawl_delay_ms", "max_concurrent", "pages_a_day", "pages",
  //          "is_blocked", "reason"
  //   drop   "removed": 1, also where it was dropped before
  //   kill   only "job" and "changed": false where it did not run
  Json answer;
};

}  // namespace trawl
