// An order from when it was taken until it is forgotten. Any thread.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "formats/documents/json.h"
#include "jobs/writes/writes.h"

namespace trawl {

class PendingOrder : public OrderTicket {
 public:
  PendingOrder(std::string id, Order order, OrderName name)
      : id_(std::move(id)), verb_(NameOf(order)), name_(std::move(name)), order_(std::move(order)) {}

  const std::string& id() const override { return id_; }
  const OrderOutcome* Wait(int64_t timeout_ms) const override;

  const OrderName& name() const { return name_; }
  // REQUIRES for both: the caller is the thread that carries it out, or nobody does.
  const Order& order() const { return order_; }
  // Frees the order's memory: only its outcome counts from now on.
  void LetGo() { order_ = DropOrder(); }

  void Begin();
  // Does nothing where it has ended.
  void End(OrderOutcome outcome);
  bool has_ended() const;
  // As Writes::Find tells it.
  Json ToJson() const;

 private:
  const std::string id_;
  const std::string verb_;
  const OrderName name_;
  Order order_;

  mutable std::mutex mutex_;  // guards what follows; an outcome does not change any more
  mutable std::condition_variable ended_;
  bool is_running_ = false;
  std::optional<OrderOutcome> outcome_;
};

// What Find tells of an order that was carried out.
Json DoneJson(const std::string& id, const std::string& verb, const Json& answer);

}  // namespace trawl
