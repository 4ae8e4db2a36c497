// What robots.txt says of each URL of a fetch task, and when it must be asked for again (RFC 9309). Pure but for the
// order of its calls; times are the crawl's. One thread.
//
//  1. A 2xx is its rules; a body over the limit counts as far as it was read.
//  2. A 4xx other than 429, and more than five redirects: there is none, all is allowed.
//  3. 5xx, 429, any failure of network or protocol, a body that is cut off: it cannot be reached. The last good copy
//     serves while it is young enough (`robots.keep`); else the pages wait ("deferred"), and robots.txt is asked for again
//     after 1 h, doubling up to 24 h. `robots.on_unreachable=allow` lets them be asked all the same; then it says nothing
//     of its host either.
//  4. An address that may not be asked refuses the pages as well: they would not be asked either.
//  5. What was learned holds for `robots.ttl`, and for the page for which it was asked in any case: that one comes a
//     delay later, which may be longer.
//
// An origin is the part of a key through its origin: "com,example)" or "com,example)http:8080".
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "formats/robots/robots.h"
#include "formats/rows/robots_row.h"
#include "jobs/policy/robots_options.h"
#include "runtime/http/answer.h"

namespace trawl {

struct RobotsDecision {
  enum class Kind : int8_t { kAllowed, kDenied, kDeferred, kAddressRefused, kMustAsk };
  Kind kind = Kind::kMustAsk;
  int32_t line = 0;
  // The rule's text, or why there was none to ask.
  std::string rule;
  // It was allowed only because robots.txt could not be had.
  bool despite_unreachable = false;
};

// How an attempt to have a robots.txt ended.
struct RobotsAnswer {
  const HttpAnswer& http;  // the last one's
  int redirects = 0;
  bool redirects_end_nowhere = false;  // too many, a loop, or to what cannot be asked
  std::string last_url;
};

class RobotsGate {
 public:
  RobotsGate(std::string agent, const RobotsOptions& options) : agent_(std::move(agent)), options_(options) {}

  // What is known of an origin; of several rows of one, the one that was fetched last counts.
  void Add(RobotsRow row);
  // What it says of a path with its query.
  RobotsDecision Check(std::string_view origin, std::string_view path_and_query, int64_t now_ms);
  void Take(const std::string& origin, const RobotsAnswer& answer, int64_t now_ms);
  // The longest that one of the host's origins wants; `key` begins with the host.
  std::optional<int64_t> CrawlDelayMs(std::string_view key);
  // Rows that changed since the last call.
  std::vector<RobotsRow> TakeChanged();
  // Whether pages are asked for though their robots.txt cannot be had.
  bool allows_unreachable() const { return options_.on_unreachable == OnUnreachableRobots::kAllow; }
  // Texts that TakeChanged would give; nothing of them can be forgotten before.
  int64_t changed_bytes() const { return changed_bytes_; }

 private:
  struct Origin {
    RobotsRow row;
    std::optional<RobotsRules> rules;  // of row.text; made when they are needed
    // Its text was given up for want of memory: it must be asked for again.
    bool is_forgotten = false;
    // Of the rules that were made last; stays when the text is given up.
    std::optional<int64_t> crawl_delay_ms;
    // It was asked for, and no page has been judged by it.
    bool is_unused = false;
  };
  // Memory that texts, and rules made of them, may take. Hosts that send the longest file that is read fill it with
  // some hundred; of ordinary ones there is room for a hundred thousand.
  static constexpr int64_t kMostTextBytes = int64_t{192} << 20;
  static constexpr int64_t kMostRulesBytes = int64_t{96} << 20;

  void SetText(std::string text, Origin* origin);
  void ForgetTexts();
  void TakeGood(const RobotsAnswer& answer, int64_t now_ms, Origin* origin);
  void TakeNone(const std::string& reason, int64_t now_ms, Origin* origin);
  void TakeUnreachable(const std::string& reason, int64_t now_ms, Origin* origin);
  RobotsDecision Judge(Origin& origin, std::string_view path_and_query, int64_t now_ms);
  const RobotsRules& RulesOf(Origin& origin);

  const std::string agent_;
  const RobotsOptions options_;
  std::map<std::string, Origin, std::less<>> origins_;
  std::unordered_set<std::string> changed_;
  int64_t changed_bytes_ = 0;
  int64_t text_bytes_ = 0;
  int64_t rules_bytes_ = 0;
};

// The longest robots.txt that is read; RFC 9309 section 2.5: "The parsing limit MUST be at least 500 kibibytes".
inline constexpr int64_t kMaxRobotsBytes = 512 << 10;
// RFC 9309 section 2.3.1.2: "Crawlers SHOULD follow at least five consecutive redirects".
inline constexpr int kMaxRobotsRedirects = 5;

}  // namespace trawl
