// A store that is away and a crawl that is damaged are two things.
#include "jobs/serve/readiness.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/root/layout.h"
#include "runtime/store/status.h"
#include "tests/support/crawl/segment_fixture.h"
#include "tests/support/store/faulty_store.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

std::shared_ptr<Store> Unowned(Store* store) { return {std::shared_ptr<Store>(), store}; }

TEST(Readiness, AStoreThatListsAndReadsNothingIsAway) {
  SegmentFixture crawl;
  Readiness readiness;
  ASSERT_OK(readiness.Probe(crawl.store()));
  // The present is known by now: a listing alone would find all well.
  for (const StoreOperation operation : {StoreOperation::kList, StoreOperation::kOpen, StoreOperation::kRead}) {
    FaultyStore store(Unowned(crawl.store()), {Fault::kFail, 1, operation});
    EXPECT_TRUE(readiness.Probe(&store).IsIOError()) << NameOf(operation);
    EXPECT_OK(readiness.Probe(&store)) << "it has come back";
    EXPECT_OK(readiness.state());
  }
}

TEST(Readiness, ADamagedPresentIsNotAStoreThatIsAway) {
  SegmentFixture crawl;
  const std::string next = SnapshotPath(crawl.Present().number + 1);
  ASSERT_OK(crawl.store()->CreateExclusive(next, "{}").status());
  Readiness readiness;
  EXPECT_OK(readiness.Probe(crawl.store()));
  EXPECT_THAT(readiness.state().message(), testing::HasSubstr(next));
  ASSERT_OK(crawl.store()->Remove(next));
  EXPECT_OK(readiness.Probe(crawl.store()));
  EXPECT_OK(readiness.state());
}

TEST(Readiness, AFolderWithoutACrawlSaysSo) {
  TemporaryFolder folder;
  const auto store = OpenStore(folder.path()).ValueOrDie();
  Readiness readiness;
  EXPECT_THAT(readiness.Probe(store.get()).message(), testing::HasSubstr("is not a crawl"));
}

}  // namespace
}  // namespace trawl
