// What a round could fetch now, what holds the rest of what is due, and when there will be more: for generate's answer
// where nothing can be fetched, and for the end of a crawl. Pure; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "formats/documents/json.h"
#include "jobs/select/selection.h"
#include "runtime/process/clock.h"

namespace trawl {

// Due URLs that no round takes now, for one reason.
struct HeldUrls {
  std::string why;  // the counter: "day_is_full"
  int64_t urls = 0;
  TimeMs until_ms = 0;  // when the first of them comes free; kNever: not by itself
};

struct Outlook {
  int64_t due = 0;
  std::vector<HeldUrls> held;  // the most first
  TimeMs next_ms = 0;          // when something can be fetched: now, if it can be now; kNever: never by itself
};

Outlook OutlookOf(const Selection& selection, TimeMs now_ms);

// "due", "held": [{"why", "urls", "until"}…], "next_due".
Json ToJson(const Outlook& outlook);

// The "held" of that object in words: "43 due are held: 36: day is full until 2026-01-02T00:00:00Z; 7: breaker open
// until …"; empty where nothing is held.
std::string HeldText(const Json& held);
// Where nothing can be fetched now: why, and when something can be.
std::string IdleText(const Outlook& outlook, TimeMs now_ms);

}  // namespace trawl
