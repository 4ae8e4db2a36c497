#include "tests/support/web/fetch_all.h"

namespace trawl {

HttpClientOptions ClientOptionsFor(const TestWeb& web) {
  HttpClientOptions options;
  options.allow_private = true;
  options.ca_file = web.ca_file();
  options.dns.hosts_file.clear();
  options.dns.fixed = web.hosts();
  options.dns.servers = "127.0.0.1:1";
  return options;
}

std::vector<HttpAnswer> FetchAll(HttpClient& client, std::vector<HttpRequest> requests) {
  for (size_t i = 0; i < requests.size(); ++i) {
    requests[i].id = i;
    client.Submit(requests[i]);
  }
  std::vector<HttpAnswer> answers(requests.size());
  std::vector<HttpAnswer> done;
  for (size_t left = requests.size(); left > 0; left -= done.size()) {
    done.clear();
    client.Poll(1000, &done);
    for (HttpAnswer& answer : done) answers[answer.id] = std::move(answer);
  }
  return answers;
}

HttpAnswer FetchOne(HttpClient& client, HttpRequest request) { return FetchAll(client, {std::move(request)}).front(); }
HttpAnswer FetchOne(HttpClient& client, const std::string& url) {
  HttpRequest request;
  request.url = url;
  return FetchOne(client, std::move(request));
}

}  // namespace trawl
