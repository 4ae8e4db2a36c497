// One URL asked at once, for the checks that people and tests make by hand: no politeness, private addresses allowed.
#pragma once

#include <string>
#include <vector>

#include "arrow/result.h"
#include "runtime/http/http.h"

namespace trawl {

struct LiveFetchRequest {
  std::string url;
  int64_t max_body_bytes = 10 << 20;
  // Redirects that are followed.
  int max_redirects = 0;
};

enum class LiveFetchEnd { kAnswered, kTooManyRedirects, kBadRedirect };

struct LiveFetch {
  // The last one's.
  std::string url;
  HttpAnswer answer;
  // With kAnswered the answer is no redirect that was to be followed.
  LiveFetchEnd end = LiveFetchEnd::kAnswered;
  int redirects = 0;
};

// Fails only where `url` is none or no client can be made; what a server does wrong is in the answer.
arrow::Result<LiveFetch> FetchLive(const LiveFetchRequest& request);

}  // namespace trawl
