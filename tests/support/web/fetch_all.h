// Runs requests through an HttpClient to their end.
#pragma once

#include <string>
#include <vector>

#include "runtime/http/http.h"
#include "tests/support/web/test_web.h"

namespace trawl {

// Options that reach only the hosts of `web`: no name servers, no /etc/hosts.
HttpClientOptions ClientOptionsFor(const TestWeb& web);

// Submits all requests at once and returns the answers in the order of the requests. Ids are set to the requests'
// places.
std::vector<HttpAnswer> FetchAll(HttpClient& client, std::vector<HttpRequest> requests);
HttpAnswer FetchOne(HttpClient& client, HttpRequest request);
HttpAnswer FetchOne(HttpClient& client, const std::string& url);

}  // namespace trawl
