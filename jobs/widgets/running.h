// Parts of pages that are about what runs now: open segments, their workers, what hosts wait for. Pure.
#pragma once

#include <string>

#include "formats/documents/json.h"
#include "jobs/widgets/markup.h"

namespace trawl {

// A line per open segment; empty where there is none. `status` is the value of /status.
Markup RunningTable(const Json& status, TimeMs now_ms);
// What the crawl does now and what it waits for, in sentences.
Markup NowText(const Json& status, const std::string& root, TimeMs now_ms);
// A line per worker. `segment` leaves out those of other segments, where it is not empty.
Markup WorkersTable(const Json& workers, const std::string& segment, TimeMs now_ms);
// "12 hosts for their delay, the first for 300 ms more; 2 hosts for their names"; empty where nothing waits.
Markup WaitsText(const Json& waits);
// How many hosts are held, by the kind; a host may be held in several ways. Empty where none is known.
Markup HoldCounts(const Json& status);
// "as of 40 s ago", of a number that others wrote.
Markup AgeNote(const Json& numbers);

}  // namespace trawl
