// What is remembered of orders, and when it is forgotten.
#include "jobs/writes/order_memory.h"

#include <gtest/gtest.h>

namespace trawl {
namespace {

std::shared_ptr<PendingOrder> OrderOf(const std::string& id, const std::string& key = "") {
  return std::make_shared<PendingOrder>(id, DropOrder{"example,a)/"}, MakeOrderName(key, "DELETE", "/x", ""));
}
OrderName NameOf(const std::string& key) { return MakeOrderName(key, "DELETE", "/x", ""); }
OrderOutcome Done(size_t bytes = 0) { return {.status = {}, .answer = {{"text", std::string(bytes, 'x')}}}; }

TEST(OrderMemory, EndedOrdersAreForgottenAfterTheirTime) {
  OrderMemory memory(1'000, 1 << 20);
  const auto one = OrderOf("1", "k1"), two = OrderOf("2", "k2"), waiting = OrderOf("3", "k3");
  for (const auto& order : {one, two, waiting}) memory.Add(order);
  one->End(Done());
  memory.NoteEnd(one, 100);
  two->End(Done());
  memory.NoteEnd(two, 600);
  memory.Forget(1'099);
  EXPECT_EQ(memory.OfName(NameOf("k1")), one);
  memory.Forget(1'100);
  EXPECT_EQ(memory.OfName(NameOf("k1")), nullptr);
  EXPECT_EQ(memory.OfId("1"), nullptr);
  EXPECT_EQ(memory.OfName(NameOf("k2")), two);
  memory.Forget(1'000'000);
  EXPECT_EQ(memory.OfId("3"), waiting) << "what has not ended stays";
  EXPECT_EQ(memory.bytes(), 0u);
}

TEST(OrderMemory, TheOldestGoWhereAnswersTakeTooMuch) {
  OrderMemory memory(1'000'000, 40'000);
  for (int i = 0; i < 10; ++i) {
    const auto order = OrderOf(std::to_string(i), "k" + std::to_string(i));
    memory.Add(order);
    order->End(Done(1'000));
    memory.NoteEnd(order, i);
    EXPECT_LE(memory.bytes(), 40'000u);
  }
  EXPECT_EQ(memory.OfName(NameOf("k0")), nullptr);
  EXPECT_NE(memory.OfName(NameOf("k9")), nullptr);
}

TEST(OrderMemory, AFailedOrderFreesItsNameForTheNext) {
  OrderMemory memory(1'000, 1 << 20);
  const auto failed = OrderOf("1", "k");
  memory.Add(failed);
  failed->End({.status = arrow::Status::IOError("the disk is full"), .answer = {}});
  memory.NoteEnd(failed, 0);
  EXPECT_EQ(memory.OfName(NameOf("k")), nullptr);
  EXPECT_EQ(memory.OfId("1"), failed) << "whoever asks is told why";
  const auto next = OrderOf("2", "k");
  memory.Add(next);
  memory.Forget(10'000);
  EXPECT_EQ(memory.OfName(NameOf("k")), next) << "forgetting the first one leaves the second one's name";
}

}  // namespace
}  // namespace trawl
