#include "jobs/writes/order_memory.h"

namespace trawl {

namespace {

// An order without its answer, and how much larger a value is than its text.
constexpr size_t kOrderBytes = 1024;
constexpr size_t kValueFactor = 5;

size_t BytesOf(const PendingOrder& order) {
  const OrderOutcome* const outcome = order.Wait(0);
  return kOrderBytes + (outcome == nullptr ? 0 : kValueFactor * DumpJson(outcome->answer).size());
}

}  // namespace

void OrderMemory::Add(const std::shared_ptr<PendingOrder>& order) {
  by_id_[order->id()] = order;
  if (!order->name().key.empty()) by_name_[order->name().key] = order;
}

void OrderMemory::FreeName(const PendingOrder& order) {
  const auto found = by_name_.find(order.name().key);
  if (found != by_name_.end() && found->second.get() == &order) by_name_.erase(found);
}

void OrderMemory::NoteEnd(const std::shared_ptr<PendingOrder>& order, int64_t now_ms) {
  const OrderOutcome* const outcome = order->Wait(0);
  if (outcome == nullptr || !outcome->status.ok()) FreeName(*order);
  ended_.push_back({order, now_ms, BytesOf(*order)});
  bytes_ += ended_.back().bytes;
  Forget(now_ms);
}

void OrderMemory::Forget(int64_t now_ms) {
  while (!ended_.empty() && (bytes_ > most_bytes_ || now_ms - ended_.front().at_ms >= remember_ms_)) {
    const Ended& oldest = ended_.front();
    FreeName(*oldest.order);
    by_id_.erase(oldest.order->id());
    bytes_ -= oldest.bytes;
    ended_.pop_front();
  }
}

std::shared_ptr<PendingOrder> OrderMemory::OfName(const OrderName& name) const {
  const auto found = by_name_.find(name.key);
  return found == by_name_.end() ? nullptr : found->second;
}

std::shared_ptr<PendingOrder> OrderMemory::OfId(const std::string& id) const {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : found->second;
}

}  // namespace trawl
