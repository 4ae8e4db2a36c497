// The chain of a fetch task. Leases here last milliseconds, and the tests wait for the other's entry, never for a time.
#include "runtime/root/attempt_chain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "formats/documents/sealed_json.h"
#include "runtime/process/own_process.h"
#include "runtime/root/layout.h"
#include "tests/support/process/manual_clock.h"
#include "tests/support/store/faulty_store.h"
#include "tests/support/store/temporary_folder.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

class AttemptChainTest : public testing::Test {
 protected:
  AttemptChainTest() : store_(OpenStore(folder_.path(), {.sync = false}).ValueOrDie()) {}

  static AttemptChainOptions Options(const std::string& attempt, int64_t lease_ms = 60'000) {
    AttemptChainOptions options;
    options.segment = "seg";
    options.task = 2;
    options.attempt = attempt;
    options.lists_job = "lists";
    options.lease_ms = lease_ms;
    options.now_ms = [] { return TimeMs{1'772'366'400'000}; };
    return options;
  }
  arrow::Result<std::unique_ptr<AttemptChain>> Begin(AttemptChainOptions options, Store* store = nullptr,
                                                     const Clock& clock = SystemClock()) {
    return AttemptChain::Begin(store != nullptr ? store : store_.get(), clock, StopToken(), std::move(options));
  }
  static std::map<std::string, std::vector<FileReceipt>> Files(const std::string& name) {
    FileReceipt file;
    file.name = name;
    return {{"fetch", {file}}};
  }
  // Writes an entry as another process would have written it.
  void WriteEntry(int64_t number, const AttemptEntry& entry) {
    ASSERT_OK(store_->CreateExclusive(AttemptPath("seg", 2, number), SealJson(ToJson(entry))));
  }
  static AttemptEntry OthersBegin(const ProcessIdentity& process, int64_t lease_ms) {
    AttemptEntry entry;
    entry.event = AttemptEvent::kBegin;
    entry.attempt = "other";
    entry.process = process;
    entry.lease_ms = lease_ms;
    entry.lists_job = "lists";
    return entry;
  }

  TemporaryFolder folder_;
  std::unique_ptr<Store> store_;
};

TEST_F(AttemptChainTest, ASuccessorFindsThePartsOfAllBefore) {
  {
    ASSERT_OK_AND_ASSIGN(const auto first, Begin(Options("a")));
    EXPECT_FALSE(first->continues());
    ASSERT_OK(first->AddPart(Files("1"), {{"pages", 1}}));
    ASSERT_OK(first->AddPart(Files("2"), Json::object()));
    ASSERT_OK(first->End(/*done=*/false));
    EXPECT_TRUE(first->lost());  // it sends no more requests
  }
  ASSERT_OK_AND_ASSIGN(const auto second, Begin(Options("b")));
  EXPECT_TRUE(second->continues());
  ASSERT_EQ(second->parts().size(), 2u);
  EXPECT_EQ(second->parts()[0].counters["pages"], 1);
  ASSERT_OK(second->AddPart(Files("3"), Json::object()));
  ASSERT_OK(second->End(/*done=*/true));
  ASSERT_OK_AND_ASSIGN(const auto third, Begin(Options("c")));
  EXPECT_TRUE(third->done());
  EXPECT_EQ(third->parts().size(), 3u);
  ASSERT_OK_AND_ASSIGN(const auto entries, store_->List(AttemptFolder("seg", 2), false));
  EXPECT_EQ(entries.size(), 7u);  // the third wrote nothing
}

TEST_F(AttemptChainTest, WhoeverLosesACreateHasLostTheList) {
  ASSERT_OK_AND_ASSIGN(const auto chain, Begin(Options("a")));
  EXPECT_GT(chain->AsksUntilMs(), SystemClock().MonotonicMs());
  WriteEntry(1, OthersBegin({}, 60'000));
  EXPECT_FALSE(chain->AddPart(Files("1"), Json::object()).ok());
  EXPECT_TRUE(chain->lost());
  EXPECT_LT(chain->AsksUntilMs(), SystemClock().MonotonicMs());
  EXPECT_FALSE(chain->AddPart(Files("1"), Json::object()).ok());
}

// A process that was stopped for a week wakes up: its numbers are free again, and are not its own.
TEST_F(AttemptChainTest, WhoeverWakesUpAfterTheChainIsGoneHasLostTheList) {
  ASSERT_OK_AND_ASSIGN(const auto asleep, Begin(Options("a")));
  ASSERT_OK(asleep->AddPart(Files("1"), Json::object()));
  AttemptEntry end = OthersBegin(OwnProcess(), 60'000);
  WriteEntry(2, end);
  ASSERT_OK(RemoveAttempts(store_.get(), "seg"));
  EXPECT_FALSE(asleep->AddPart(Files("2"), Json::object()).ok());
  EXPECT_TRUE(asleep->lost());
  ASSERT_OK(RemoveAttempts(store_.get(), "seg"));
  ASSERT_OK(RemoveAttempts(store_.get(), "there was none"));
}

TEST_F(AttemptChainTest, ALivingAttemptIsWaitedForUntilItEnds) {
  ManualClock clock;
  ASSERT_OK_AND_ASSIGN(const auto first, Begin(Options("a", 300), nullptr, clock));
  std::atomic<int> waited = 0;
  AttemptChainOptions options = Options("b", 300);
  options.waiting = [&waited](const AttemptEntry& head) {
    EXPECT_EQ(head.attempt, "a");
    ++waited;
  };
  std::unique_ptr<AttemptChain> second;
  std::thread other([&] { second = Begin(options, nullptr, clock).ValueOrDie(); });
  // More than three leases pass, each only after the first has beaten and the other has looked.
  for (int i = 0; i < 10; ++i) {
    clock.Advance(100);
    const int looked = waited;
    while (first->AsksUntilMs() < clock.MonotonicMs() + 300 || waited < looked + 2) std::this_thread::yield();
  }
  EXPECT_FALSE(first->lost());
  ASSERT_OK(first->AddPart(Files("1"), Json::object()));
  ASSERT_OK(first->End(false));
  other.join();
  EXPECT_EQ(second->parts().size(), 1u);
}

// Its chain may be gone before the waiting one has seen that it ended.
TEST_F(AttemptChainTest, NobodyIsWaitedForOnceTheStepIsOver) {
  ASSERT_OK_AND_ASSIGN(const auto first, Begin(Options("a")));
  AttemptChainOptions options = Options("b");
  int asked = 0;
  options.is_over = [&]() -> arrow::Result<bool> {
    ARROW_RETURN_NOT_OK(RemoveAttempts(store_.get(), "seg"));
    return ++asked == 2;
  };
  ASSERT_OK_AND_ASSIGN(const auto second, Begin(options));
  EXPECT_TRUE(second->done());
  EXPECT_EQ(asked, 2);
}

TEST_F(AttemptChainTest, ASilentAttemptIsWaitedOutForItsOwnLease) {
  WriteEntry(0, OthersBegin({"another machine", 1, 1}, 250));
  const int64_t began_ms = SystemClock().MonotonicMs();
  ASSERT_OK_AND_ASSIGN(const auto chain, Begin(Options("b")));
  EXPECT_GE(SystemClock().MonotonicMs() - began_ms, 250);
  EXPECT_TRUE(chain->continues());
}

TEST_F(AttemptChainTest, ADeadProcessOfThisMachineIsNotWaitedFor) {
  ProcessIdentity dead = OwnProcess();
  EXPECT_FALSE(IsKnownDead(dead));
  const pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, nullptr, 0);
  dead.pid = child;
  EXPECT_TRUE(IsKnownDead(dead));
  EXPECT_FALSE(IsKnownDead({"another machine", child, 1}));
  ProcessIdentity another = OwnProcess();  // the number now belongs to another process
  another.started -= 1;
  EXPECT_TRUE(IsKnownDead(another));
  WriteEntry(0, OthersBegin(dead, 3'600'000));
  ASSERT_OK_AND_ASSIGN(const auto chain, Begin(Options("b")));
  EXPECT_TRUE(chain->continues());
}

// Each entry is whole by its seal, but was written elsewhere.
TEST_F(AttemptChainTest, AnEntryOfAnotherPlaceIsAnErrorThatNamesIt) {
  {
    ASSERT_OK_AND_ASSIGN(const auto chain, Begin(Options("a")));
    ASSERT_OK(chain->AddPart(Files("1"), Json::object()));
    ASSERT_OK(chain->AddPart(Files("2"), Json::object()));
    ASSERT_OK(chain->End(false));
  }
  const auto put = [this](int from, int to) {
    ASSERT_OK_AND_ASSIGN(const std::string text, store_->ReadWhole(AttemptPath("seg", 2, from), 1 << 20));
    ASSERT_OK(store_->Remove(AttemptPath("seg", 2, to)));
    ASSERT_OK(store_->CreateExclusive(AttemptPath("seg", 2, to), text));
  };
  put(1, 2);
  EXPECT_THAT(Begin(Options("b")).status().message(),
              ::testing::HasSubstr("_attempts/2/2.json: names 1, and so does 1.json"));
  put(3, 2);
  EXPECT_OK(Begin(Options("b")).status()) << "an end more changes nothing";
  put(2, 0);
  EXPECT_THAT(Begin(Options("c")).status().message(),
              ::testing::HasSubstr("_attempts/2/0.json: is of attempt a, which is not the one that began last"));
}

TEST_F(AttemptChainTest, OtherListsAreAnError) {
  ASSERT_OK(Begin(Options("a")));
  AttemptChainOptions options = Options("b");
  options.lists_job = "others";
  EXPECT_FALSE(Begin(options).ok());
}

// Every operation of the chain fails, is lost or loses its reply once: the entries are whole afterwards, and an attempt
// that reports a part as safe is right.
TEST_F(AttemptChainTest, FaultsOfTheStoreLoseNoPart) {
  for (const Fault fault : {Fault::kFail, Fault::kLoseReply}) {
    for (int64_t at = 1;; ++at) {
      TemporaryFolder folder;
      std::shared_ptr<Store> inner = OpenStore(folder.path(), {.sync = false}).ValueOrDie();
      FaultyStore store(inner, {fault, at, {}});
      const auto chain = Begin(Options("a", 1'000), &store);
      if (chain.ok()) {
        const bool safe = (*chain)->AddPart(Files("1"), Json::object()).ok();
        const bool ended = (*chain)->End(true).ok();
        EXPECT_TRUE(safe && ended) << store.fault_point();
      }
      const auto after = Begin(Options("b", 1'000), inner.get());
      ASSERT_OK(after);
      EXPECT_EQ((*after)->done(), chain.ok()) << store.fault_point();
      EXPECT_EQ((*after)->parts().size(), chain.ok() ? 1u : 0u) << store.fault_point();
      if (!store.reached()) break;
    }
  }
}

TEST_F(AttemptChainTest, AStoreThatIsGoneEndsTheLease) {
  std::shared_ptr<Store> inner = OpenStore(folder_.path(), {.sync = false}).ValueOrDie();
  FaultyStore store(inner, {Fault::kTear, 4, {}});  // everything fails from here on
  const auto chain = Begin(Options("a", 400), &store);
  ASSERT_OK(chain);
  EXPECT_FALSE((*chain)->AddPart(Files("1"), Json::object()).ok() &&
               (*chain)->AddPart(Files("2"), Json::object()).ok());
  while (SystemClock().MonotonicMs() < (*chain)->AsksUntilMs()) std::this_thread::yield();
  EXPECT_GE(SystemClock().MonotonicMs(), (*chain)->AsksUntilMs());
}

}  // namespace
}  // namespace trawl
