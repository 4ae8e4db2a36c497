// The groups of a robots.txt that concern one crawler (RFC 9309 section 2.2.1), gathered line by line. robots.h makes
// rules from them. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "formats/robots/lines.h"

namespace trawl {

// The groups that apply, merged into one. All views point into the text.
struct RobotsGroup {
  struct Rule {
    std::string_view pattern;
    std::string_view text;
    uint32_t line = 0;
    bool allow = false;
  };
  std::vector<Rule> rules;
  std::optional<int64_t> crawl_delay_ms;
  std::vector<std::string_view> content_signals;
};

struct RobotsFile {
  RobotsGroup group;
  std::vector<std::string_view> sitemaps;  // in order, each once
};

// Reads the file for the crawler with the product token `agent`. The result points into `text`.
RobotsFile ReadRobotsFile(std::string_view text, std::string_view agent);

// Seconds ("1", "0.5") as milliseconds; nothing for any other text. Larger values count as a thousand million seconds.
std::optional<int64_t> ParseCrawlDelayMs(std::string_view value);

}  // namespace trawl
