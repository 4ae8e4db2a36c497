#include "tests/support/crawl/served_crawl.h"

#include <gtest/gtest.h>

#include "jobs/verb/verb.h"
#include "runtime/options/global.h"
#include "runtime/terminal/timestamp.h"

namespace trawl {

ServedCrawl::ServedCrawl(Store* store, const std::string& now)
    : options_(std::make_unique<EffectiveOptions>(ApiOptionGroups(), AllGroups(Verbs()))) {
  auto api = Api::Make({.store = store,
                        .options = options_.get(),
                        .clock = &SystemClock(),
                        .name = "test",
                        .now_ms = ParseTimestamp(now).ValueOrDie(),
                        .refresh_ms = 0,
                        .threads = 2});
  EXPECT_TRUE(api.ok()) << api.status().ToString();
  if (api.ok()) api_ = *std::move(api);
}

ServedCrawl::~ServedCrawl() = default;

ServerAnswer ServedCrawl::Ask(const std::string& target, std::vector<std::pair<std::string, std::string>> headers,
                              const std::string& method) {
  ServerRequest request;
  request.method = method;
  request.target = target;
  request.headers = std::move(headers);
  return api_->Answer(request, StopToken());
}

Json ServedCrawl::Get(const std::string& target, int status) {
  const ServerAnswer answer = Ask(target);
  EXPECT_EQ(answer.status, status) << target << "\n" << answer.body.substr(0, 2000);
  return ParseJson(answer.body).ValueOr(Json());
}

std::string HeaderOf(const ServerAnswer& answer, const std::string& name) {
  for (const auto& [own, value] : answer.headers) {
    if (own == name) return value;
  }
  return "";
}

}  // namespace trawl
