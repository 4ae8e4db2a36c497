// A door of jobs/politeness, whom the crawl may ask and when: judges each URL of a fetch task by robots.txt, and says when
// robots.txt must be asked for again (RFC 9309). Times are handed in, in milliseconds of the crawl. One thread.
//
//  1. The body of a 2xx is the rules. A body over the limit counts as far as it was read.
//  2. After a 4xx other than 429, or more than five redirects, there is no robots.txt: all is allowed.
//  3. After a 5xx, a 429, any failure of network or protocol, or a body that is cut off, robots.txt cannot be reached.
//     The last good copy serves while it is young enough (`robots.keep`). Else the pages wait ("deferred"), and
//     robots.txt is asked for again after RobotsDeferralMs. With `robots.on_unreachable=allow` the pages are asked for
//     all the same.
//  4. If nobody is there (no such name, or the connection is refused), the host is dead, whatever was known of its
//     robots.txt and whatever `robots.on_unreachable` says: its pages fail as if each had been asked for.
//  5. If the address of robots.txt may not be asked, its pages are refused: they would not be asked, either.
//  6. An answer holds for `robots.ttl`, and in any case for the page for which robots.txt was asked: that page comes one
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
  enum class Kind : int8_t { kAllowed, kDenied, kDeferred, kAddressRefused, kDead, kMustAsk };
  Kind kind = Kind::kMustAsk;
  int32_t line = 0;
  // The rule's text, or why there was no rule.
  std::string rule;
  Outcome dead = Outcome::kNone;  // the outcome of pages of a dead host
  // It was allowed only because robots.txt could not be reached.
  bool despite_unreachable = false;
};

// The outcome of asking for a robots.txt.
struct RobotsAnswer {
  const HttpAnswer& http;  // after all redirects
  int redirects = 0;
  bool redirects_end_nowhere = false;  // too many redirects, a loop, or a target that cannot be asked
  std::string last_url;
  bool is_shared = false;  // another origin asked, and its row tells of it
  std::string hops;        // RobotsRow::hops
};

// The request and its answer, for archives; nothing where nobody was reached. `now_ms`: when the answer ended.
RobotsCapture CaptureOf(const HttpAnswer& http, const std::string& url, Truncation truncated, int64_t now_ms);

class RobotsGate {
 public:
  RobotsGate(std::string agent, const RobotsOptions& options) : agent_(std::move(agent)), options_(options) {}

  // Adds a row of the table. Of several rows of an origin the one that was fetched last counts.
  void Add(RobotsRow row);
  // Judges a path with its query; kMustAsk where robots.txt is not known or no longer holds.
  RobotsDecision Check(std::string_view origin, std::string_view path_and_query, int64_t now_ms);
  void Take(const std::string& origin, const RobotsAnswer& answer, int64_t now_ms);
  // The longest Crawl-delay of the host's origins. REQUIRES: `key` begins with the host.
  std::optional<int64_t> CrawlDelayMs(std::string_view key);
  // Rows that changed since the last call.
  std::vector<RobotsRow> TakeChanged();
  // Whether pages are asked for though their robots.txt cannot be reached.
  bool allows_unreachable() const { return options_.on_unreachable == OnUnreachableRobots::kAllow; }
  // The size of the texts that TakeChanged would return. They stay in memory until then.
  int64_t changed_bytes() const { return changed_bytes_; }

 private:
  struct Origin {
    RobotsRow row;
    std::optional<RobotsRules> rules;  // parsed from row.text when they are needed
    // Its text was dropped to free memory: it must be asked for again.
    bool is_forgotten = false;
    // The Crawl-delay of the rules that were made last; stays when the text is dropped.
    std::optional<int64_t> crawl_delay_ms;
    // It was asked for, and no page has been judged by it yet.
    bool is_unused = false;
  };
  // Memory that texts, and rules made of them, may take. There is room for some hundred robots.txt of the longest size,
  // or for a hundred thousand ordinary ones.
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
