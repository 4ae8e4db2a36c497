// The crawler's identity and the limits of its HTTP client, made from the options. Pure, except that ClientOptionsOf
// reads the hosts file.
#pragma once

#include <string>

#include "arrow/result.h"
#include "jobs/policy/fetch_options.h"
#include "runtime/http/http.h"

namespace trawl {

// "trawl/0.1.0 (+https://me.example/)".
std::string UserAgentOf(const FetchOptions& options);

// A usage error where public addresses could be asked but no contact is given.
arrow::Status CheckContact(const FetchOptions& options);

// `tasks` run on this machine at once and share its memory.
arrow::Result<HttpClientOptions> ClientOptionsOf(const FetchOptions& options, int tasks);
// The limits of a request for a page or a sitemap.
HttpLimits LimitsOf(const FetchOptions& options, bool is_sitemap);

}  // namespace trawl
