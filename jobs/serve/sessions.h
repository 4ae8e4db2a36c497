// Who has logged in with a browser. Sessions live in memory alone: whoever restarts the server logs everybody out. Any
// thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "arrow/result.h"

namespace trawl {

struct Session {
  std::string form_token;  // stands in the session's forms, and comes back with them
};

class Sessions {
 public:
  static constexpr int64_t kLifeMs = int64_t{12} * 3600 * 1000;
  // The oldest goes where there would be more.
  static constexpr size_t kMost = 1000;

  // Begins a session, and returns its secret: the value of the cookie.
  arrow::Result<std::string> Begin(int64_t now_ms);
  // The session of a secret; nothing for an unknown one and after kLifeMs.
  std::optional<Session> Find(std::string_view secret, int64_t now_ms) const;
  void End(std::string_view secret);
  void EndAll();

 private:
  struct Known {
    Session session;
    int64_t began_ms = 0;
  };
  mutable std::mutex mutex_;
  // By the digest of the secret: comparing it in a map tells nothing about the secret.
  std::map<std::string, Known> sessions_;
};

}  // namespace trawl
