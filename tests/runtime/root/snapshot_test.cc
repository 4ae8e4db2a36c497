#include "runtime/root/snapshot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "formats/documents/sealed_json.h"
#include "runtime/root/layout.h"
#include "tests/support/store/faulty_store.h"
#include "tests/support/store/temporary_folder.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

using ::testing::HasSubstr;

Manifest Constants() {
  Manifest first;
  first.normal_form = "standard";
  first.unicode = "17.0";
  return first;
}

class SnapshotTest : public ::testing::Test {
 protected:
  std::shared_ptr<Store> Open() { return *OpenStore(folder_.path() + "/crawl", {.sync = false}); }
  Snapshot Publish(const std::string& job) {
    const Manifest next = NextManifest(*ReadPresent(store_.get()), job, "test", 5);
    EXPECT_EQ(*PublishSnapshot(store_.get(), next), PublishOutcome::kPublished);
    return *ReadPresent(store_.get());
  }

  TemporaryFolder folder_;
  const std::shared_ptr<Store> store_ = Open();
};

TEST_F(SnapshotTest, ARootWithoutACrawlSaysWhatToType) {
  EXPECT_EQ(*PresentNumber(store_.get()), -1);
  EXPECT_THAT(ReadPresent(store_.get()).status().message(), HasSubstr("trawl inject --root"));
  EXPECT_THAT(ReadSnapshot(store_.get(), 3).status().message(), HasSubstr("trawl inject --root"));
}

TEST_F(SnapshotTest, DataWithoutManifestsIsDamageAndNoEmptyCrawl) {
  ASSERT_OK(store_->CreateExclusive("crawldb/urls/x/_run.json", "{}"));
  EXPECT_THAT(ReadPresent(store_.get()).status().message(), HasSubstr("its manifests are missing"));
  EXPECT_THAT(CreateCrawl(store_.get(), Constants()).status().message(), HasSubstr("its manifests are missing"));
}

TEST_F(SnapshotTest, ACrawlIsCreatedOnce) {
  const Snapshot created = *CreateCrawl(store_.get(), Constants());
  EXPECT_EQ(created.manifest, Constants());
  Manifest other = Constants();
  other.normal_form = "fold";
  EXPECT_EQ(CreateCrawl(store_.get(), other)->manifest.normal_form, "standard");
}

TEST_F(SnapshotTest, TheHighestNumberIsThePresentAndAllAreOneChain) {
  ASSERT_OK(CreateCrawl(store_.get(), Constants()));
  for (int i = 1; i <= 12; ++i) EXPECT_EQ(Publish("job" + std::to_string(i)).manifest.number, i);
  const std::vector<Snapshot> history = *ReadHistory(store_.get(), 0);
  ASSERT_EQ(history.size(), 13u);
  for (size_t i = 1; i < history.size(); ++i) {
    EXPECT_EQ(history[i].manifest.previous, history[i - 1].seal);
    EXPECT_EQ(history[i].manifest.normal_form, "standard");
  }
  EXPECT_EQ(ReadHistory(store_.get(), 4)->front().manifest.number, 9);
  EXPECT_EQ(ReadSnapshot(store_.get(), 7)->manifest.job, "job7");
  EXPECT_EQ(ReadSnapshot(store_.get(), 99).status().message(), "there is no snapshot 99; the newest is 12");
}

TEST_F(SnapshotTest, AMissingOrReplacedManifestIsAnErrorThatNamesIt) {
  ASSERT_OK(CreateCrawl(store_.get(), Constants()));
  for (int i = 1; i <= 3; ++i) Publish("job" + std::to_string(i));
  Manifest other = ReadSnapshot(store_.get(), 2)->manifest;
  other.verb = "forged";
  ASSERT_OK(store_->Remove(SnapshotPath(2)));
  EXPECT_THAT(ReadHistory(store_.get(), 0).status().message(), HasSubstr("snapshots/00000002.json: is missing"));
  ASSERT_OK(store_->CreateExclusive(SnapshotPath(2), SealJson(ToJson(other))));
  EXPECT_THAT(ReadHistory(store_.get(), 0).status().message(), HasSubstr("snapshots/00000003.json: does not follow"));
}

TEST_F(SnapshotTest, AnyFlippedByteOfAManifestIsAnError) {
  ASSERT_OK(CreateCrawl(store_.get(), Constants()));
  const std::string text = *store_->ReadWhole(SnapshotPath(0), 1 << 20);
  for (size_t at = 0; at < text.size(); ++at) {
    std::string flipped = text;
    flipped[at] = static_cast<char>(flipped[at] ^ 0x20);
    ASSERT_OK(store_->Remove(SnapshotPath(0)));
    ASSERT_OK(store_->CreateExclusive(SnapshotPath(0), flipped));
    const auto read = ReadPresent(store_.get());
    ASSERT_FALSE(read.ok()) << at;
    EXPECT_THAT(read.status().message(), HasSubstr("snapshots/00000000.json")) << at;
  }
}

TEST_F(SnapshotTest, ATakenNumberIsAConflictAndOnesOwnIsNone) {
  const Snapshot base = *CreateCrawl(store_.get(), Constants());
  const Manifest mine = NextManifest(base, "mine", "test", 5);
  const Manifest theirs = NextManifest(base, "theirs", "test", 5);
  EXPECT_EQ(*PublishSnapshot(store_.get(), mine), PublishOutcome::kPublished);
  EXPECT_EQ(*PublishSnapshot(store_.get(), theirs), PublishOutcome::kConflict);
  // Publishes once more, as after a lost reply.
  EXPECT_EQ(*PublishSnapshot(store_.get(), mine), PublishOutcome::kPublished);
}

TEST_F(SnapshotTest, ALostReplyIsSettledByReading) {
  const Snapshot base = *CreateCrawl(store_.get(), Constants());
  FaultyStore lost(store_, {.fault = Fault::kLoseReply, .at = 1, .only = StoreOperation::kCreate});
  EXPECT_EQ(*PublishSnapshot(&lost, NextManifest(base, "mine", "test", 5)), PublishOutcome::kPublished);
  FaultyStore forgets(store_, {.fault = Fault::kForget, .at = 1, .only = StoreOperation::kCreate});
  const Snapshot second = *ReadPresent(store_.get());
  EXPECT_FALSE(PublishSnapshot(&forgets, NextManifest(second, "more", "test", 5)).ok());
}

TEST_F(SnapshotTest, OfPublishersAtOnceExactlyOneWins) {
  const int rounds = std::getenv("TRAWL_TEST_SOAK") != nullptr ? 1000 : 30;
  ASSERT_OK(CreateCrawl(store_.get(), Constants()));
  for (int round = 0; round < rounds; ++round) {
    const Snapshot base = *ReadPresent(store_.get());
    std::atomic<int> winners{0}, conflicts{0}, waiting{0};
    const int publishers = 2 + round % 2;
    std::vector<std::thread> threads;
    for (int i = 0; i < publishers; ++i) {
      threads.emplace_back([&, i] {
        const auto store = Open();
        const Manifest next = NextManifest(base, "job" + std::to_string(i), "test", round);
        for (++waiting; waiting < publishers;) {
        }
        const auto outcome = PublishSnapshot(store.get(), next);
        if (!outcome.ok()) return;
        ++(*outcome == PublishOutcome::kPublished ? winners : conflicts);
      });
    }
    for (std::thread& thread : threads) thread.join();
    ASSERT_EQ(winners, 1) << "round " << round;
    ASSERT_EQ(conflicts, publishers - 1) << "round " << round;
  }
  EXPECT_EQ(ReadPresent(store_.get())->manifest.number, rounds);
  std::printf("Races of two or three publishers, exactly one winner: %d of %d\n", rounds, rounds);
}

}  // namespace
}  // namespace trawl
