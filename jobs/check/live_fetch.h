// Asks for one URL at once, for the checks that people and tests make by hand: no politeness, private addresses
// allowed.
#pragma once

#include <string>
#include <vector>

#include "arrow/result.h"
#include "runtime/http/http.h"

namespace trawl {

struct LiveFetchRequest {
  std::string url;
  int64_t max_body_bytes = 10 << 20;
  // Redirects to follow at most.
  int max_redirects = 0;
};

enum class LiveFetchEnd { kAnswered, kTooManyRedirects, kBadRedirect };

struct LiveFetch {
  // The answer to the last request.
  std::string url;
  HttpAnswer answer;
  // With kAnswered the answer is no redirect, or redirects are not followed.
  LiveFetchEnd end = LiveFetchEnd::kAnswered;
  int redirects = 0;
};

// Fails only where `url` is no URL or no client can be made. A server's failure is part of the answer.
arrow::Result<LiveFetch> FetchLive(const LiveFetchRequest& request);

}  // namespace trawl
