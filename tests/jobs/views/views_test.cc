#include "jobs/views/views.h"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <thread>

#include "formats/rows/url_row.h"
#include "jobs/verb/verb.h"
#include "jobs/views/failure.h"
#include "tests/support/crawl/segment_fixture.h"
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

}  // namespace
}  // namespace trawl
