#include "runtime/store/block_cache.h"

#include <gmock/gmock.h>

#include <atomic>
#include <barrier>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "arrow/buffer.h"
#include "arrow/io/interfaces.h"
#include "runtime/store/positioned_file.h"
#include "tests/support/store/conformance.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {

namespace {

// A file in memory that counts the reads.
class CountingFile : public PositionedFile {
 public:
  explicit CountingFile(std::string content)
      : PositionedFile("counting", static_cast<int64_t>(content.size())), content_(std::move(content)) {}

  int reads() const { return reads_; }
  int64_t bytes_read() const { return bytes_read_; }
  // The next `reads` reads fail.
  void FailNext(int reads) { failures_ = reads; }
  // Every read waits until another one comes; REQUIRES that one comes.
  void set_before_read(std::function<void()> before_read) { before_read_ = std::move(before_read); }

 protected:
  arrow::Status ReadRange(int64_t position, int64_t size, void* out) override {
    if (before_read_) before_read_();
    ++reads_;
    bytes_read_ += size;
    if (failures_.fetch_sub(1) > 0) return arrow::Status::IOError("counting: injected fault");
    content_.copy(static_cast<char*>(out), static_cast<size_t>(size), static_cast<size_t>(position));
    return arrow::Status::OK();
  }

 private:
  const std::string content_;
  std::function<void()> before_read_;
  std::atomic<int> reads_ = 0;
  std::atomic<int64_t> bytes_read_ = 0;
  std::atomic<int> failures_ = 0;
};

struct Opened {
  std::string content;
  std::shared_ptr<CountingFile> bare;
  std::shared_ptr<arrow::io::RandomAccessFile> cached;
};

Opened Open(int64_t size, const BlockCacheOptions& options) {
  Opened opened;
  opened.content = NoiseBytes(static_cast<size_t>(size));
  opened.bare = std::make_shared<CountingFile>(opened.content);
  opened.cached = OpenBlockCache("data/x.orc", opened.bare, SealOf(opened.content), options).ValueOrDie();
  return opened;
}

}  // namespace

TEST(BlockCache, ReadsEachByteOnceWhileItFits) {
  const Opened file = Open(9 * kChunkBytes, {2 * kChunkBytes, 8 * kChunkBytes});
  for (int round = 0; round < 3; ++round) {
    for (int64_t at = 0; at < 9 * kChunkBytes; at += 128 << 10) ASSERT_OK(file.cached->ReadAt(at, 128 << 10));
  }
  EXPECT_EQ(file.bare->reads(), 5) << "the first chunk, then two at a time";
  EXPECT_EQ(file.bare->bytes_read(), 9 * kChunkBytes);
}

TEST(BlockCache, OnlyWhereReadingGoesOnDoesOneRequestBringMoreThanAChunk) {
  const Opened file = Open(20 * kChunkBytes, {.block_bytes = 4 * kChunkBytes});
  const auto bytes_for = [&](int64_t chunk) {
    const int64_t before = file.bare->bytes_read();
    EXPECT_OK(file.cached->ReadAt(chunk * kChunkBytes, 10));
    return (file.bare->bytes_read() - before) / kChunkBytes;
  };
  EXPECT_EQ(bytes_for(19), 1);
  EXPECT_EQ(bytes_for(10), 1);
  EXPECT_EQ(bytes_for(5), 1);
  EXPECT_EQ(bytes_for(6), 4) << "6 to 9";
  EXPECT_EQ(bytes_for(9), 0);
  EXPECT_EQ(bytes_for(11), 4) << "11 to 14";
  EXPECT_EQ(bytes_for(15), 4) << "15 to 18";
  EXPECT_EQ(bytes_for(4), 1) << "what lies behind it is there already";
}

TEST(BlockCache, GivesUpTheBlockUnusedForLongest) {
  const Opened file = Open(4 * kChunkBytes, {kChunkBytes, 2 * kChunkBytes});
  const auto touch = [&](int64_t block) { ASSERT_OK(file.cached->ReadAt(block * kChunkBytes, 10)); };
  for (const int64_t block : {0, 1, 2, 0, 3}) touch(block);  // 1 goes
  EXPECT_EQ(file.bare->reads(), 4);
  for (const int64_t block : {0, 2, 3}) touch(block);
  EXPECT_EQ(file.bare->reads(), 4);
  touch(1);
  EXPECT_EQ(file.bare->reads(), 5);
}

TEST(BlockCache, SmallFileIsReadWholeAndOnce) {
  const Opened file = Open(5000, {8 * kChunkBytes, 8 * kChunkBytes});
  ASSERT_OK_AND_ASSIGN(const auto tail, file.cached->ReadAt(4990, 100));
  EXPECT_EQ(tail->ToString(), file.content.substr(4990));
  ASSERT_OK(file.cached->ReadAt(0, 100));
  EXPECT_EQ(file.bare->reads(), 1);
  EXPECT_EQ(file.bare->bytes_read(), 5000);
}

TEST(BlockCache, ForgetsABlockThatCouldNotBeRead) {
  const Opened file = Open(2 * kChunkBytes, {});
  file.bare->FailNext(1);
  EXPECT_FALSE(file.cached->ReadAt(0, 10).ok());
  ASSERT_OK_AND_ASSIGN(const auto bytes, file.cached->ReadAt(0, 10));
  EXPECT_EQ(bytes->ToString(), file.content.substr(0, 10));
}

TEST(BlockCache, ThreadsThatWantOneBlockLoadItOnce) {
  const Opened file = Open(kChunkBytes, {});
  std::barrier start(8);
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      start.arrive_and_wait();
      EXPECT_OK(file.cached->ReadAt(0, 10));
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(file.bare->reads(), 1);
}

TEST(BlockCache, DifferentBlocksAreLoadedAtTheSameTime) {
  const Opened file = Open(2 * kChunkBytes, {kChunkBytes, 0});
  // Each load waits for the other: if they ran one after the other, this would never end.
  std::barrier both(2);
  file.bare->set_before_read([&] { both.arrive_and_wait(); });
  std::thread other([&] { EXPECT_OK(file.cached->ReadAt(kChunkBytes, 10)); });
  EXPECT_OK(file.cached->ReadAt(0, 10));
  other.join();
}

TEST(BlockCache, WaitersOfAFailedLoadTryForThemselves) {
  const Opened file = Open(kChunkBytes, {});
  file.bare->FailNext(1);
  std::barrier start(4);
  std::atomic<int> failed = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      start.arrive_and_wait();
      failed += file.cached->ReadAt(0, 10).ok() ? 0 : 1;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failed, 1);
}

TEST(BlockCache, ReadsAheadOnceTwoBlocksInARowWereWanted) {
  std::shared_ptr<CountingFile> bare;
  {
    const Opened file = Open(10 * kChunkBytes, {.capacity_bytes = 0, .read_ahead_blocks = 2});
    bare = file.bare;
    ASSERT_OK(file.cached->ReadAt(5 * kChunkBytes, 10));
    EXPECT_EQ(bare->reads(), 1) << "one block alone is no scan";
    ASSERT_OK(file.cached->ReadAt(6 * kChunkBytes, 10));
    ASSERT_OK_AND_ASSIGN(const auto bytes, file.cached->ReadAt(7 * kChunkBytes, 10));
    EXPECT_EQ(bytes->ToString(), file.content.substr(7 << 20, 10));
  }
  EXPECT_EQ(bare->reads(), 5) << "5 and 6 wanted, 7 and 8 ahead, 9 ahead of 7, and nothing twice";
}

TEST(BlockCache, ReadingAheadGivesTheSameBytes) {
  const Opened file = Open(12 * kChunkBytes + 77, {.capacity_bytes = kChunkBytes, .read_ahead_blocks = 3});
  for (int round = 0; round < 2; ++round) {
    for (int64_t at = 0; at < 12 * kChunkBytes; at += 300'000) {
      ASSERT_OK_AND_ASSIGN(const auto bytes, file.cached->ReadAt(at, 300'000));
      ASSERT_TRUE(bytes->ToString() == std::string_view(file.content).substr(static_cast<size_t>(at), 300'000)) << at;
    }
  }
}

TEST(BlockCache, FailureAheadIsToldOnlyWhenTheBlockIsWanted) {
  std::string content = NoiseBytes(4 << 20);
  const FileSeal seal = SealOf(content);
  content[2 << 20] = static_cast<char>(content[2 << 20] ^ 1);
  const auto bare = std::make_shared<CountingFile>(content);
  ASSERT_OK_AND_ASSIGN(const auto file, OpenBlockCache("f", bare, seal, {.read_ahead_blocks = 2}));
  ASSERT_OK(file->ReadAt(0, 10));
  ASSERT_OK(file->ReadAt(kChunkBytes, 10));
  EXPECT_THAT(file->ReadAt(2 * kChunkBytes, 10).status().message(), testing::HasSubstr("chunk 2"));
  EXPECT_OK(file->ReadAt(3 * kChunkBytes, 10));
}

TEST(BlockCache, SenselessReceiptsAndSizesAreRefused) {
  const auto file = std::make_shared<CountingFile>(std::string(10, 'x'));
  FileSeal seal = SealOf(std::string(10, 'x'));
  EXPECT_TRUE(OpenBlockCache("f", file, seal, {.block_bytes = 1000}).status().IsInvalid());
  EXPECT_TRUE(OpenBlockCache("f", file, seal, {.block_bytes = -kChunkBytes}).status().IsInvalid());
  EXPECT_TRUE(OpenBlockCache("f", file, seal, {.read_ahead_blocks = -2}).status().IsInvalid());
  seal.chunk_digests.push_back(0);
  EXPECT_TRUE(OpenBlockCache("f", file, seal, {}).status().IsInvalid());
  seal.chunk_digests.clear();
  EXPECT_TRUE(OpenBlockCache("f", file, seal, {}).status().IsInvalid());
  seal.size_bytes = -1;
  EXPECT_TRUE(OpenBlockCache("f", file, seal, {}).status().IsInvalid());
}

}  // namespace trawl
