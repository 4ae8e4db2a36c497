// The entries of a ZIP file, by the fields of APPNOTE 6.3 (sections 4.3.7, 4.3.12, 4.3.14 to 4.3.16, 4.5.3).
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trawl {

// Little-endian.
inline uint64_t NumberAt(std::string_view bytes, size_t at, size_t width) {
  uint64_t value = 0;
  for (size_t i = 0; i < width; ++i) value |= uint64_t{static_cast<uint8_t>(bytes[at + i])} << (8 * i);
  return value;
}

struct ZipEntry {
  std::string name;
  uint64_t size = 0, offset = 0, crc = 0, flags = 0;
};

// What the central directory says. `file` holds the file from `at` to its end.
inline std::vector<ZipEntry> ZipDirectory(std::string_view file, uint64_t at = 0) {
  const size_t end = file.size() - 22;
  EXPECT_EQ(file.substr(end, 4), "PK\x05\x06");
  uint64_t count = NumberAt(file, end + 10, 2), begin = NumberAt(file, end + 16, 4);
  if (file.substr(end - 20, 4) == "PK\x06\x07") {
    const uint64_t record = NumberAt(file, end - 12, 8) - at;
    EXPECT_EQ(file.substr(record, 4), "PK\x06\x06");
    count = NumberAt(file, record + 32, 8);
    begin = NumberAt(file, record + 48, 8);
  }
  std::vector<ZipEntry> entries;
  for (size_t place = begin - at; entries.size() < count;) {
    EXPECT_EQ(file.substr(place, 4), "PK\x01\x02");
    const size_t name = NumberAt(file, place + 28, 2), extra = NumberAt(file, place + 30, 2);
    ZipEntry entry = {std::string(file.substr(place + 46, name)), NumberAt(file, place + 24, 4),
                      NumberAt(file, place + 42, 4), NumberAt(file, place + 16, 4), NumberAt(file, place + 8, 2)};
    size_t large = place + 46 + name + 4;
    if (entry.size == 0xFFFFFFFF) {
      entry.size = NumberAt(file, large, 8);
      EXPECT_EQ(NumberAt(file, large + 8, 8), entry.size);
      large += 16;
    }
    if (entry.offset == 0xFFFFFFFF) entry.offset = NumberAt(file, large, 8);
    entries.push_back(entry);
    place += 46 + name + extra;
  }
  return entries;
}

// The bytes of a stored entry.
inline std::string StoredBytes(std::string_view file, const ZipEntry& entry) {
  EXPECT_EQ(file.substr(entry.offset, 4), "PK\x03\x04");
  const size_t name = NumberAt(file, entry.offset + 26, 2), extra = NumberAt(file, entry.offset + 28, 2);
  return std::string(file.substr(entry.offset + 30 + name + extra, entry.size));
}

}  // namespace trawl
