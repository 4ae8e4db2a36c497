// Records that a map task combines before it sends them in blocks.
#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "runtime/blocks/sink.h"
#include "runtime/blocks/stream.h"
#include "runtime/shuffle/trailer.h"
#include "tests/support/store/temporary_folder.h"
#include "tests/support/values/assert_ok.h"
#include "tests/support/values/byte_streams.h"
#include "tests/support/values/hadoop_sort.h"
#include "tests/support/values/summing_combiner.h"

namespace trawl {
namespace {

constexpr int64_t kMiB = 1 << 20;
constexpr int kPartitions = 2;

struct Sent {
  std::string frames;
  std::vector<SummedGroups> model{kPartitions};
  int64_t records = 0;
};

Sent SendFrom(int maps, int records, int64_t sort_bytes, int64_t block_bytes, bool combines,
              const TemporaryFolder& folder) {
  Sent sent;
  StringSink bytes;
  for (int map = 0; map < maps; ++map) {
    BlockSinkOptions options = {.partitions = kPartitions,
                                .map_task = static_cast<uint32_t>(map),
                                .block_bytes = block_bytes,
                                .sort_bytes = sort_bytes,
                                .temp_folder = folder.path()};
    if (combines) options.combiner = [] { return std::make_unique<SummingCombiner>(); };
    const auto sink = BlockSink::Make(&bytes, options).ValueOrDie();
    TrailerSink counted(sink.get(), static_cast<uint32_t>(map), kPartitions);
    std::mt19937_64 random(static_cast<uint64_t>(map));
    for (int i = 0; i < records; ++i) {
      const size_t partition = random() % kPartitions;
      // One key has half of all records.
      const std::string key = "\x01" + (random() % 2 == 0 ? "hot" : std::to_string(random() % 500));
      const std::string value = random() % 9 == 0 ? "other" : NumberValue(random() % 100);
      EXPECT_OK(counted.Emit(static_cast<int>(partition), key, value));
      sent.model[partition][key].Add(value);
      ++sent.records;
    }
    EXPECT_OK(counted.Finish());
    EXPECT_OK(sink->Finish());
  }
  sent.frames = bytes.written();
  return sent;
}

TEST(BlockSink, CombinedRecordsGiveTheSameSumsAndTrailersKnowOfThem) {
  const TemporaryFolder folder;
  int cases = 0;
  for (const int maps : {1, 7}) {
    for (const int64_t sort_mib : {4, 64}) {
      for (const int64_t block_bytes : {int64_t{1} << 10, int64_t{256} << 10}) {
        SCOPED_TRACE(testing::Message() << maps << " maps, " << sort_mib << " MiB, " << block_bytes);
        const Sent sent = SendFrom(maps, 150'000 / maps, sort_mib * kMiB, block_bytes, true, folder);
        int64_t came = 0, combined = 0;
        for (int partition = 0; partition < kPartitions; ++partition) {
          const std::string sorted = SortedByHadoop(FramesOfPartition(sent.frames, partition, kPartitions), 5);
          StringSource source(sorted);
          ASSERT_OK_AND_ASSIGN(
              const auto groups,
              BlockGroupStream::Make(&source, {.map_tasks = static_cast<size_t>(maps), .window_bytes = 16 * kMiB}));
          TrailerCheck check(groups.get(), static_cast<uint32_t>(maps));
          EXPECT_TRUE(SummedBy(&check) == sent.model[static_cast<size_t>(partition)]);
          EXPECT_OK(check.Finish());
          came += check.records();
          combined += check.combined();
        }
        EXPECT_EQ(came + combined, sent.records);
        EXPECT_GT(combined, 0);
        // A number for each key, map task and partition at most, beside the values that are none.
        EXPECT_LT(came, sent.records / 9 * 1.1 + 501.0 * maps * kPartitions);
        ++cases;
      }
    }
  }
  EXPECT_EQ(cases, 8);
}

TEST(BlockSink, CombiningSendsFewerBytes) {
  const TemporaryFolder folder;
  const size_t all = SendFrom(3, 50'000, 64 * kMiB, 256 << 10, false, folder).frames.size();
  const size_t combined = SendFrom(3, 50'000, 64 * kMiB, 256 << 10, true, folder).frames.size();
  EXPECT_LT(2 * combined, all) << combined << " of " << all;
}

// A block that is lost takes records with it, whether they were combined or not.
TEST(BlockSink, ALostNoteIsMissed) {
  const TemporaryFolder folder;
  const Sent sent = SendFrom(1, 2'000, 64 * kMiB, 1 << 10, true, folder);
  std::vector<OwnFrame> frames = FramesOfPartition(sent.frames, 0, kPartitions);
  const std::string whole = SortedByHadoop(frames);
  StringSource source(whole);
  ASSERT_OK_AND_ASSIGN(const auto groups, BlockGroupStream::Make(&source, {.map_tasks = 1}));
  // All that is under the trailers' key but the trailer.
  class WithoutNote : public GroupStream {
   public:
    explicit WithoutNote(GroupStream* groups) : groups_(groups) {}
    arrow::Result<bool> NextGroup() override { return groups_->NextGroup(); }
    std::string_view key() const override { return groups_->key(); }
    arrow::Result<bool> NextValue(std::string_view* value) override {
      ARROW_ASSIGN_OR_RAISE(const bool more, groups_->NextValue(value));
      const bool is_note = more && groups_->key() == kTrailerKey && value->size() == 8;
      return is_note ? groups_->NextValue(value) : more;
    }

   private:
    GroupStream* const groups_;
  } without(groups.get());
  TrailerCheck check(&without, 1);
  const arrow::Status status = check.Finish();
  EXPECT_NE(status.message().find("records came where the map tasks sent"), std::string::npos) << status.message();
}

}  // namespace
}  // namespace trawl
