#include "formats/zip/entry.h"

#include <algorithm>
#include <cstdint>

#include "formats/text/deflate.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr std::string_view kEndOfDirectory = "PK\x05\x06", kDirectoryEntry = "PK\x01\x02", kHead = "PK\x03\x04";
constexpr size_t kEndOfDirectoryBytes = 22, kDirectoryEntryBytes = 46, kHeadBytes = 30;
constexpr size_t kMostCommentBytes = 65535;
constexpr uint32_t kStored = 0, kDeflated = 8;

// REQUIRES: the bytes are there.
uint32_t NumberAt(std::string_view bytes, size_t at, size_t size) {
  uint32_t number = 0;
  for (size_t i = size; i-- > 0;) number = number << 8 | static_cast<uint8_t>(bytes[at + i]);
  return number;
}

bool HasAt(std::string_view file, size_t at, std::string_view mark, size_t bytes) {
  return at <= file.size() && file.size() - at >= bytes && file.substr(at).starts_with(mark);
}

struct Entry {
  uint32_t method = 0, crc = 0, packed_bytes = 0, size_bytes = 0, head_at = 0;
};

// Returns where the directory begins.
Result<size_t> FindDirectory(std::string_view file) {
  if (file.size() >= kEndOfDirectoryBytes) {
    const size_t last = file.size() - kEndOfDirectoryBytes;
    const size_t first = last - std::min(last, kMostCommentBytes);
    for (size_t at = last + 1; at-- > first;) {
      if (HasAt(file, at, kEndOfDirectory, kEndOfDirectoryBytes)) return NumberAt(file, at + 16, 4);
    }
  }
  return Status::Invalid("it is no ZIP file");
}

Result<Entry> FindEntry(std::string_view file, std::string_view name) {
  ARROW_ASSIGN_OR_RAISE(size_t at, FindDirectory(file));
  while (HasAt(file, at, kDirectoryEntry, kDirectoryEntryBytes)) {
    const size_t name_bytes = NumberAt(file, at + 28, 2);
    if (file.substr(at + kDirectoryEntryBytes).substr(0, name_bytes) == name) {
      return Entry{NumberAt(file, at + 10, 2), NumberAt(file, at + 16, 4), NumberAt(file, at + 20, 4),
                   NumberAt(file, at + 24, 4), NumberAt(file, at + 42, 4)};
    }
    at += kDirectoryEntryBytes + name_bytes + NumberAt(file, at + 30, 2) + NumberAt(file, at + 32, 2);
  }
  return Status::KeyError("it has no entry ", name);
}

}  // namespace

Result<std::string> ReadZipEntry(std::string_view file, std::string_view name, size_t max_bytes) {
  ARROW_ASSIGN_OR_RAISE(const Entry entry, FindEntry(file, name));
  if (entry.size_bytes > max_bytes) return Status::CapacityError("the entry ", name, " is longer than ", max_bytes);
  const Status damaged = Status::Invalid("the entry ", name, " is damaged");
  if (!HasAt(file, entry.head_at, kHead, kHeadBytes)) return damaged;
  const size_t begin =
      entry.head_at + kHeadBytes + NumberAt(file, entry.head_at + 26, 2) + NumberAt(file, entry.head_at + 28, 2);
  if (begin > file.size() || file.size() - begin < entry.packed_bytes) return damaged;
  const std::string_view packed = file.substr(begin, entry.packed_bytes);
  std::string content;
  if (entry.method == kDeflated) {
    const Result<std::string> inflated = Inflate(packed, entry.size_bytes);
    if (!inflated.ok()) return damaged;
    content = *inflated;
  } else if (entry.method == kStored) {
    content = packed;
  } else {
    return Status::Invalid("the entry ", name, " is packed by method ", entry.method, ", which is not known");
  }
  return content.size() == entry.size_bytes && Crc32(content) == entry.crc ? Result<std::string>(std::move(content))
                                                                           : damaged;
}

}  // namespace trawl
