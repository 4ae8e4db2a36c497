// Dates as pages write them, and those in the path of a URL. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace trawl {

// A W3C date, an HTTP date, "2 January 2026", "January 2, 2026" with or without a time before or after it, "2026/01/02".
// Nothing for a date before 1990 or after `latest_ms`: it cannot be that of a page that was fetched then.
std::optional<int64_t> PageDateMs(std::string_view text, int64_t latest_ms);

// The day that a path names: "/2026/01/02/", "/2026-01-02-", "/2026/jan/02/". The same limits.
std::optional<int64_t> DateOfPathMs(std::string_view path, int64_t latest_ms);

}  // namespace trawl
