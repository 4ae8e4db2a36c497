// Judges an answer: the outcome of its URL, and what it shows of its host. Pure; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "formats/rows/url_row.h"
#include "jobs/politeness/host_answer.h"
#include "runtime/http/answer.h"

namespace trawl {

struct PageVerdict {
  Outcome outcome = Outcome::kNone;
  std::string reason;
  Truncation truncated = Truncation::kNone;
  HostSign sign = HostSign::kAnswered;
  int64_t retry_after_ms = -1;  // how long the host asks to wait; -1: not said
};

// `conditional`: validators were sent. `now_ms`: when the answer ended, for a Retry-After that names a date.
PageVerdict JudgePage(const HttpAnswer& answer, bool conditional, int64_t now_ms);

// Whether it is a network failure or server error, which may pass while the round lasts.
bool MayPass(Outcome outcome);
// The host's part alone, for answers that are not pages, such as robots.txt.
HostSign SignOf(const HttpAnswer& answer);
// 301, 302, 303, 307 or 308 with a Location.
bool IsRedirect(const HttpAnswer& answer);
// How long Retry-After asks to wait, limited to 1 s to 24 h; -1 where the answer has none.
int64_t RetryAfterOf(const HttpAnswer& answer, int64_t now_ms);

// Whether a body of that content type is taken: HTML, XML, text, or no type; for sitemaps and feeds also gzip and JSON.
bool IsWantedType(UrlKind kind, std::string_view content_type);

}  // namespace trawl
