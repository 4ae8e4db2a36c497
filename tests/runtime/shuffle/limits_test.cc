// The shuffle's promises at its limits: memory, sizes, failing disks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "formats/digests/digest.h"
#include "runtime/shuffle/shuffle.h"
#include "tests/support/process/in_child.h"
#include "tests/support/process/own_memory.h"
#include "tests/support/process/sanitized.h"
#include "tests/support/store/open_spills.h"
#include "tests/support/store/temporary_folder.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr int64_t kMiB = 1 << 20;

ShuffleOptions Options(ShuffleShape shape, int64_t memory_mib, const TemporaryFolder& folder) {
  ShuffleOptions options;
  options.shape = shape;
  options.memory_bytes = memory_mib * kMiB;
  options.temp_folder = folder.path();
  return options;
}

// Records and the sum of their hashes, which no order changes.
struct Contents {
  int64_t records = 0;
  uint64_t hashes = 0;
  void Add(std::string_view key, std::string_view value) {
    ++records;
    hashes += Hash64(key) * 31 + Hash64(value);
  }
  bool operator==(const Contents&) const = default;
};

Contents ContentsOf(GroupStream* groups) {
  Contents contents;
  std::string last;
  while (groups->NextGroup().ValueOrDie()) {
    EXPECT_TRUE(contents.records == 0 || groups->key() > last);
    last = groups->key();
    std::string_view value;
    while (groups->NextValue(&value).ValueOrDie()) contents.Add(last, value);
  }
  return contents;
}

// Memory that a process may hold besides the shuffle's own account.
constexpr int64_t kSlack = 3 * kMiB;

TEST(ShuffleLimits, ThousandsOfSpillsStayWithinTheMemory) {
  const TemporaryFolder folder;
  StartPeak();
  const int64_t before = ResidentBytes();
  // With eight slots, each gets less than 2 MiB.
  ASSERT_OK_AND_ASSIGN(const auto shuffle,
                       Shuffle::Make(Options({.partitions = 5, .map_slots = 8, .reduce_slots = 8}, 16, folder)));
  constexpr int kOutputs = 2;
  std::vector<std::unique_ptr<ShuffleMapOutput>> outputs;
  for (int i = 0; i < kOutputs; ++i) {
    ASSERT_OK_AND_ASSIGN(auto output, shuffle->StartMap());
    outputs.push_back(std::move(output));
  }
  std::vector<Contents> sent(5);
  const std::string value(6000, 'v');
  for (uint64_t i = 0; i < 350000; ++i) {
    const std::string key = ToHex(i * 0x9E3779B97F4A7C15);
    const std::string_view part = std::string_view(value).substr(i % 100);
    ASSERT_OK(outputs[i % kOutputs]->Emit(static_cast<int>(i % 5), key, part));
    sent[i % 5].Add(key, part);
  }
  for (const auto& output : outputs) ASSERT_OK(output->Commit());
  ASSERT_OK(shuffle->Seal());
  EXPECT_GT(shuffle->stats().spills, 1000);
  EXPECT_GT(shuffle->stats().merges, 10);
  // Everything that may be open at once is open.
  std::vector<std::unique_ptr<GroupStream>> open;
  for (int i = 0; i < 8; ++i) {
    ASSERT_OK_AND_ASSIGN(auto groups, shuffle->OpenPartition(i % 5));
    ASSERT_TRUE(groups->NextGroup().ValueOrDie());
    open.push_back(std::move(groups));
  }
  open.clear();
  for (int p = 0; p < 5; ++p) {
    ASSERT_OK_AND_ASSIGN(const auto groups, shuffle->OpenPartition(p));
    EXPECT_EQ(ContentsOf(groups.get()), sent[static_cast<size_t>(p)]);
  }
  EXPECT_TRUE(!kMemoryIsMeasured || PeakResidentBytes() - before <= 16 * kMiB + kSlack) << PeakResidentBytes() - before;
}

TEST(ShuffleLimits, GiantGroupStreams) {
  const TemporaryFolder folder;
  StartPeak();
  const int64_t before = ResidentBytes();
  ASSERT_OK_AND_ASSIGN(const auto shuffle,
                       Shuffle::Make(Options({.partitions = 3, .map_slots = 1, .reduce_slots = 1}, 16, folder)));
  ASSERT_OK_AND_ASSIGN(const auto output, shuffle->StartMap());
  Contents sent;
  for (int i = 0; i < 300000; ++i) {
    const std::string value = std::to_string(i) + std::string(500, 'v');
    ASSERT_OK(output->Emit(1, "the key", value));
    sent.Add("the key", value);
  }
  ASSERT_OK(output->Commit());
  ASSERT_OK(shuffle->Seal());
  ASSERT_OK_AND_ASSIGN(const auto groups, shuffle->OpenPartition(1));
  EXPECT_EQ(ContentsOf(groups.get()), sent);
  EXPECT_TRUE(!kMemoryIsMeasured || PeakResidentBytes() - before <= 16 * kMiB + kSlack) << PeakResidentBytes() - before;
}

TEST(ShuffleLimits, LargestKeysAndValuesWork) {
  const TemporaryFolder folder;
  ASSERT_OK_AND_ASSIGN(const auto shuffle,
                       Shuffle::Make(Options({.partitions = 1, .map_slots = 2, .reduce_slots = 2}, 1024, folder)));
  StartPeak();
  const int64_t before = ResidentBytes();
  std::string value(64 << 20, 'v');
  Contents sent;
  for (int attempt = 0; attempt < 2; ++attempt) {
    ASSERT_OK_AND_ASSIGN(const auto output, shuffle->StartMap());
    for (int i = 0; i < 9; ++i) {
      const std::string key = std::string(kMaxShuffleKeyBytes - 1, 'k') + static_cast<char>('9' - i);
      value[static_cast<size_t>(i) << 20] = 'w';
      ASSERT_OK(output->Emit(0, key, value));
      ASSERT_OK(output->Emit(0, "small", "value"));
      sent.Add(key, value);
      sent.Add("small", "value");
    }
    ASSERT_OK(output->Commit());
  }
  ASSERT_OK(shuffle->Seal());
  EXPECT_GT(shuffle->stats().spills, 0);
  ASSERT_OK_AND_ASSIGN(const auto groups, shuffle->OpenPartition(0));
  EXPECT_EQ(ContentsOf(groups.get()), sent);
  EXPECT_TRUE(!kMemoryIsMeasured || PeakResidentBytes() - before <= 1024 * kMiB + (64 << 20) + kSlack)
      << PeakResidentBytes() - before;
}

TEST(ShuffleLimits, WhatIsTooLargeIsRefusedWithTheLimit) {
  const TemporaryFolder folder;
  ASSERT_OK_AND_ASSIGN(const auto shuffle,
                       Shuffle::Make(Options({.partitions = 1, .map_slots = 2, .reduce_slots = 2}, 16, folder)));
  {
    ASSERT_OK_AND_ASSIGN(const auto output, shuffle->StartMap());
    const arrow::Status status = output->Emit(0, "key", std::string(64 << 20, 'v'));
    EXPECT_TRUE(status.IsCapacityError());
    EXPECT_THAT(status.message(),
                AllOf(HasSubstr("a record of 67108867 bytes"), HasSubstr("16777216 bytes of shuffle memory")));
  }
  {
    ASSERT_OK_AND_ASSIGN(const auto output, shuffle->StartMap());
    EXPECT_OK(output->Emit(0, std::string(kMaxShuffleKeyBytes, 'k'), ""));
    const arrow::Status status = output->Emit(0, std::string(kMaxShuffleKeyBytes + 1, 'k'), "");
    EXPECT_TRUE(status.IsCapacityError());
    EXPECT_THAT(status.message(), HasSubstr("a key of 65537 bytes"));
  }
  EXPECT_THAT(
      Shuffle::Make(Options({.partitions = 1, .map_slots = 64, .reduce_slots = 64}, 16, folder)).status().message(),
      HasSubstr("too small"));
}

// The largest accepted record can be spilled, merged and read, whatever other records there are.
TEST(ShuffleLimits, EveryRecordThatIsTakenComesOut) {
  const TemporaryFolder folder;
  const ShuffleShape shape{.partitions = 2, .map_slots = 2, .reduce_slots = 2};
  ASSERT_OK_AND_ASSIGN(const auto shuffle, Shuffle::Make(Options(shape, 16, folder)));
  ASSERT_OK_AND_ASSIGN(const ShuffleMemory memory, DivideMemory(shape, 16 * kMiB));
  Contents sent[2];
  for (int attempt = 0; attempt < 30; ++attempt) {
    ASSERT_OK_AND_ASSIGN(const auto output, shuffle->StartMap());
    for (int i = 0; i < 8; ++i) {
      const std::string value(memory.max_record_bytes - (i % 2 == 0 ? 8 : 1000), static_cast<char>('a' + i));
      const std::string key = std::to_string(i % 3);
      ASSERT_OK(output->Emit(attempt % 2, key, value));
      sent[attempt % 2].Add(key, value);
    }
    ASSERT_OK(output->Commit());
  }
  ASSERT_OK(shuffle->Seal());
  EXPECT_GT(shuffle->stats().merges, 0);
  for (int p = 0; p < 2; ++p) {
    ASSERT_OK_AND_ASSIGN(const auto groups, shuffle->OpenPartition(p));
    EXPECT_EQ(ContentsOf(groups.get()), sent[p]);
  }
}

TEST(ShuffleLimits, FolderIsNeededOnlyToSpillAndThenNamed) {
  const TemporaryFolder folder;
  ShuffleOptions options = Options({.partitions = 1, .map_slots = 1, .reduce_slots = 1}, 4, folder);
  options.temp_folder = folder.path() + "/missing";
  ASSERT_OK_AND_ASSIGN(const auto shuffle, Shuffle::Make(options));
  {
    ASSERT_OK_AND_ASSIGN(const auto output, shuffle->StartMap());
    ASSERT_OK(output->Emit(0, "key", "kept"));
    ASSERT_OK(output->Commit());
  }
  {
    ASSERT_OK_AND_ASSIGN(const auto output, shuffle->StartMap());
    arrow::Status status;
    while (status.ok()) status = output->Emit(0, "key", std::string(1000, 'v'));
    EXPECT_TRUE(status.IsIOError());
    EXPECT_THAT(status.message(), HasSubstr(options.temp_folder));
    EXPECT_FALSE(output->Commit().ok());
  }
  // Only the attempt is lost.
  ASSERT_OK(shuffle->Seal());
  ASSERT_OK_AND_ASSIGN(const auto groups, shuffle->OpenPartition(0));
  ASSERT_TRUE(groups->NextGroup().ValueOrDie());
  std::string_view value;
  ASSERT_TRUE(groups->NextValue(&value).ValueOrDie());
  EXPECT_EQ(value, "kept");
  EXPECT_FALSE(groups->NextValue(&value).ValueOrDie());
}

// A file size limit stands in for a full disk. At any limit, committed records are whole and the failure is named.
std::string ShuffleOnASmallDisk(const std::string& folder, uint64_t limit_bytes) {
  const rlimit limit{limit_bytes, limit_bytes};
  signal(SIGXFSZ, SIG_IGN);
  if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return "no limit";
  ShuffleOptions options;
  options.shape = {.partitions = 3, .map_slots = 1, .reduce_slots = 1, .codec = SpillCodec::kNone};
  options.memory_bytes = 4 * kMiB;
  options.temp_folder = folder;
  const auto shuffle = Shuffle::Make(options).ValueOrDie();
  Contents committed;
  int failed = 0;
  for (int attempt = 0; attempt < 20; ++attempt) {
    const auto output = shuffle->StartMap().ValueOrDie();
    Contents sent = committed;
    arrow::Status status;
    for (int i = 0; i < (attempt % 2 == 0 ? 30 : 6000) && status.ok(); ++i) {
      const std::string key = std::to_string(attempt * 10000 + i);
      status = output->Emit(i % 3, key, std::string(1000, 'v'));
      sent.Add(key, std::string(1000, 'v'));
    }
    if (status.ok()) status = output->Commit();
    if (status.ok()) committed = sent;
    if (!status.ok() && status.message().find(folder) == std::string::npos) return "a failure without the folder";
    failed += status.ok() ? 0 : 1;
  }
  if (failed == 0 || failed == 20) return "none or all attempts failed";
  const arrow::Status sealed = shuffle->Seal();
  // There is no room to spill the records left in memory: this must be reported, not hidden.
  if (!sealed.ok()) return sealed.message().find(folder) == std::string::npos ? "a failure without the folder" : "";
  Contents read;
  for (int p = 0; p < 3; ++p) {
    const Contents part = ContentsOf(shuffle->OpenPartition(p).ValueOrDie().get());
    read.records += part.records;
    read.hashes += part.hashes;
  }
  return read == committed ? "" : "what was committed is not what was read";
}

TEST(ShuffleLimits, FullDiskFailsTheAttemptAndLosesNothing) {
  if (!kChildrenMayHaveThreads) GTEST_SKIP();
  const TemporaryFolder folder;
  for (const uint64_t limit : {1000, 1 << 20, 4 << 20, 10 << 20, 20 << 20}) {
    EXPECT_EQ(InChild([&] { return ShuffleOnASmallDisk(folder.path(), limit); }), "") << limit;
  }
}

TEST(ShuffleLimits, DamagedSpillIsNeverReadAsGood) {
  const TemporaryFolder folder;
  ASSERT_OK_AND_ASSIGN(const auto shuffle,
                       Shuffle::Make(Options({.partitions = 4, .map_slots = 1, .reduce_slots = 1}, 4, folder)));
  ASSERT_OK_AND_ASSIGN(const auto output, shuffle->StartMap());
  for (uint64_t i = 0; i < 20000; ++i) {
    ASSERT_OK(output->Emit(static_cast<int>(i % 4), ToHex(i * 0x9E3779B97F4A7C15), std::string(500, 'v')));
  }
  ASSERT_OK(output->Commit());
  ASSERT_OK(shuffle->Seal());
  const auto read_all = [&shuffle]() -> arrow::Status {
    for (int p = 0; p < 4; ++p) {
      ARROW_ASSIGN_OR_RAISE(const auto groups, shuffle->OpenPartition(p));
      bool more = true;
      while (more) {
        ARROW_ASSIGN_OR_RAISE(more, groups->NextGroup());
      }
    }
    return arrow::Status::OK();
  };
  ASSERT_OK(read_all());
  const OpenSpills spills(folder.path());
  ASSERT_EQ(spills.count(), 1U);
  int damaged = 0;
  for (int64_t at = 0; at < spills.size(0); at += spills.size(0) / 23, ++damaged) {
    spills.FlipByte(0, at);
    const arrow::Status status = read_all();
    EXPECT_TRUE(status.IsIOError()) << at;
    EXPECT_THAT(status.message(), HasSubstr(folder.path()));
    spills.FlipByte(0, at);
  }
  EXPECT_GE(damaged, 23);
  EXPECT_OK(read_all());
}

TEST(ShuffleLimits, KillLeavesNothingBehind) {
  const TemporaryFolder folder;
  const std::string end = InChild([&folder]() -> std::string {
    const auto shuffle =
        Shuffle::Make(Options({.partitions = 1, .map_slots = 1, .reduce_slots = 1}, 4, folder)).ValueOrDie();
    const auto output = shuffle->StartMap().ValueOrDie();
    for (int i = 0; i < 20000; ++i) {
      if (!output->Emit(0, std::to_string(i), std::string(500, 'v')).ok()) return "not sent";
    }
    if (OpenSpills(folder.path()).count() != 1) return "not spilled";
    raise(SIGKILL);
    return "still here";
  });
  EXPECT_EQ(end, " (the child ended with status " + std::to_string(SIGKILL) + ")");
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace trawl
