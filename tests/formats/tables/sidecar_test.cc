#include "formats/tables/sidecar.h"

#include <gtest/gtest.h>

#include "arrow/buffer.h"
#include "arrow/io/memory.h"
#include "formats/digests/digest.h"

namespace trawl {
namespace {

std::string KeyAt(int64_t row) { return "com,host)/" + std::to_string(10'000'000 + row); }

SidecarEntry EntryAt(int64_t row) {
  return {static_cast<uint8_t>(row % 9), static_cast<uint8_t>(row % 251), static_cast<uint16_t>(row * 7)};
}

std::string Content(int64_t rows, double false_positives = 0.01) {
  SidecarBuilder builder(false_positives);
  for (int64_t row = 0; row < rows; ++row) builder.Add(KeyAt(row), EntryAt(row));
  return builder.Finish();
}

arrow::Result<std::unique_ptr<SidecarReader>> Open(const std::string& content) {
  return SidecarReader::Open(std::make_shared<arrow::io::BufferReader>(arrow::Buffer::FromString(content)), "x.idx");
}

TEST(Sidecar, EveryRowIsFoundInTheBlockThatItsKeyFallsInto) {
  for (const int64_t rows : {1, 255, 256, 257, 5000}) {
    const auto reader = *Open(Content(rows));
    ASSERT_EQ(reader->rows(), rows);
    ASSERT_EQ(reader->blocks(), (rows + 255) / 256);
    ASSERT_TRUE(reader->LoadFirstKeys().ok());
    SidecarBlock block;
    for (int64_t row = 0; row < rows; ++row) {
      if (row % kSidecarBlockRows == 0) {
        ASSERT_TRUE(reader->ReadBlock(row / kSidecarBlockRows, &block).ok());
        EXPECT_EQ(reader->FirstKey(row / kSidecarBlockRows), KeyAt(row));
        EXPECT_EQ(block.first_row, row);
      }
      EXPECT_TRUE(*reader->MayContain(Hash64(KeyAt(row))));
      ASSERT_EQ(block.Find(Hash64(KeyAt(row))), row - block.first_row);
      EXPECT_EQ(block.entries[static_cast<size_t>(row - block.first_row)], EntryAt(row));
    }
    EXPECT_EQ(block.Find(Hash64("absent")), -1);
  }
}

TEST(Sidecar, TheFilterLetsThroughTheShareThatWasAskedFor) {
  constexpr int64_t kRows = 100'000;
  for (const double share : {0.001, 0.01, 0.1}) {
    const auto reader = *Open(Content(kRows, share));
    int64_t passed = 0;
    for (int64_t row = kRows; row < 2 * kRows; ++row) passed += *reader->MayContain(Hash64(KeyAt(row))) ? 1 : 0;
    EXPECT_LT(static_cast<double>(passed), share * 1.25 * kRows) << share;
    EXPECT_GT(static_cast<double>(passed), share * 0.75 * kRows) << share;
  }
}

TEST(Sidecar, WithoutAFilterEveryKeyMayBeThere) {
  const auto reader = *Open(Content(1000, 0));
  EXPECT_EQ(reader->bloom_bytes(), 0);
  EXPECT_TRUE(*reader->MayContain(Hash64("absent")));
}

TEST(Sidecar, AnEmptyOneContainsNothing) {
  const auto reader = *Open(Content(0));
  EXPECT_EQ(reader->blocks(), 0);
  EXPECT_FALSE(*reader->MayContain(Hash64("absent")));
  EXPECT_TRUE(reader->LoadFirstKeys().ok());
}

TEST(Sidecar, CutOrForeignOnesAreErrorsThatNameTheFile) {
  const std::string content = Content(700);
  for (const size_t size : {size_t{0}, size_t{7}, size_t{63}, size_t{64}, content.size() / 2, content.size() - 1}) {
    const auto opened = Open(content.substr(0, size));
    ASSERT_FALSE(opened.ok()) << size;
    EXPECT_NE(opened.status().message().find("x.idx"), std::string::npos) << opened.status();
  }
  EXPECT_FALSE(Open(content + "x").ok());
  EXPECT_FALSE(Open(std::string(100, 'x')).ok());
}

// Damage that the chunk digests do not notice must not lead a reader out of its bounds.
TEST(Sidecar, NoHeaderOrKeyTableLeadsOutOfBounds) {
  const std::string content = Content(700);
  for (size_t at = 0; at < 64; ++at) {
    for (const char byte : {'\x00', '\x01', '\x7f', '\xff'}) {
      std::string changed = content;
      changed[at] = byte;
      const auto opened = Open(changed);
      if (!opened.ok()) continue;
      SidecarBlock block;
      (void)(*opened)->LoadFirstKeys();
      for (int64_t i = 0; i < (*opened)->blocks(); ++i) (void)(*opened)->ReadBlock(i, &block);
    }
  }
  std::string changed = content;
  const size_t ends = content.size() - 3 * (4 + KeyAt(0).size());
  changed[ends + 3] = '\x7f';
  EXPECT_FALSE((*Open(changed))->LoadFirstKeys().ok());
}

}  // namespace
}  // namespace trawl
