// What trawl serve has answered: requests by route, method and status, and how long they took. Any thread.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "formats/metrics/exposition.h"

namespace trawl {

class ServedRequests {
 public:
  // `route` is a template such as "/api/v1/pages/{id}", never a path that a client sent. However many there are, at most
  // kMostRoutes are told apart, and methods that HTTP does not know count as one.
  void Count(std::string_view route, std::string_view method, int status, double seconds);
  static constexpr size_t kMostRoutes = 200;

  // trawl_http_requests_total and trawl_http_request_duration_seconds.
  std::vector<MetricFamily> Families() const;

 private:
  struct Durations {
    std::vector<int64_t> counts;
    double sum = 0;
  };
  std::string RouteOf(std::string_view route);

  mutable std::mutex mutex_;
  std::map<std::string, size_t, std::less<>> routes_;
  std::map<std::tuple<std::string, std::string, int>, int64_t> requests_;
  std::map<std::pair<std::string, std::string>, Durations> durations_;
};

}  // namespace trawl
