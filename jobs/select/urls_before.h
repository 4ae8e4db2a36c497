// Counts the due URLs that generate takes before a given one, for trawl readdb get --explain. Reads, writes nothing.
//
// The counts of the URL's own host are exact. Those of other hosts are near: their Crawl-delays are not looked up, and
// neither are robots.txt files that could not be had.
#pragma once

#include <cstdint>
#include <string>

#include "arrow/result.h"
#include "formats/documents/manifest.h"
#include "formats/rows/url_row.h"
#include "formats/scope/crawl_scope.h"
#include "jobs/policy/fetch_options.h"
#include "jobs/policy/generate_options.h"
#include "jobs/politeness/share.h"
#include "jobs/select/host_facts.h"
#include "runtime/process/clock.h"
#include "runtime/store/store.h"

namespace trawl {

// The round that the URLs compete for. All that it points to must outlive the call.
struct RoundAhead {
  Store* store = nullptr;
  const Manifest* snapshot = nullptr;
  const CrawlScope* scope = nullptr;
  GenerateOptions generate;
  FetchOptions fetch;
  int64_t domain_pages = kNoLimit;  // that the URL's domain may still have
  // Origins of the URL's host that wait, and those that are tried with one URL each.
  DeferredOrigins deferred;
  DeadOrigins dead;
  bool is_trap = false;  // the URL's host is a suspected trap
  TimeMs held_ms = 0;    // of the budget of the URL's pattern; 0: it needs none
  TimeMs now_ms = 0;
};

// Whether the round may leave out URLs that their hosts would take. Else nothing needs to be counted.
bool MayLeaveOut(const RoundAhead& round);

// Due URLs that come first, but no more of a host than it takes.
struct UrlsBefore {
  int64_t of_host = 0;  // all of them, even if the host takes fewer
  int64_t of_domain = 0;
  int64_t of_crawl = 0;   // by rank, and by the turns of domains
  int64_t domain_ms = 0;  // that those of the domain take, one after the other
};

// `share` is that of the URL's host. Reads the rows of that host, and of the whole crawl only where a limit of the round
// may leave URLs out.
arrow::Result<UrlsBefore> CountUrlsBefore(const RoundAhead& round, const UrlRow& url, const HostShare& share);

// "10 pages a round", or, if that is all that is left of the host's day, "10 more pages today" and the option; or "in all".
std::string TakenText(const HostShare& share);

// The limit that leaves the URL out of the round: "12 due URLs of its host come first, and the host takes 10 pages a
// round". Empty where there is room for it. REQUIRES: `before` are its counts.
std::string LimitReached(const RoundAhead& round, const UrlsBefore& before, const HostShare& share,
                         const DomainShare& domain);

}  // namespace trawl
