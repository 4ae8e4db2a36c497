#include "formats/zip/zip.h"

#include <algorithm>
#include <ctime>
#include <utility>

#include "formats/text/deflate.h"

namespace trawl {

using arrow::Status;

namespace {

// A field with this value has its true one in the 64-bit form.
constexpr int64_t kMost32 = 0xFFFFFFFF;
constexpr size_t kMost16 = 0xFFFF;
constexpr uint16_t kVersion = 20, kVersion64 = 45;  // that a reader needs
constexpr uint16_t kMadeByUnix = 3 << 8;
constexpr uint16_t kHasDescriptor = 1 << 3;
constexpr uint32_t kPlainFile = 0100644u << 16;  // mode, for Unix

// Little-endian.
template <typename Int>
void Append(std::string* out, Int value) {
  for (size_t i = 0; i < sizeof value; ++i) out->push_back(static_cast<char>(static_cast<uint64_t>(value) >> (8 * i)));
}
void Append16(std::string* out, size_t value) { Append(out, static_cast<uint16_t>(value)); }
void Append32(std::string* out, int64_t value) { Append(out, static_cast<uint32_t>(value)); }
void Append64(std::string* out, int64_t value) { Append(out, static_cast<uint64_t>(value)); }

bool IsLarge(int64_t size_bytes) { return size_bytes >= kMost32; }

}  // namespace

ZipWriter::ZipWriter(Sink sink, int64_t time_ms) : sink_(std::move(sink)) {
  const std::time_t seconds = time_ms / 1000;
  std::tm parts = {};
  gmtime_r(&seconds, &parts);
  const int year = std::clamp(parts.tm_year + 1900, 1980, 2107) - 1980;
  dos_date_ = static_cast<uint16_t>(year << 9 | (parts.tm_mon + 1) << 5 | parts.tm_mday);
  dos_time_ = static_cast<uint16_t>(parts.tm_hour << 11 | parts.tm_min << 5 | parts.tm_sec / 2);
}

Status ZipWriter::Write(std::string_view bytes) {
  offset_ += static_cast<int64_t>(bytes.size());
  return sink_(bytes);
}

// What local headers and the central directory have in common, from "version needed" to the CRC-32.
void ZipWriter::AppendCommon(const Entry& entry, bool is_large, std::string* out) const {
  Append16(out, is_large ? kVersion64 : kVersion);
  Append16(out, entry.in_pieces ? kHasDescriptor : 0);
  Append16(out, 0);  // stored
  Append16(out, dos_time_);
  Append16(out, dos_date_);
  Append32(out, entry.crc);
}

Status ZipWriter::WriteHead(const Entry& entry) {
  const bool is_large = IsLarge(entry.size_bytes);
  const int64_t size = entry.in_pieces ? 0 : entry.size_bytes;
  std::string head = "PK\x03\x04";
  AppendCommon(entry, is_large, &head);
  for (int twice = 0; twice < 2; ++twice) Append32(&head, is_large ? kMost32 : size);
  Append16(&head, entry.name.size());
  Append16(&head, is_large ? 20 : 0);
  head += entry.name;
  if (is_large) {
    Append16(&head, 1);
    Append16(&head, 16);
    for (int twice = 0; twice < 2; ++twice) Append64(&head, size);
  }
  return Write(head);
}

Status ZipWriter::AddWhole(const std::string& name, std::string_view bytes) {
  entries_.push_back({.name = name,
                      .offset = offset_,
                      .size_bytes = static_cast<int64_t>(bytes.size()),
                      .crc = Crc32(bytes),
                      .in_pieces = false});
  ARROW_RETURN_NOT_OK(WriteHead(entries_.back()));
  return Write(bytes);
}

Status ZipWriter::Begin(const std::string& name, int64_t size_bytes) {
  left_ = size_bytes;
  entries_.push_back({.name = name, .offset = offset_, .size_bytes = size_bytes, .crc = 0, .in_pieces = true});
  return WriteHead(entries_.back());
}

Status ZipWriter::Add(std::string_view piece) {
  left_ -= static_cast<int64_t>(piece.size());
  entries_.back().crc = Crc32(piece, entries_.back().crc);
  return Write(piece);
}

Status ZipWriter::End() {
  const Entry& entry = entries_.back();
  if (left_ != 0) {
    return Status::Invalid(entry.name, ": ", entry.size_bytes, " bytes were announced, and ", entry.size_bytes - left_,
                           " came");
  }
  std::string descriptor = "PK\x07\x08";
  Append32(&descriptor, entry.crc);
  for (int twice = 0; twice < 2; ++twice) {
    IsLarge(entry.size_bytes) ? Append64(&descriptor, entry.size_bytes) : Append32(&descriptor, entry.size_bytes);
  }
  return Write(descriptor);
}

void ZipWriter::AppendDirectoryEntry(const Entry& entry, std::string* out) const {
  std::string large;  // the values that do not fit, in the order of their fields
  const auto fitted = [&large](int64_t value) {
    if (value < kMost32) return value;
    Append64(&large, value);
    return kMost32;
  };
  const int64_t size = fitted(entry.size_bytes), stored = fitted(entry.size_bytes), offset = fitted(entry.offset);
  *out += "PK\x01\x02";
  Append16(out, kMadeByUnix | kVersion64);
  AppendCommon(entry, !large.empty(), out);
  Append32(out, stored);
  Append32(out, size);
  Append16(out, entry.name.size());
  Append16(out, large.empty() ? 0 : large.size() + 4);
  Append16(out, 0);  // comment
  Append16(out, 0);  // disk
  Append16(out, 0);  // internal attributes
  Append32(out, kPlainFile);
  Append32(out, offset);
  *out += entry.name;
  if (large.empty()) return;
  Append16(out, 1);
  Append16(out, large.size());
  *out += large;
}

Status ZipWriter::Finish() {
  const int64_t begin = offset_;
  for (const Entry& entry : entries_) {
    std::string bytes;
    AppendDirectoryEntry(entry, &bytes);
    ARROW_RETURN_NOT_OK(Write(bytes));
  }
  const int64_t end = offset_, size = end - begin;
  const auto count = static_cast<int64_t>(entries_.size());
  std::string tail;
  if (entries_.size() >= kMost16 || size >= kMost32 || begin >= kMost32) {
    tail += "PK\x06\x06";
    Append64(&tail, 44);  // the size of what follows, without the locator
    Append16(&tail, kMadeByUnix | kVersion64);
    Append16(&tail, kVersion64);
    Append32(&tail, 0);
    Append32(&tail, 0);
    Append64(&tail, count);
    Append64(&tail, count);
    Append64(&tail, size);
    Append64(&tail, begin);
    tail += "PK\x06\x07";
    Append32(&tail, 0);
    Append64(&tail, end);
    Append32(&tail, 1);
  }
  tail += "PK\x05\x06";
  Append16(&tail, 0);
  Append16(&tail, 0);
  Append16(&tail, std::min(entries_.size(), kMost16));
  Append16(&tail, std::min(entries_.size(), kMost16));
  Append32(&tail, std::min(size, kMost32));
  Append32(&tail, std::min(begin, kMost32));
  Append16(&tail, 0);
  return Write(tail);
}

}  // namespace trawl
