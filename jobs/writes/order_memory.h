// Which orders are known, by their id and by the name that their client gave them. Ended ones are forgotten after a time, or
// when they take too much memory; the oldest go first. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>

#include "jobs/writes/pending_order.h"

namespace trawl {

class OrderMemory {
 public:
  OrderMemory(int64_t remember_ms, size_t most_bytes) : remember_ms_(remember_ms), most_bytes_(most_bytes) {}

  void Add(const std::shared_ptr<PendingOrder>& order);
  // The order has ended. A name whose order failed is free again. Times are those of a monotonic clock.
  void NoteEnd(const std::shared_ptr<PendingOrder>& order, int64_t now_ms);
  void Forget(int64_t now_ms);

  // Null where there is none.
  std::shared_ptr<PendingOrder> OfName(const OrderName& name) const;
  std::shared_ptr<PendingOrder> OfId(const std::string& id) const;
  size_t bytes() const { return bytes_; }

 private:
  struct Ended {
    std::shared_ptr<PendingOrder> order;
    int64_t at_ms = 0;
    size_t bytes = 0;
  };
  void FreeName(const PendingOrder& order);

  const int64_t remember_ms_;
  const size_t most_bytes_;
  std::map<std::string, std::shared_ptr<PendingOrder>> by_id_, by_name_;
  std::deque<Ended> ended_;  // oldest first
  size_t bytes_ = 0;
};

}  // namespace trawl
