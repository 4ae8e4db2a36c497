// A round's news of one URL, and which kind of event they are. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "formats/rows/fetch_row.h"
#include "formats/rows/parse_row.h"
#include "formats/rows/url_row.h"
#include "jobs/policy/score.h"
#include "jobs/updatedb/event.h"

namespace trawl {

// The links of a round to one URL, folded into one.
struct LinkNews {
  int32_t depth = 0;     // the least
  std::string via;       // the smallest key of those with that depth
  std::string spelling;  // the shortest, then smallest; empty: the URL that the key stands for
  UrlKind kind = UrlKind::kPage;
  int32_t inlinks = 0;          // distinct source hosts
  bool is_guess = false;        // nobody named it: /sitemap.xml of a host
  bool is_entry = false;        // a sitemap lists it
  bool is_named = false;        // robots.txt names it
  bool is_newly_named = false;  // that of another host, for the first time
  std::string sitemap;          // the smallest key of those that list it
  StatedWords words;
};

// The host's facts that matter for its URLs.
struct HostStanding {
  bool suspected_trap = false;
  // Whether what its sitemaps state counts (jobs/policy/sitemap_options.h).
  bool believes_priorities = true;
  bool believes_lastmods = true;
};

// What a round showed of the origin of a URL, for its URLs that were not asked for.
enum class OriginFate : int8_t {
  kSame,  // nothing that its URLs share
  kGone,  // nobody was there for the last of `failing_rounds` rounds in a row
  kBack,  // it answers again
};
struct OriginNews {
  OriginFate fate = OriginFate::kSame;
  int64_t asked_ms = 0;
  int32_t robots_failures = 0;       // times in a row that its robots.txt could not be reached
  Outcome outcome = Outcome::kNone;  // where it is gone: the outcome and reason of its pages
  std::string reason;
};

// Where a parse row lies in the segment.
struct ParsePlace {
  std::string file;
  int64_t row = 0;
};

struct UrlNews {
  std::string_view key;  // the URL's key
  std::optional<LinkNews> links;
  const FetchRow* fetch = nullptr;     // the one that counts; null: it was not fetched
  const ParseRow* parse = nullptr;     // from the body that this fetch stored; null: there was nothing to parse
  const ParsePlace* place = nullptr;   // of `parse`; null: it is not known
  const ParsePlace* reread = nullptr;  // the same where `parse` is from a body that was stored before; else null
  const OriginNews* origin = nullptr;  // null: the round did not ask the origin for its robots.txt
  HostStanding host;
  const LinkStanding* graph = nullptr;  // null: as if there was no graph
  int32_t header_signals = 0;           // what the answer's header fields ask for (jobs/signals/signals.h)
};

// Numbered for ever: reports use the numbers.
enum class UrlEvent : int8_t {
  kNone = 0,  // nothing that counts
  kLink = 1,
  kFetchedNew = 2,
  kFetchedChanged = 3,
  kFetchedUnchanged = 4,
  kNotModified = 5,
  kParseFailed = 6,
  kRedirectTemporary = 7,
  kRedirectPermanent = 8,
  kRedirectToItself = 9,
  kNotFound = 10,     // 404
  kGoneForGood = 11,  // 410
  kClientError = 12,  // another 4xx
  kFailed = 13,       // an error of the network, or 5xx
  kTlsFailed = 14,
  kThrottled = 15,
  kRobotsDenied = 16,
  kRobotsDeferred = 17,
  kRefusedByLimit = 18,
  kRefusedByAddress = 19,
  kRefusedByType = 20,
  kNotReached = 21,  // or the host's breaker was open
  kBlameless = 22,   // our own fault
  kLate = 23,        // older than what the row knows already, or than the operator's word
  kDropped = 24,     // of a URL that the operator dropped
  kHostGone = 25,    // its host is dead, and other URLs showed it
  kHostBack = 26,    // its host was dead and answers again
  kReread = 27,      // its stored body was read again
};
inline constexpr int kUrlEvents = 28;

// "new link", "fetched, new", "404".
const char* TextOf(UrlEvent event);

// The kind of a row's news. `row` is null for a URL that the crawl does not know.
UrlEvent EventOf(const UrlRow* row, const UrlNews& news);

}  // namespace trawl
