#include "jobs/metrics/served.h"

#include <algorithm>
#include <array>
#include <set>

namespace trawl {

namespace {

constexpr std::array<double, 9> kBounds = {0.005, 0.01, 0.05, 0.1, 0.3, 1, 3, 10, 30};
constexpr char kOther[] = "other";

std::string MethodOf(std::string_view method) {
  static const std::set<std::string, std::less<>> known = {"GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"};
  return known.contains(method) ? std::string(method) : kOther;
}

}  // namespace

// REQUIRES: the mutex is held.
std::string ServedRequests::RouteOf(std::string_view route) {
  if (routes_.contains(route)) return std::string(route);
  if (route.empty() || routes_.size() >= kMostRoutes) return kOther;
  routes_.emplace(std::string(route), routes_.size());
  return std::string(route);
}

void ServedRequests::Count(std::string_view route, std::string_view method, int status, double seconds) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const std::string at = RouteOf(route), how = MethodOf(method);
  ++requests_[{at, how, status >= 100 && status <= 599 ? status : 0}];
  Durations& durations = durations_[{at, how}];
  durations.counts.resize(kBounds.size() + 1);
  const auto bound = std::lower_bound(kBounds.begin(), kBounds.end(), seconds);
  ++durations.counts[static_cast<size_t>(bound - kBounds.begin())];
  durations.sum += std::max(seconds, 0.0);
}

std::vector<MetricFamily> ServedRequests::Families() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  MetricFamily requests = {
      "trawl_http_requests_total", MetricType::kCounter, "Requests that trawl serve has answered", {}, {}};
  for (const auto& [name, count] : requests_) {
    const auto& [route, method, status] = name;
    requests.Add(static_cast<double>(count), {{"route", route}, {"method", method}, {"code", std::to_string(status)}});
  }
  MetricFamily times = {"trawl_http_request_duration_seconds",
                        MetricType::kHistogram,
                        "Time from the end of a request to the beginning of its answer",
                        {},
                        {}};
  for (const auto& [name, durations] : durations_) {
    const MetricHistogram histogram = {{kBounds.begin(), kBounds.end()}, durations.counts, durations.sum};
    AddHistogram(histogram, {{"route", name.first}, {"method", name.second}}, &times);
  }
  return {requests, times};
}

}  // namespace trawl
