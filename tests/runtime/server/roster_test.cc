// Who goes when there are too many connections.
#include "runtime/server/roster.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace trawl {
namespace {

class TestGuest : public Guest {
 public:
  TestGuest(Roster* roster, const std::string& address, GuestPhase phase, int64_t since_ms) : Guest(address) {
    EnterPhase(phase, since_ms, since_ms + 100);
    roster->Add(this);
  }
  void Expire() override { ++expired; }
  void End() override { ++ended; }
  bool IsWaiting() const override { return is_waiting; }
  bool is_waiting = false;
  int expired = 0, ended = 0;
};

TEST(Roster, IdleOnesGoFirstThenWhoeverIsSlowForLongest) {
  Roster roster({.connections = 7, .connections_per_address = 7});
  TestGuest handled(&roster, "a", GuestPhase::kHandler, 0);
  TestGuest taking(&roster, "a", GuestPhase::kAnswer, 1);
  TestGuest sending(&roster, "a", GuestPhase::kBody, 2);
  TestGuest young(&roster, "a", GuestPhase::kHeader, 5);
  TestGuest old(&roster, "a", GuestPhase::kHeader, 3);
  TestGuest pipelining(&roster, "a", GuestPhase::kPipeline, 4);
  TestGuest idle(&roster, "a", GuestPhase::kBetween, 6);
  std::vector<TestGuest*> expected = {&idle, &taking, &sending, &old, &pipelining, &young};
  std::vector<std::unique_ptr<TestGuest>> later;
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_TRUE(roster.MakeRoom("b"));
    EXPECT_EQ(expected[i]->ended, 1) << i;
    // The new one comes in, and is soon worked for.
    roster.Remove(expected[i]);
    later.push_back(std::make_unique<TestGuest>(&roster, "b", GuestPhase::kHandler, 9));
  }
  EXPECT_FALSE(roster.MakeRoom("b")) << "all are worked for";
  EXPECT_EQ(handled.ended, 0);
  later.back()->is_waiting = true;
  EXPECT_TRUE(roster.MakeRoom("b")) << "no handler has time for it yet";
  EXPECT_EQ(later.back()->ended, 1);
}

TEST(Roster, AnAddressThatIsFullLosesItsOwn) {
  Roster roster({.connections = 10, .connections_per_address = 2});
  TestGuest other(&roster, "b", GuestPhase::kBetween, 0);
  TestGuest first(&roster, "a", GuestPhase::kHeader, 1), second(&roster, "a", GuestPhase::kHeader, 2);
  EXPECT_TRUE(roster.MakeRoom("c"));
  EXPECT_TRUE(roster.MakeRoom("a"));
  EXPECT_EQ(other.ended, 0);
  EXPECT_EQ(first.ended, 1);
  EXPECT_TRUE(roster.MakeRoom("a")) << "the first does not count any more";
  EXPECT_EQ(second.ended, 0);
}

TEST(Roster, ADeadlineIsToldUntilTheGuestIsGone) {
  Roster roster({});
  TestGuest guest(&roster, "a", GuestPhase::kHeader, 0);
  roster.Sweep(99);
  EXPECT_EQ(guest.expired, 0);
  roster.Sweep(100);
  EXPECT_EQ(guest.expired, 1);
  roster.Sweep(101);
  EXPECT_EQ(guest.expired, 2) << "what it waited for may have ended just before";
  roster.Remove(&guest);
  roster.Sweep(102);
  EXPECT_EQ(guest.expired, 2);
}

TEST(Roster, PhasesEndTogether) {
  Roster roster({});
  TestGuest idle(&roster, "a", GuestPhase::kBetween, 0), slow(&roster, "a", GuestPhase::kHeader, 0);
  TestGuest handled(&roster, "a", GuestPhase::kHandler, 0);
  roster.EndUpTo(GuestPhase::kHeader);
  EXPECT_EQ(idle.ended + slow.ended, 2);
  EXPECT_EQ(handled.ended, 0);
  roster.EndUpTo(GuestPhase::kHandler);
  EXPECT_EQ(handled.ended, 1);
}

}  // namespace
}  // namespace trawl
