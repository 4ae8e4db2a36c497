#include "formats/hadoop/record_block.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "formats/digests/digest.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

using testing::HasSubstr;
using namespace std::string_literals;

std::string Encoded(const RecordBlockHead& head, std::string_view key, std::string_view records) {
  const auto encoder = RecordBlockEncoder::Make().ValueOrDie();
  return std::string(encoder->Encode(head, key, records).ValueOrDie());
}

std::string Unpacked(std::string_view key, std::string_view value) {
  const auto decoder = RecordBlockDecoder::Make().ValueOrDie();
  const RecordBlockHead head = RecordBlockDecoder::Check(key, value).ValueOrDie();
  std::string records(head.size_bytes, '\0');
  EXPECT_OK(decoder->Unpack(head, value, records.data()));
  return records;
}

TEST(RecordBlock, ComesBackAsItWas) {
  std::mt19937_64 random(1);
  for (const size_t size : {0, 1, 5, 1000, 262'144, 5'000'000}) {
    for (const bool is_random : {false, true}) {
      std::string records(size, 'x');
      for (char& byte : records) byte = is_random ? static_cast<char>(random()) : byte;
      const RecordBlockHead head = {
          .map_task = 7, .attempt = 1000, .number = 4'000'000'000, .records = 12, .is_last = is_random};
      const std::string value = Encoded(head, "\1\2key", records);
      EXPECT_LE(value.size(), kRecordBlockHeadBytes + size) << "a block that grows is not compressed";
      EXPECT_TRUE(Unpacked("\1\2key", value) == records);
      ASSERT_OK_AND_ASSIGN(const RecordBlockHead read, RecordBlockDecoder::Check("\1\2key", value));
      EXPECT_EQ(read.Name(), "block 4000000000 of map task 7, attempt 1000");
      EXPECT_EQ(read.records, 12u);
      EXPECT_EQ(read.is_last, is_random);
      EXPECT_EQ(read.size_bytes, size);
    }
  }
}

// docs/streaming.md shows these bytes.
TEST(RecordBlock, BytesOfAHead) {
  const std::string records = "\2\1\x12\x34x"s;
  const std::string key = "\0\1\x12\x34"s;
  const std::string value =
      Encoded({.map_task = 3, .attempt = 1000, .number = 1, .records = 1, .is_last = true}, key, records);
  EXPECT_EQ(value.substr(0, 24), "TBL\2\3\0\0\0\xE8\3\0\0\1\0\0\0\1\0\0\x80\5\0\0\0"s);
  EXPECT_EQ(value.substr(32), records);
}

TEST(RecordBlock, ABlockUnderAnotherKeyIsRefused) {
  const std::string value = Encoded({.records = 1}, "key", "records");
  ASSERT_OK(RecordBlockDecoder::Check("key", value).status());
  EXPECT_THAT(RecordBlockDecoder::Check("kez", value).status().message(),
              HasSubstr("block 0 of map task 0, attempt 0"));
}

TEST(RecordBlock, EveryFlippedBitAndEveryCutIsNoticed) {
  const std::string value = Encoded({.map_task = 1, .records = 3}, "key", std::string(300, 'r'));
  ASSERT_LT(value.size(), 100u) << "the records are compressed";
  for (size_t at = 0; at < value.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = value;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << bit));
      EXPECT_FALSE(RecordBlockDecoder::Check("key", damaged).ok()) << at << " " << bit;
    }
    EXPECT_FALSE(RecordBlockDecoder::Check("key", value.substr(0, at)).ok()) << at;
  }
}

TEST(RecordBlock, AnOlderVersionsRecordIsNamedAsSuch) {
  for (const char* value : {"", "v", "a row of any length that is no block"}) {
    EXPECT_THAT(RecordBlockDecoder::Check("key", value).status().message(), HasSubstr("as an older trawl sends it"));
  }
  EXPECT_THAT(RecordBlockDecoder::Check("key", "TBL\7 and more").status().message(), HasSubstr("version 7"));
}

}  // namespace
}  // namespace trawl
