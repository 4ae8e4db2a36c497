// All that the page of a host and the sheet to send say, read once from the API.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "formats/documents/json.h"
#include "jobs/web/call.h"

namespace trawl {

// A request to the host, and the pause before it.
struct HostRequest {
  TimeMs at_ms = 0;  // when it began
  std::string url;
  std::string outcome;
  std::string reason;
  int64_t status = 0;
  int64_t took_ms = 0;
  // From the end of the request before to the beginning of this one; -1: not known. A robots.txt counts as a request.
  int64_t gap_ms = -1;
  int64_t delay_ms = -1;  // that was in force
  std::string segment;

  bool IsTooEarly() const { return gap_ms >= 0 && delay_ms > 0 && gap_ms < delay_ms; }
};

struct HostValues {
  std::string name;
  Json host;      // of /api/v1/domains/HOST
  Json requests;  // null where they cannot be had
  Json patterns;
  Json sitemaps;
  Markup missing;  // what could not be had, and why
};

// A status other than 200 where the host itself cannot be had; *failed is then the answer.
bool ReadHostValues(PageCall& call, const std::string& name, HostValues* values, SourceAnswer* failed);

// The newest first.
std::vector<HostRequest> RequestsOf(const HostValues& values);
// "The smallest pause of the last 50 requests was 1.02 s; the delay in force was 1 s. None came too early."
std::string PauseText(const std::vector<HostRequest>& requests);
// "1 s: the Crawl-delay of its robots.txt"
std::string DelayText(const Json& host);

// robots.txt of each origin: {"url", "outcome", "status", "fetched", "text", "history", …}
// Nobody answered when it was asked for last, so no status tells how it went.
bool IsWithoutAnswer(const Json& origin);
// An outcome without an answer, as a webmaster would put it: "the name of the host does not resolve".
std::string OutcomeWords(const std::string& outcome);
// A line of an origin's history in plain words.
std::string HistoryText(const std::string& line);
const Json& OriginsOf(const Json& host);
std::vector<std::string> LinesOfText(const std::string& text);

}  // namespace trawl
