#include "jobs/views/views.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <latch>
#include <thread>

#include "formats/rows/url_row.h"
#include "jobs/verb/verb.h"
#include "jobs/views/failure.h"
#include "runtime/process/status_detail.h"
#include "tests/support/crawl/segment_fixture.h"
#include "tests/support/store/forwarding_store.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

class ViewsTest : public ::testing::Test {
 protected:
  ViewsTest() : options_({}, AllGroups(Verbs())) { EXPECT_OK(Publish()); }

  arrow::Status Publish() { return crawl_.Put<UrlRow>({UnfetchedRow("test,host)/" + std::to_string(++published_))}); }
  std::unique_ptr<Views> Make(int64_t refresh_ms, std::function<void(const View&, const StopToken&)> prepare = {}) {
    return Views::Make({.store = crawl_.store(),
                        .options = &options_,
                        .clock = &SystemClock(),
                        .refresh_ms = refresh_ms,
                        .prepare = std::move(prepare)})
        .ValueOrDie();
  }

  SegmentFixture crawl_;
  const EffectiveOptions options_;
  int published_ = 0;
};

TEST_F(ViewsTest, ThePresentFollowsWhatIsPublished) {
  const auto views = Make(0);
  EXPECT_EQ(views->Present().ValueOrDie()->number(), 1);
  for (int i = 0; i < 3; ++i) ASSERT_OK(Publish());
  EXPECT_EQ(views->Present().ValueOrDie()->number(), 4);
}

TEST_F(ViewsTest, TheHeadIsLookedForNotMoreOftenThanWanted) {
  const auto views = Make(3'600'000);
  const auto first = views->Present().ValueOrDie();
  ASSERT_OK(Publish());
  EXPECT_EQ(views->Present().ValueOrDie(), first);
  // What this process published is known at once.
  views->Published(2);
  EXPECT_EQ(views->Present().ValueOrDie()->number(), 2);
}

TEST_F(ViewsTest, WhileASnapshotIsPreparedTheOneBeforeAnswers) {
  std::latch may_end(1);
  const auto views = Make(0, [&](const View& view, const StopToken&) {
    if (view.number() == 2) may_end.wait();
  });
  EXPECT_EQ(views->Prepared(StopToken()).ValueOrDie()->number(), 1);
  ASSERT_OK(Publish());
  EXPECT_EQ(views->Present().ValueOrDie()->number(), 2);
  EXPECT_EQ(views->Prepared(StopToken()).ValueOrDie()->number(), 1);
  may_end.count_down();
  while (views->Prepared(StopToken()).ValueOrDie()->number() < 2) std::this_thread::yield();
}

TEST_F(ViewsTest, AValueIsMadeOnceHoweverManyAsk) {
  const auto views = Make(0);
  const auto view = views->Present().ValueOrDie();
  std::atomic<int> made{0};
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back(
        [&] { EXPECT_EQ(view->Once<int>("value", [&]() -> arrow::Result<int> { return ++made; }).ValueOrDie(), 1); });
  }
  threads.clear();
  EXPECT_EQ(made, 1);
}

TEST_F(ViewsTest, AValueThatCouldNotBeMadeIsTriedAgain) {
  const auto views = Make(0);
  const auto view = views->Present().ValueOrDie();
  EXPECT_FALSE(view->Once<int>("value", []() -> arrow::Result<int> { return arrow::Status::IOError("away"); }).ok());
  EXPECT_EQ(view->Once<int>("value", []() -> arrow::Result<int> { return 7; }).ValueOrDie(), 7);
}

TEST_F(ViewsTest, OlderSnapshotsAreOpenedAndNewerOnesAreUnknown) {
  for (int i = 0; i < 8; ++i) ASSERT_OK(Publish());
  const auto views = Make(0);
  for (int64_t number = 0; number <= 9; ++number) EXPECT_EQ(views->At(number).ValueOrDie()->number(), number);
  EXPECT_EQ(ProblemOf(views->At(10).status()).status, 404);
}

TEST_F(ViewsTest, OldViewsThatNobodyUsesAreClosed) {
  for (int i = 0; i < 12; ++i) ASSERT_OK(Publish());
  const auto views = Make(0);
  std::vector<std::weak_ptr<const View>> opened;
  for (int64_t number = 0; number < 12; ++number) opened.push_back(views->At(number).ValueOrDie());
  const auto is_open = [](const auto& view) { return !view.expired(); };
  EXPECT_EQ(std::count_if(opened.begin(), opened.end(), is_open), 4);
  EXPECT_TRUE(is_open(opened.back()));
  // The present is closed, too, once there is a newer one that is prepared.
  const std::weak_ptr<const View> present = views->Present().ValueOrDie();
  ASSERT_OK(Publish());
  while (views->Prepared(StopToken()).ValueOrDie()->number() < 14) std::this_thread::yield();
  EXPECT_TRUE(present.expired());
}

// -- a slow store -----------------------------------------------------------------------------------------------------

// Tells nothing of what there is before `answers`.
class SlowStore : public ForwardingStore {
 public:
  using ForwardingStore::ForwardingStore;
  std::latch answers{1};

  arrow::Result<std::vector<StoreEntry>> List(const std::string& folder, bool recursive) override {
    answers.wait();
    return ForwardingStore::List(folder, recursive);
  }
};

// Its seconds pass in ten milliseconds until it stands.
class FastClock : public Clock {
 public:
  std::atomic<int64_t> ahead_ms{0};
  void Stand() { stands_at_ms_ = MonotonicMs(); }
  TimeMs NowMs() const override { return SystemClock().NowMs(); }
  int64_t MonotonicMs() const override {
    const int64_t stands_at_ms = stands_at_ms_;
    return stands_at_ms >= 0 ? stands_at_ms : 100 * SystemClock().MonotonicMs() + ahead_ms;
  }

 private:
  std::atomic<int64_t> stands_at_ms_{-1};
};

class SlowStartTest : public ViewsTest {
 protected:
  arrow::Result<std::unique_ptr<Views>> MakeSlowly(std::function<void(const std::string&)> say) {
    return Views::Make({.store = &store_,
                        .options = &options_,
                        .clock = &clock_,
                        .start_wait_ms = 3'600'000,
                        .stop = stop_.token(),
                        .say = std::move(say)});
  }

  SlowStore store_{crawl_.store()};
  FastClock clock_;
  const StopSource stop_ = StopSource::Make().ValueOrDie();
};

TEST_F(SlowStartTest, ASlowStoreIsWaitedForAndThatIsSaid) {
  std::string said;
  const auto views = MakeSlowly([&](const std::string& text) {
    said += text;
    clock_.Stand();  // a busy machine may take more than ten milliseconds for a look
    store_.answers.count_down();
  });
  ASSERT_OK(views.status());
  EXPECT_EQ(said, "the crawl's store has not answered for some seconds; waiting for it");
  const auto present = (*views)->Present();
  ASSERT_OK(present.status());
  EXPECT_EQ((*present)->number(), 1);
}

TEST_F(SlowStartTest, TheWaitForASlowStoreEnds) {
  const auto views = MakeSlowly([this](const std::string&) {
    clock_.ahead_ms = 4'000'000;
    store_.answers.count_down();
  });
  EXPECT_EQ(ProblemOf(views.status()).status, 503);
}

TEST_F(SlowStartTest, WhoStopsDoesNotWaitForASlowStore) {
  const auto views = MakeSlowly([this](const std::string&) {
    stop_.Stop();
    store_.answers.count_down();
  });
  EXPECT_EQ(KindOf(views.status()), StatusKind::kStopped);
}

}  // namespace
}  // namespace trawl
