// Entries of ZIP files that another program wrote.
#include "formats/zip/entry.h"

#include <gtest/gtest.h>

#include <string>

#include "formats/zip/zip.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

constexpr size_t kMaxBytes = 1000;

// Python's zipfile, with `a.xml` deflated and `stored` as it is.
const std::string& TwoEntries() {
  static constexpr char kBytes[] =
      "PK\x03\x04\x14\x00\x00\x00\x08\x00\x00\x00!\x5C\xD8\x91>\xBA\x1A\x00\x00\x00[\x00\x00\x00\x05\x00\x00\x00\x61."
      "xml\xB3I\xCE\xCFK"
      "\xCBL/"
      "-J,\xC9\xCC\xCF\xB3KLJ&\x1B\xD9\xE8\xA3\x9A\x05\x00PK\x03\x04\x14\x00\x00\x00\x00\x00\x00\x00!\x5C&9\xF4\xCB\x09"
      "\x00\x00\x00\x09\x00\x00\x00\x06\x00\x00\x00stored123456789PK\x01\x02\x14\x03\x14\x00\x00\x00\x08\x00\x00\x00"
      "!\x5C\xD8\x91>\xBA\x1A\x00\x00\x00["
      "\x00\x00\x00\x05\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x80\x01\x00\x00\x00\x00\x61.xmlPK\x01"
      "\x02\x14\x03\x14\x00\x00\x00\x00\x00\x00\x00!\x5C&"
      "9\xF4\xCB\x09\x00\x00\x00\x09\x00\x00\x00\x06\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x80\x01="
      "\x00\x00\x00storedPK\x05\x06\x00\x00\x00\x00\x02\x00\x02\x00g\x00\x00\x00j\x00\x00\x00\x00\x00";
  static const std::string file(kBytes, sizeof kBytes - 1);
  return file;
}

TEST(ZipEntry, DeflatedAndStoredEntriesAreRead) {
  std::string expected = "<configuration>";
  for (int i = 0; i < 20; ++i) expected += "abc";
  expected += "</configuration>";
  EXPECT_EQ(*ReadZipEntry(TwoEntries(), "a.xml", kMaxBytes), expected);
  EXPECT_EQ(*ReadZipEntry(TwoEntries(), "stored", kMaxBytes), "123456789");
  EXPECT_TRUE(ReadZipEntry(TwoEntries(), "b.xml", kMaxBytes).status().IsKeyError());
  EXPECT_TRUE(ReadZipEntry(TwoEntries(), "a.xml", 10).status().IsCapacityError());
  EXPECT_TRUE(ReadZipEntry("no ZIP file", "a.xml", kMaxBytes).status().IsInvalid());
}

TEST(ZipEntry, OurOwnFilesAreRead) {
  std::string file;
  ZipWriter zip(
      [&file](std::string_view bytes) {
        file += bytes;
        return arrow::Status::OK();
      },
      0);
  ASSERT_OK(zip.AddWhole("empty", ""));
  ASSERT_OK(zip.AddWhole("pages.jsonl", "abc"));
  ASSERT_OK(zip.Finish());
  EXPECT_EQ(*ReadZipEntry(file, "empty", kMaxBytes), "");
  EXPECT_EQ(*ReadZipEntry(file, "pages.jsonl", kMaxBytes), "abc");
}

TEST(ZipEntry, DamageNeverGivesOtherBytes) {
  const std::string whole = *ReadZipEntry(TwoEntries(), "a.xml", kMaxBytes);
  for (size_t at = 0; at < TwoEntries().size(); ++at) {
    std::string damaged = TwoEntries();
    damaged[at] = static_cast<char>(damaged[at] ^ 0x41);
    const auto read = ReadZipEntry(damaged, "a.xml", kMaxBytes);
    EXPECT_TRUE(!read.ok() || *read == whole) << at;
    const auto cut = ReadZipEntry(TwoEntries().substr(0, at), "a.xml", kMaxBytes);
    EXPECT_TRUE(!cut.ok() || *cut == whole) << at;
  }
}

}  // namespace
}  // namespace trawl
