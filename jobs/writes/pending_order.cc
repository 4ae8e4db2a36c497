#include "jobs/writes/pending_order.h"

#include <chrono>

namespace trawl {

const OrderOutcome* PendingOrder::Wait(int64_t timeout_ms) const {
  std::unique_lock<std::mutex> lock(mutex_);
  ended_.wait_for(lock, std::chrono::milliseconds(timeout_ms), [this] { return outcome_.has_value(); });
  return outcome_ ? &*outcome_ : nullptr;
}

void PendingOrder::Begin() {
  const std::lock_guard<std::mutex> lock(mutex_);
  is_running_ = true;
}

void PendingOrder::End(OrderOutcome outcome) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (outcome_) return;
    outcome_ = std::move(outcome);
  }
  ended_.notify_all();
}

bool PendingOrder::has_ended() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return outcome_.has_value();
}

Json DoneJson(const std::string& id, const std::string& verb, const Json& answer) {
  return {{"job", id}, {"verb", verb}, {"state", "done"}, {"answer", answer}};
}

Json PendingOrder::ToJson() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!outcome_) return {{"job", id_}, {"verb", verb_}, {"state", is_running_ ? "running" : "waiting"}};
  if (outcome_->status.ok()) return DoneJson(id_, verb_, outcome_->answer);
  return {{"job", id_}, {"verb", verb_}, {"state", "failed"}, {"reason", outcome_->status.message()}};
}

}  // namespace trawl
