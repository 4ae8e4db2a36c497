#include "runtime/spill/segment.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "runtime/spill/file.h"
#include "runtime/spill/merge.h"
#include "runtime/spill/spill_merge.h"
#include "tests/support/store/open_spills.h"
#include "tests/support/store/temporary_folder.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

using ::testing::HasSubstr;

constexpr size_t kBlockBytes = 16 << 10;
constexpr SpillCodec kCodecs[] = {SpillCodec::kNone, SpillCodec::kLz4, SpillCodec::kZstd};

using Pairs = std::vector<std::pair<std::string, std::string>>;

// Writes sorted records, partition after partition.
arrow::Result<SpillSegment> Write(SpillSegmentWriter* writer, SpillFile* file, const std::vector<Pairs>& partitions) {
  writer->Begin(file);
  for (size_t p = 0; p < partitions.size(); ++p) {
    for (const auto& [key, value] : partitions[p]) {
      std::string packed(PackedSize(key, value), '\0');
      PackRecord(key, value, packed.data());
      ARROW_RETURN_NOT_OK(writer->Add(static_cast<int>(p), UnpackRecord(packed.data())));
    }
  }
  return writer->Finish();
}

arrow::Result<Pairs> ReadAll(RecordSource* source) {
  Pairs pairs;
  for (;;) {
    PackedRecord record;
    ARROW_ASSIGN_OR_RAISE(const bool more, source->Next(&record));
    if (!more) return pairs;
    pairs.emplace_back(record.key(), record.value());
  }
}

arrow::Result<Pairs> Read(const SpillSegment& segment, int partition, SpillCodec codec) {
  ARROW_ASSIGN_OR_RAISE(const auto decoder, BlockReader::Decoder::Make(codec, kBlockBytes));
  ARROW_ASSIGN_OR_RAISE(const auto reader, SpillSegmentReader::Open(segment, partition, kBlockBytes, decoder.get()));
  return ReadAll(reader.get());
}

std::vector<Pairs> SomePartitions(uint64_t seed) {
  std::mt19937_64 random(seed);
  // Sizes around a block's, sizes of many blocks, and zero.
  const size_t sizes[] = {
      0, 1, 100, kBlockBytes - 16, kBlockBytes - 8, kBlockBytes, kBlockBytes + 1, 5 * kBlockBytes + 3};
  std::vector<Pairs> partitions(6);
  for (size_t p = 0; p < partitions.size(); ++p) {
    if (p == 2 || p == 5) continue;
    for (int i = 1000; i < 1200; ++i) {
      std::string value(p == 0 ? random() % 300 : sizes[random() % std::size(sizes)], 'v');
      for (size_t at = 0; at < value.size(); at += 1 + p) value[at] = static_cast<char>(random());
      partitions[p].emplace_back("key" + std::to_string(i), value);
    }
  }
  return partitions;
}

TEST(SpillSegment, ReadsBackEveryPartition) {
  const TemporaryFolder folder;
  for (const SpillCodec codec : kCodecs) {
    ASSERT_OK_AND_ASSIGN(const auto file, SpillFile::Make(folder.path()));
    ASSERT_OK_AND_ASSIGN(const auto writer, SpillSegmentWriter::Make({6, codec, kBlockBytes}));
    for (uint64_t seed = 0; seed < 3; ++seed) {
      const std::vector<Pairs> partitions = SomePartitions(seed);
      ASSERT_OK_AND_ASSIGN(const SpillSegment segment, Write(writer.get(), file.get(), partitions));
      for (int p = 0; p < 6; ++p) {
        ASSERT_OK_AND_ASSIGN(const Pairs read, Read(segment, p, codec));
        ASSERT_TRUE(read == partitions[static_cast<size_t>(p)]) << p;
      }
    }
  }
}

TEST(SpillSegment, EveryDamagedByteIsNoticed) {
  const TemporaryFolder folder;
  for (const SpillCodec codec : kCodecs) {
    ASSERT_OK_AND_ASSIGN(const auto file, SpillFile::Make(folder.path()));
    ASSERT_OK_AND_ASSIGN(const auto writer, SpillSegmentWriter::Make({3, codec, kBlockBytes}));
    const std::vector<Pairs> partitions = {{{"a", "value"}, {"b", std::string(40 << 10, 'v')}}, {}, {{"c", "d"}}};
    ASSERT_OK_AND_ASSIGN(const SpillSegment segment, Write(writer.get(), file.get(), partitions));
    const OpenSpills spills(folder.path());
    int64_t unnoticed = 0;
    const int64_t step = segment.end > 2000 ? 97 : 1;
    for (int64_t at = 0; at < segment.end; at += at < 100 || at > segment.end - 200 ? 1 : step) {
      spills.FlipByte(0, at);
      bool noticed = false;
      for (int p = 0; p < 3; ++p) {
        const auto read = Read(segment, p, codec);
        noticed = noticed || !read.ok();
        if (read.ok()) {
          EXPECT_EQ(*read, partitions[static_cast<size_t>(p)]) << at;
        } else {
          EXPECT_TRUE(read.status().IsIOError());
          EXPECT_THAT(read.status().message(), HasSubstr(folder.path()));
        }
      }
      if (!noticed) ++unnoticed;
      spills.FlipByte(0, at);
    }
    EXPECT_EQ(unnoticed, 0);
    EXPECT_OK(Read(segment, 0, codec));
  }
}

TEST(SpillSegment, BlockReadFromAnotherPlaceIsNoticed) {
  const TemporaryFolder folder;
  ASSERT_OK_AND_ASSIGN(const auto file, SpillFile::Make(folder.path()));
  ASSERT_OK_AND_ASSIGN(const auto writer, SpillSegmentWriter::Make({1, SpillCodec::kNone, kBlockBytes}));
  ASSERT_OK_AND_ASSIGN(const SpillSegment first, Write(writer.get(), file.get(), {{{"key", "old value"}}}));
  ASSERT_OK_AND_ASSIGN(const SpillSegment second, Write(writer.get(), file.get(), {{{"key", "new value"}}}));
  std::string block(static_cast<size_t>(first.index_offset - first.begin), '\0');
  ASSERT_OK(file->ReadAt(first.begin, block.data(), block.size()));
  OpenSpills(folder.path()).Write(0, second.begin, block);
  EXPECT_OK(Read(first, 0, SpillCodec::kNone));
  EXPECT_FALSE(Read(second, 0, SpillCodec::kNone).ok());
}

TEST(SpillSegment, CompressionThatDoesNotPayIsLeftOut) {
  const TemporaryFolder folder;
  std::mt19937_64 random(3);
  std::string noise(10 << 10, '\0');
  for (char& byte : noise) byte = static_cast<char>(random());
  for (const SpillCodec codec : kCodecs) {
    ASSERT_OK_AND_ASSIGN(const auto file, SpillFile::Make(folder.path()));
    ASSERT_OK_AND_ASSIGN(const auto writer, SpillSegmentWriter::Make({1, codec, kBlockBytes}));
    ASSERT_OK_AND_ASSIGN(const SpillSegment random_bytes, Write(writer.get(), file.get(), {{{"key", noise}}}));
    EXPECT_LT(random_bytes.bytes(), static_cast<int64_t>(noise.size()) + 100);
    ASSERT_OK_AND_ASSIGN(const SpillSegment zeros,
                         Write(writer.get(), file.get(), {{{"key", std::string(10 << 10, '\0')}}}));
    EXPECT_EQ(zeros.bytes() < 1000, codec != SpillCodec::kNone);
  }
}

TEST(SpillSegment, MergingMakesFewerWithTheSameRecords) {
  const TemporaryFolder folder;
  ASSERT_OK_AND_ASSIGN(const auto file, SpillFile::Make(folder.path()));
  const SpillSegmentFormat format{2, SpillCodec::kLz4, kBlockBytes};
  ASSERT_OK_AND_ASSIGN(const auto writer, SpillSegmentWriter::Make(format));
  std::vector<SpillSegment> segments;
  Pairs expected;
  for (int i = 100; i < 200; ++i) {
    const std::string key = "key" + std::to_string(i * 37 % 100);
    expected.emplace_back(key, std::to_string(i));
    // Every tenth has a record larger than a block.
    if (i % 10 == 0) expected.back().second.resize(3 * kBlockBytes, 'x');
    ASSERT_OK_AND_ASSIGN(const SpillSegment segment, Write(writer.get(), file.get(), {{}, {expected.back()}}));
    segments.push_back(segment);
  }
  std::sort(expected.begin(), expected.end());
  const SpillMerge merge{format, 10 * kBlockBytes, file.get(), writer.get(), nullptr};
  const size_t target = 8 * kBlockBytes;
  ASSERT_OK_AND_ASSIGN(const int merges, ShrinkSegments(merge, target, &segments));
  EXPECT_GT(merges, 10);
  EXPECT_LE(ReadingBytes(segments, format), target);
  ASSERT_OK_AND_ASSIGN(const auto decoder, BlockReader::Decoder::Make(format.codec, kBlockBytes));
  std::vector<std::unique_ptr<RecordSource>> sources;
  for (const SpillSegment& segment : segments) {
    ASSERT_OK_AND_ASSIGN(auto reader, SpillSegmentReader::Open(segment, 1, kBlockBytes, decoder.get()));
    sources.push_back(std::move(reader));
  }
  MergedRecords merged(std::move(sources));
  ASSERT_OK_AND_ASSIGN(Pairs read, ReadAll(&merged));
  EXPECT_TRUE(std::is_sorted(read.begin(), read.end(), [](const auto& a, const auto& b) { return a.first < b.first; }));
  std::sort(read.begin(), read.end());
  EXPECT_TRUE(read == expected);
  // Few enough already: nothing to do.
  EXPECT_EQ(ShrinkSegments(merge, target, &segments).ValueOrDie(), 0);
}

TEST(SpillSegment, StoppedMergeLosesNothing) {
  const TemporaryFolder folder;
  ASSERT_OK_AND_ASSIGN(const auto file, SpillFile::Make(folder.path()));
  const SpillSegmentFormat format{1, SpillCodec::kLz4, kBlockBytes};
  ASSERT_OK_AND_ASSIGN(const auto writer, SpillSegmentWriter::Make(format));
  std::vector<SpillSegment> segments;
  for (int i = 0; i < 3; ++i) {
    ASSERT_OK_AND_ASSIGN(const SpillSegment segment, Write(writer.get(), file.get(), {{{"key", std::to_string(i)}}}));
    segments.push_back(segment);
  }
  const std::atomic<bool> stop{true};
  const SpillMerge merge{format, 10 * kBlockBytes, file.get(), writer.get(), &stop};
  const int64_t size = file->size();
  EXPECT_TRUE(ShrinkSegments(merge, 0, &segments).status().IsCancelled());
  EXPECT_EQ(segments.size(), 3U);
  EXPECT_EQ(file->size(), size);
  for (const SpillSegment& segment : segments) EXPECT_OK(Read(segment, 0, format.codec));
}

}  // namespace
}  // namespace trawl
