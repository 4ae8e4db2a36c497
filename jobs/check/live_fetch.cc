#include "jobs/check/live_fetch.h"

#include "formats/url/url.h"
#include "jobs/politeness/verdict.h"
#include "jobs/verb/version.h"

namespace trawl {

using arrow::Result;

namespace {

constexpr int kPollMs = 1'000;

HttpAnswer Ask(HttpClient& client, const std::string& url, int64_t max_body_bytes) {
  HttpRequest request;
  request.url = url;
  request.limits.max_body_bytes = max_body_bytes;
  client.Submit(std::move(request));
  std::vector<HttpAnswer> answers;
  while (answers.empty()) client.Poll(kPollMs, &answers);
  return std::move(answers.front());
}

}  // namespace

Result<LiveFetch> FetchLive(const LiveFetchRequest& request) {
  ARROW_ASSIGN_OR_RAISE(const Url first, ParseUrl(request.url));
  HttpClientOptions options;
  options.allow_private = true;
  options.headers.insert(options.headers.begin(), {"User-Agent", std::string("trawl/") + kVersion});
  ARROW_ASSIGN_OR_RAISE(const std::unique_ptr<HttpClient> client, HttpClient::Make(options, SystemClock()));

  LiveFetch fetch;
  fetch.url = first.without_fragment();
  for (;; ++fetch.redirects) {
    fetch.answer = Ask(*client, fetch.url, request.max_body_bytes);
    if (request.max_redirects == 0 || !IsRedirect(fetch.answer)) return fetch;
    if (fetch.redirects == request.max_redirects) {
      fetch.end = LiveFetchEnd::kTooManyRedirects;
      return fetch;
    }
    const Result<Url> next = ParseUrlIn(fetch.answer.location, fetch.url, "UTF-8");
    if (!next.ok() || !next->is_web()) {
      fetch.end = LiveFetchEnd::kBadRedirect;
      return fetch;
    }
    fetch.url = next->without_fragment();
  }
}

}  // namespace trawl
