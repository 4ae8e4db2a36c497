// Records that are combined on their way through the shuffle: the reducer's result is that of all records.
#include "runtime/shuffle/combiner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "runtime/shuffle/combined_records.h"
#include "runtime/shuffle/shuffle.h"
#include "runtime/shuffle/trailer.h"
#include "tests/support/store/temporary_folder.h"
#include "tests/support/values/assert_ok.h"
#include "tests/support/values/summing_combiner.h"

namespace trawl {
namespace {

using ::testing::HasSubstr;

constexpr int64_t kMiB = 1 << 20;
using Record = std::pair<std::string, std::string>;

MakeCombiner Summing() {
  return [] { return std::make_unique<SummingCombiner>(); };
}

// Few keys, so that many records have the same, and a value in five that is no number.
Record RandomRecord(std::mt19937_64& random) {
  const std::string key = "\x01key" + std::to_string(random() % (random() % 300 + 1));
  if (random() % 5 == 0) return {key, std::string(random() % 4 == 0 ? random() % 2000 : 3, 'v')};
  return {key, NumberValue(random() % 1000)};
}

// Sorted records of a vector, which outlives the source.
class OwnRecords : public RecordSource {
 public:
  explicit OwnRecords(const std::vector<Record>& records) : records_(records) {}
  arrow::Result<bool> Next(PackedRecord* record) override {
    if (next_ == records_.size()) return false;
    const auto& [key, value] = records_[next_++];
    // Each time in another place: what came before is gone, as in the blocks of a spill.
    packed_ = std::make_unique<char[]>(PackedSize(key, value));
    PackRecord(key, value, packed_.get());
    *record = UnpackRecord(packed_.get());
    return true;
  }

 private:
  const std::vector<Record>& records_;
  size_t next_ = 0;
  std::unique_ptr<char[]> packed_;
};

arrow::Result<std::vector<Record>> Combined(const std::vector<Record>& records, Combiner* combiner, int64_t* less) {
  CombinedRecords combined(std::make_unique<OwnRecords>(records), combiner, less);
  std::vector<Record> all;
  for (PackedRecord record;;) {
    ARROW_ASSIGN_OR_RAISE(const bool more, combined.Next(&record));
    if (!more) return all;
    all.emplace_back(record.key(), record.value());
  }
}

TEST(CombinedRecords, KeysThatStandAloneStayAndANoteSaysHowManyWent) {
  SummingCombiner combiner;
  int64_t less = 0;
  const std::vector<Record> records = {{"a", NumberValue(1)},
                                       {"b", NumberValue(1)},
                                       {"b", "x"},
                                       {"b", NumberValue(2)},
                                       {"b", NumberValue(4)},
                                       {"c", "y"},
                                       {"c", "y"}};
  ASSERT_OK_AND_ASSIGN(const auto combined, Combined(records, &combiner, &less));
  const std::vector<Record> expected = {{"a", NumberValue(1)},
                                        {"b", "x"},
                                        {"b", NumberValue(7)},
                                        {"c", "y"},
                                        {"c", "y"},
                                        {std::string(kTrailerKey), CombinedNote(2)}};
  EXPECT_EQ(combined, expected);
  EXPECT_EQ(less, 2);
  // What was combined is combined again without a change, and the note stays where it is.
  ASSERT_OK_AND_ASSIGN(const auto again, Combined(combined, &combiner, &less));
  EXPECT_EQ(again, expected);
  EXPECT_EQ(less, 2);
}

TEST(CombinedRecords, TheNoteComesBeforeWhatFollowsTheRecordsAndTrailersAreNotCombined) {
  SummingCombiner combiner;
  const std::string trailer(kTrailerKey), receipt = trailer + "\xFF";
  const std::vector<Record> records = {{"a", NumberValue(1)},
                                       {"a", NumberValue(2)},
                                       {trailer, NumberValue(9)},
                                       {trailer, NumberValue(9)},
                                       {receipt, "r"}};
  ASSERT_OK_AND_ASSIGN(const auto combined, Combined(records, &combiner, nullptr));
  EXPECT_EQ(combined, (std::vector<Record>{{"a", NumberValue(3)},
                                           {trailer, CombinedNote(1)},
                                           {trailer, NumberValue(9)},
                                           {trailer, NumberValue(9)},
                                           {receipt, "r"}}));
  EXPECT_EQ(Combined({}, &combiner, nullptr).ValueOrDie().size(), 0U);
}

class BadCombiner : public Combiner {
 public:
  explicit BadCombiner(bool is_large) : is_large_(is_large) {}
  void Begin(std::string_view) override {}
  arrow::Status Add(std::string_view value, CombinedValues& back) override {
    ARROW_RETURN_NOT_OK(back.Give(value));
    return back.Give(value);
  }
  arrow::Status Finish(CombinedValues& back) override {
    return is_large_ ? back.Give(std::string(kMostCombinedBytes + 1, 'x')) : arrow::Status::OK();
  }

 private:
  const bool is_large_;
};

TEST(CombinedRecords, ACombinerThatBreaksTheLawIsFound) {
  BadCombiner more(false), larger(true);
  const std::vector<Record> records = {{"a", "1"}, {"a", "2"}};
  EXPECT_THAT(Combined(records, &more, nullptr).status().message(), HasSubstr("made 4 records of 2"));
  EXPECT_THAT(Combined(records, &larger, nullptr).status().message(), HasSubstr("a value of 65537 bytes"));
  // A value that came as large may go on.
  SummingCombiner passes;
  const std::vector<Record> large = {{"a", std::string(kMostCombinedBytes + 1, 'x')}, {"a", "2"}};
  ASSERT_OK_AND_ASSIGN(const auto same, Combined(large, &passes, nullptr));
  EXPECT_EQ(same, large);
}

// Buffers that hold all records, some, and one or two; attempts that fail in between; merges of spills.
TEST(Shuffle, CombinedRecordsGiveTheSameSums) {
  const TemporaryFolder folder;
  int cases = 0;
  for (const int partitions : {1, 3}) {
    for (const int64_t memory_mib : {4, 8, 256}) {
      for (const bool combines_reading : {false, true}) {
        SCOPED_TRACE(testing::Message() << partitions << " partitions, " << memory_mib << " MiB, " << combines_reading);
        ShuffleOptions options;
        options.shape = {.partitions = partitions, .map_slots = 2, .reduce_slots = 1};
        options.memory_bytes = memory_mib * kMiB;
        options.temp_folder = folder.path();
        options.combiner = Summing();
        options.combines_reading = combines_reading;
        ASSERT_OK_AND_ASSIGN(const auto shuffle, Shuffle::Make(options));
        std::vector<SummedGroups> model(static_cast<size_t>(partitions));
        std::mt19937_64 random(static_cast<uint64_t>(partitions));
        constexpr int kMaps = 6, kRecords = 40'000;
        const auto run = [&](int map, bool fails) {
          ASSERT_OK_AND_ASSIGN(const auto output, shuffle->StartMap());
          TrailerSink sink(output.get(), static_cast<uint32_t>(map), partitions);
          for (int i = 0; i < kRecords; ++i) {
            const auto [key, value] = RandomRecord(random);
            const int partition = static_cast<int>(random() % static_cast<uint64_t>(partitions));
            ASSERT_OK(sink.Emit(partition, key, value));
            if (!fails) model[static_cast<size_t>(partition)][key].Add(value);
          }
          if (fails) return;
          ASSERT_OK(sink.Finish());
          ASSERT_OK(output->Commit());
        };
        for (int map = 0; map < kMaps; ++map) {
          run(map, /*fails=*/true);
          run(map, /*fails=*/false);
        }
        ASSERT_OK(shuffle->Seal());
        int64_t came = 0, combined = 0;
        for (int partition = 0; partition < partitions; ++partition) {
          ASSERT_OK_AND_ASSIGN(const auto groups, shuffle->OpenPartition(partition));
          TrailerCheck check(groups.get(), kMaps);
          EXPECT_TRUE(SummedBy(&check) == model[static_cast<size_t>(partition)]);
          EXPECT_OK(check.Finish());
          came += check.records();
          combined += check.combined();
        }
        EXPECT_EQ(came + combined, kMaps * kRecords);
        const ShuffleStats stats = shuffle->stats();
        EXPECT_EQ(stats.spills > 0, memory_mib < 256);
        EXPECT_EQ(stats.combined > 0, memory_mib < 256) << "what stays in memory is not combined";
        EXPECT_EQ(combined > 0, memory_mib < 256 || combines_reading);
        ++cases;
      }
    }
  }
  EXPECT_EQ(cases, 12);
}

TEST(Shuffle, SpilledBytesOfAKeyOfAMillionNumbersAreFew) {
  const TemporaryFolder folder;
  int64_t spilled[2] = {0, 0};
  for (const bool combines : {false, true}) {
    ShuffleOptions options;
    options.memory_bytes = 8 * kMiB;
    options.temp_folder = folder.path();
    if (combines) options.combiner = Summing();
    ASSERT_OK_AND_ASSIGN(const auto shuffle, Shuffle::Make(options));
    ASSERT_OK_AND_ASSIGN(const auto output, shuffle->StartMap());
    for (int i = 0; i < 1'000'000; ++i) ASSERT_OK(output->Emit(0, "\x01the key of all", NumberValue(1)));
    ASSERT_OK(output->Commit());
    ASSERT_OK(shuffle->Seal());
    ASSERT_OK_AND_ASSIGN(const auto groups, shuffle->OpenPartition(0));
    EXPECT_EQ(SummedBy(groups.get())["\x01the key of all"].sum, 1'000'000U);
    EXPECT_GT(shuffle->stats().spills, 3);
    spilled[combines ? 1 : 0] = shuffle->stats().spilled_bytes;
  }
  EXPECT_GT(spilled[0], 50 * spilled[1]) << spilled[0] << " and " << spilled[1];
}

}  // namespace
}  // namespace trawl
