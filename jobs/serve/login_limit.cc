#include "jobs/serve/login_limit.h"

#include <algorithm>

namespace trawl {

bool LoginLimit::MayTry(const std::string& address, int64_t now_ms) {
  const std::lock_guard lock(mutex_);
  const auto found = failures_.find(address);
  if (found == failures_.end()) return true;
  std::deque<int64_t>& times = found->second;
  while (!times.empty() && now_ms - times.front() >= kWindowMs) times.pop_front();
  const bool may_try = times.size() < kMostFailures;
  if (times.empty()) failures_.erase(found);
  return may_try;
}

void LoginLimit::Failed(const std::string& address, int64_t now_ms) {
  const std::lock_guard lock(mutex_);
  if (!failures_.contains(address) && failures_.size() >= kMostAddresses) {
    failures_.erase(std::min_element(failures_.begin(), failures_.end(),
                                     [](const auto& a, const auto& b) { return a.second.back() < b.second.back(); }));
  }
  std::deque<int64_t>& times = failures_[address];
  times.push_back(now_ms);
  if (times.size() > kMostFailures) times.pop_front();
}

}  // namespace trawl
