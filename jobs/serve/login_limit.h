// How often an address may guess the token: ten times a minute. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <string>

namespace trawl {

class LoginLimit {
 public:
  static constexpr size_t kMostFailures = 10;
  static constexpr int64_t kWindowMs = 60'000;
  // How long the answer to a wrong token waits.
  static constexpr int64_t kDelayMs = 1'000;
  // Addresses that are remembered; the one that failed longest ago is forgotten first.
  static constexpr size_t kMostAddresses = 10'000;

  // Whether a token of that address may be looked at now.
  bool MayTry(const std::string& address, int64_t now_ms);
  void Failed(const std::string& address, int64_t now_ms);

 private:
  std::mutex mutex_;
  std::map<std::string, std::deque<int64_t>> failures_;  // times, the oldest first
};

}  // namespace trawl
