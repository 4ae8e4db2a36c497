// A door of jobs/select, which URLs a round takes and on which list: what keeps generate from taking a URL, by the rules of
// its first job for that one URL. For trawl readdb get --explain and trawl check url. Reads, writes nothing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/manifest.h"
#include "formats/rows/host_row.h"
#include "formats/rows/robots_row.h"
#include "formats/rows/settle_rows.h"
#include "formats/rows/url_row.h"
#include "formats/scope/crawl_scope.h"
#include "jobs/policy/fetch_options.h"
#include "jobs/policy/generate_options.h"
#include "jobs/policy/robots_options.h"
#include "jobs/politeness/robots_standing.h"
#include "jobs/politeness/share.h"
#include "jobs/segment/held_domains.h"
#include "jobs/select/host_facts.h"
#include "jobs/select/host_patterns.h"
#include "runtime/process/clock.h"
#include "runtime/store/store.h"

namespace trawl {

// The crawl to look into. All that it points to must outlive the calls.
struct HoldContext {
  Store* store = nullptr;
  const Manifest* snapshot = nullptr;
  GenerateOptions generate;
  FetchOptions fetch;
  RobotsOptions robots;
  TimeMs now_ms = 0;
};

// Where the host of a URL stands, and its domain.
struct UrlStanding {
  HostRow host;  // with the operator's delay for its domain; its key alone where the table has no row
  bool is_host_known = false;
  std::string domain_key;
  DomainRecord domain;
  std::optional<RobotsRow> robots;  // of the URL's origin
  CrawlDelay crawl_delay;           // the longest of the host's origins
  HostShare share;
  DomainShare domain_share;
  std::optional<DomainHolder> holder;  // an open segment
  TimeMs robots_until_ms = 0;  // until when the URL waits for its robots.txt, or for its dead host; 0: it does not
  HostWait wait;               // for the robots.txt of all origins of the host
  DeferredOrigins deferred;    // the origins of the host that wait
  DeadOrigins dead;            // and those that are tried again
  std::optional<PatternRow> pattern;  // of the URL; its family's, where that has the budget
  PatternBudget budget;               // of the URL
};
arrow::Result<UrlStanding> ReadStanding(const HoldContext& context, const std::string& key);

// Why the host, or the domain, takes nothing, with what to type; empty where it takes something. The time at which that
// ends is until_ms of the share.
// The same of a host whose day is full, or that is full itself, by ShareOfFull.
std::string FullText(const HostRow& host, const HostShare& share);
std::string HostHoldText(const UrlStanding& standing, const FetchOptions& fetch);
std::string DomainHoldText(const UrlStanding& standing);

// Whether a round tries the URL's origin again, where nobody was there the last time: with one URL for all.
bool IsTriedAgain(const UrlStanding& standing);
// The URL that is tried for all of the origin: the first that is due and that the scope accepts. Empty where there is none.
arrow::Result<std::string> TriedForAll(const HoldContext& context, const CrawlScope& scope, const std::string& key);

// What the URL's pattern has yielded, and its budget. REQUIRES: it has a row.
std::string PatternText(const UrlStanding& standing);
// Whether the pattern's budget goes to other due URLs: how many of them come first, where it does; else 0. REQUIRES: the
// row is due.
arrow::Result<int64_t> HeldByPattern(const HoldContext& context, const CrawlScope& scope, const UrlStanding& standing,
                                     const UrlRow& row);
// "held: …", with what to type.
std::string PatternHoldText(const UrlStanding& standing, const std::string& key, int64_t before);

// A reason for which generate leaves the URL out, though it is due.
struct UrlHold {
  TimeMs until_ms = 0;  // kNever: not by itself
  std::string text;
};
// All of them.
std::vector<UrlHold> HoldsOf(const UrlStanding& standing, const FetchOptions& fetch);

}  // namespace trawl
