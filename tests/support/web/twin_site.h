// A site of which much is there twice: the same pages under twin.test, www.twin.test and mirror.test, near copies, and a
// calendar without end. It depends on the day that the test sets, never on how often it was asked, as dated_site.h does.
//
//   /            links to all pages, with the host that was asked written out
//   /p/N         24 pages in eight groups of three: the first, the same with another comment, and one with another word.
//                The last of every fourth group is rewritten on odd days. mirror.test names the page of twin.test as
//                canonical.
//   /p/5         not there from day 3 to day 6
//   /p/7         leads to /p/6 on even days
//   /cal/Y/M     a month of a calendar, which links to the next month and to three days of it
#pragma once

#include <array>
#include <atomic>
#include <memory>

#include "tests/support/web/answer.h"

namespace trawl {

inline constexpr std::array<const char*, 3> kTwinHosts = {"twin.test", "www.twin.test", "mirror.test"};

// Day 0 is 2026-01-01. The day may be set from any thread.
TestHandler ServeTwinSite(std::shared_ptr<const std::atomic<int>> day);

}  // namespace trawl
