// The made-up values of a busy crawl, as the API gives them, by what they are about. For page_values.cc alone.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "tests/support/pages/page_values.h"

namespace trawl {

inline constexpr int64_t kSecond = 1'000, kMinute = 60'000, kHour = 3'600'000, kDay = 24 * kHour;

// A moment of the past, as the API writes it.
std::string TimeAgo(TimeMs now_ms, int64_t ms);
std::string MadeHostName(int i);
std::string MadeSegmentName(int i);

// made_work.cc: what the crawl does and did.
Json MadeStatus(TimeMs now_ms);
Json MadeThroughput(TimeMs now_ms);
Json MadeJobs(TimeMs now_ms);
// One of them, with its counters.
Json MadeJob(TimeMs now_ms);
// The list of workers, and an answer about each of them.
void PutMadeWorkers(TimeMs now_ms, std::map<std::string, SourceAnswer>* answers);

// made_rounds.cc. The first round is the newest.
Json MadeRounds(TimeMs now_ms);
Json MadeRound(TimeMs now_ms, int i);

// made_hosts.cc: lists of hosts, of which those of "waiting" are held, and host1.example.
Json MadeDomains(TimeMs now_ms, const char* top);
Json MadeHost(TimeMs now_ms);
Json MadeRequests(TimeMs now_ms);
Json MadePatterns();
Json MadeSitemaps(TimeMs now_ms);

// made_urls.cc: URLs, and what a page of them is.
Json MadePending(TimeMs now_ms);
Json MadeSearch(TimeMs now_ms);
Json MadeExplainedUrl(TimeMs now_ms);
Json MadeUnknownUrl();
Json MadePage(TimeMs now_ms, const std::string& id);
Json MadeHistory(TimeMs now_ms);
Json MadeLinks();
// Other pages with the same content.
Json MadeCopies();

}  // namespace trawl
