// The API over a crawl that stands at a root, without a server: targets in, answers out.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "jobs/api/api.h"
#include "runtime/process/clock.h"
#include "runtime/server/message.h"
#include "runtime/store/store.h"

namespace trawl {

class ServedCrawl {
 public:
  // `store` must outlive it. The time is that of `now`, RFC 3339, and stands still.
  ServedCrawl(Store* store, const std::string& now);
  ~ServedCrawl();

  Api& api() { return *api_; }
  ServerAnswer Ask(const std::string& target, std::vector<std::pair<std::string, std::string>> headers = {},
                   const std::string& method = "GET");
  // The JSON of the answer; the test fails where the status is another one.
  Json Get(const std::string& target, int status = 200);

 private:
  const std::unique_ptr<EffectiveOptions> options_;
  std::unique_ptr<Api> api_;
};

// The value of a header; empty where it is not there.
std::string HeaderOf(const ServerAnswer& answer, const std::string& name);

}  // namespace trawl
