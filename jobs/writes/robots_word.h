// What the robots.txt of an origin, as it is stored, says of single URLs. One thread.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "formats/documents/json.h"
#include "formats/robots/robots.h"
#include "formats/rows/robots_row.h"
#include "jobs/policy/robots_options.h"

namespace trawl {

// By which robots.txt is read.
struct RobotsReading {
  std::string agent;
  RobotsOptions options;
  TimeMs now_ms = 0;
};

class RobotsWord {
 public:
  // `row` is that of the origin; null where none is stored.
  RobotsWord(const RobotsRow* row, const RobotsReading& reading);
  // The same of every URL: nothing is known, and why.
  explicit RobotsWord(std::string why) : text_(std::move(why)) {}
  // {"url", "allowed": true, false or null (it is not known, or the page waits), "text": "denied by line 2: Disallow: /"}
  Json Of(const std::string& url, const std::string& normalised_url) const;

 private:
  std::optional<RobotsRules> rules_;  // nothing: the answer is the same for all URLs
  Json allowed_;
  std::string text_;
};

}  // namespace trawl
