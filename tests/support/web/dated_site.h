// A site that lives through days: its sitemaps, feed and pages depend on the day that the test sets, never on how often they
// were asked for. So crawls that are killed, or run elsewhere, see the same site.
//
//   /robots.txt      names /index.xml, and says that models may not be trained
//   /index.xml       /old.xml, and /new.xml with the day as its lastmod
//   /old.xml         20 pages /old/N of last year; every third asks for noarchive in a header field, every fifth for noai;
//                    /old/6 asks for it on even days only
//   /new.xml         two more pages /new/N a day; every third is rewritten each day
//   /feed.xml        RSS with /item/N for the last three days
#pragma once

#include <atomic>
#include <memory>

#include "tests/support/web/answer.h"

namespace trawl {

inline constexpr char kDatedHost[] = "dated.test";

// Day 0 is 2026-01-01. The day may be set from any thread.
TestHandler ServeDatedSite(std::shared_ptr<const std::atomic<int>> day);

}  // namespace trawl
