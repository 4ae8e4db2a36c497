#include "jobs/serve/sessions.h"

#include <algorithm>

#include "formats/digests/digest.h"
#include "jobs/serve/token.h"

namespace trawl {

arrow::Result<std::string> Sessions::Begin(int64_t now_ms) {
  ARROW_ASSIGN_OR_RAISE(const std::string secret, MakeSecret());
  ARROW_ASSIGN_OR_RAISE(const std::string form_token, MakeSecret());
  const std::lock_guard lock(mutex_);
  std::erase_if(sessions_, [now_ms](const auto& entry) { return now_ms - entry.second.began_ms >= kLifeMs; });
  if (sessions_.size() >= kMost) {
    sessions_.erase(std::min_element(sessions_.begin(), sessions_.end(), [](const auto& a, const auto& b) {
      return a.second.began_ms < b.second.began_ms;
    }));
  }
  sessions_[Sha256Of(secret)] = {.session = {.form_token = form_token}, .began_ms = now_ms};
  return secret;
}

std::optional<Session> Sessions::Find(std::string_view secret, int64_t now_ms) const {
  const std::lock_guard lock(mutex_);
  const auto found = sessions_.find(Sha256Of(secret));
  if (found == sessions_.end() || now_ms - found->second.began_ms >= kLifeMs) return std::nullopt;
  return found->second.session;
}

void Sessions::End(std::string_view secret) {
  const std::lock_guard lock(mutex_);
  sessions_.erase(Sha256Of(secret));
}

void Sessions::EndAll() {
  const std::lock_guard lock(mutex_);
  sessions_.clear();
}

}  // namespace trawl
