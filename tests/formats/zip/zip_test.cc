// ZIP files, read back by the fields of APPNOTE 6.3.
#include "formats/zip/zip.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "formats/text/deflate.h"
#include "tests/support/values/assert_ok.h"
#include "tests/support/values/zip_entries.h"

namespace trawl {
namespace {

constexpr int64_t kTimeMs = 1'767'225'601'999;  // 2026-01-01T00:00:01.999Z

TEST(Zip, EntriesAreFoundByTheCentralDirectory) {
  std::string file;
  ZipWriter zip(
      [&file](std::string_view bytes) {
        file += bytes;
        return arrow::Status::OK();
      },
      kTimeMs);
  ASSERT_OK(zip.Begin("archive/a.warc.gz", 6));
  ASSERT_OK(zip.Add("abc"));
  ASSERT_OK(zip.Add("def"));
  ASSERT_OK(zip.End());
  ASSERT_OK(zip.AddWhole("empty", ""));
  ASSERT_OK(zip.AddWhole("pages/pages.jsonl", "123456789"));
  ASSERT_OK(zip.Finish());
  EXPECT_EQ(zip.bytes(), static_cast<int64_t>(file.size()));

  const std::vector<ZipEntry> entries = ZipDirectory(file);
  ASSERT_EQ(entries.size(), 3u);
  EXPECT_EQ(entries[0].name, "archive/a.warc.gz");
  EXPECT_EQ(entries[0].size, 6u);
  EXPECT_EQ(entries[0].crc, Crc32("abcdef"));
  EXPECT_EQ(entries[0].flags, 8u) << "its CRC-32 comes after it";
  EXPECT_EQ(file.substr(30 + 17, 10), "abcdefPK\x07\x08");
  EXPECT_EQ(NumberAt(file, 30 + 17 + 10, 4), Crc32("abcdef"));
  EXPECT_EQ(NumberAt(file, 30 + 17 + 14, 4), 6u);
  EXPECT_EQ(entries[2].crc, 0xCBF43926u) << "the check value of CRC-32";
  EXPECT_EQ(entries[2].flags, 0u);
  const size_t last = entries[2].offset;
  EXPECT_EQ(NumberAt(file, last + 14, 4), 0xCBF43926u);
  EXPECT_EQ(NumberAt(file, last + 12, 2), 46u << 9 | 1u << 5 | 1u) << "2026-01-01";
  EXPECT_EQ(NumberAt(file, last + 10, 2), 0u) << "00:00:00: seconds are even";
  EXPECT_EQ(StoredBytes(file, entries[2]), "123456789");
  EXPECT_EQ(StoredBytes(file, entries[0]), "abcdef");
}

TEST(Zip, AnEntryOfAnotherSizeIsAnError) {
  ZipWriter zip([](std::string_view) { return arrow::Status::OK(); }, kTimeMs);
  ASSERT_OK(zip.Begin("a", 4));
  ASSERT_OK(zip.Add("abc"));
  EXPECT_EQ(zip.End().message(), "a: 4 bytes were announced, and 3 came");
}

TEST(Zip, LargeEntriesHaveTheirSizesIn64Bits) {
  constexpr int64_t kPiece = int64_t{64} << 20, kLarge = 65 * kPiece;
  std::string head, tail;
  ZipWriter zip(
      [&](std::string_view bytes) {
        if (bytes.size() == kPiece) return arrow::Status::OK();
        (tail.empty() && head.size() < 100 ? head : tail) += bytes;
        return arrow::Status::OK();
      },
      kTimeMs);
  const std::string piece(kPiece, 'x');
  ASSERT_OK(zip.Begin("large", kLarge));
  for (int i = 0; i < 65; ++i) ASSERT_OK(zip.Add(piece));
  const int64_t data_end = zip.bytes();
  ASSERT_OK(zip.End());
  head.resize(100, '\0');  // what follows goes into the tail
  const int64_t after = zip.bytes();
  ASSERT_OK(zip.AddWhole("after", "y"));
  ASSERT_OK(zip.Finish());

  EXPECT_EQ(NumberAt(head, 4, 2), 45u);
  EXPECT_EQ(NumberAt(head, 18, 4), 0xFFFFFFFFu);
  EXPECT_EQ(NumberAt(head, 28, 2), 20u);
  EXPECT_EQ(head.substr(55, 4), "PK\x07\x08");
  EXPECT_EQ(NumberAt(head, 55 + 8, 8), static_cast<uint64_t>(kLarge));
  EXPECT_EQ(after - data_end, 24) << "the descriptor has sizes of 64 bits";
  const std::vector<ZipEntry> entries = ZipDirectory(tail, static_cast<uint64_t>(zip.bytes()) - tail.size());
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].size, static_cast<uint64_t>(kLarge));
  EXPECT_EQ(entries[0].offset, 0u);
  EXPECT_EQ(entries[1].size, 1u);
  EXPECT_EQ(entries[1].offset, static_cast<uint64_t>(after));
}

}  // namespace
}  // namespace trawl
