// A record as the shuffle holds it, in memory and in spilled blocks alike:
//
//   varint(key size) varint(value size) key value
//
// A varint has seven bits per byte, least significant first; the top bit is set on all bytes but the last. With this
// form a record moves from the sort buffer to a block, and from block to block in a merge, by one copy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace trawl {

struct PackedRecord {
  const char* data = nullptr;
  uint32_t header_size = 0;
  uint32_t key_size = 0;
  uint32_t value_size = 0;

  std::string_view key() const { return {data + header_size, key_size}; }
  std::string_view value() const { return {data + header_size + key_size, value_size}; }
  size_t size() const { return size_t{header_size} + key_size + value_size; }
  std::string_view bytes() const { return {data, size()}; }
};

constexpr size_t kMaxPackedHeader = 10;

inline size_t VarintSize(uint32_t value) {
  size_t size = 1;
  while ((value >>= 7) != 0) ++size;
  return size;
}

inline char* PutVarint(char* out, uint32_t value) {
  while (value >= 0x80) {
    *out++ = static_cast<char>(value | 0x80);
    value >>= 7;
  }
  *out++ = static_cast<char>(value);
  return out;
}

// Returns the byte after the varint, or null where the varint is cut off or longer than five bytes.
inline const char* GetVarint(const char* in, const char* end, uint32_t* value) {
  uint32_t result = 0;
  for (int shift = 0; shift < 35 && in < end; shift += 7) {
    const auto byte = static_cast<uint8_t>(*in++);
    result |= static_cast<uint32_t>(byte & 0x7F) << shift;
    if (byte < 0x80) {
      *value = result;
      return in;
    }
  }
  return nullptr;
}

inline size_t PackedSize(std::string_view key, std::string_view value) {
  return VarintSize(static_cast<uint32_t>(key.size())) + VarintSize(static_cast<uint32_t>(value.size())) + key.size() +
         value.size();
}

// Writes PackedSize bytes and returns the byte after them.
inline char* PackRecord(std::string_view key, std::string_view value, char* out) {
  out = PutVarint(out, static_cast<uint32_t>(key.size()));
  out = PutVarint(out, static_cast<uint32_t>(value.size()));
  if (!key.empty()) std::memcpy(out, key.data(), key.size());
  out += key.size();
  if (!value.empty()) std::memcpy(out, value.data(), value.size());
  return out + value.size();
}

// Reads the sizes at `data`; key and value themselves may lie past `end`. Returns false where the header does.
inline bool UnpackHeader(const char* data, const char* end, PackedRecord* record) {
  const char* in = GetVarint(data, end, &record->key_size);
  if (in != nullptr) in = GetVarint(in, end, &record->value_size);
  if (in == nullptr) return false;
  record->data = data;
  record->header_size = static_cast<uint32_t>(in - data);
  return true;
}

// Returns the record at `data`. REQUIRES: a whole record is there.
inline PackedRecord UnpackRecord(const char* data) {
  PackedRecord record;
  UnpackHeader(data, data + kMaxPackedHeader, &record);
  return record;
}

// Returns up to eight bytes of a key from `depth` on, as a number that orders like them; a shorter key is filled up
// with zeros.
inline uint64_t KeyBytes(std::string_view key, size_t depth) {
  if (depth >= key.size()) return 0;
  uint64_t bytes = 0;
  const size_t rest = key.size() - depth;
  if (rest >= sizeof bytes) {
    std::memcpy(&bytes, key.data() + depth, sizeof bytes);
  } else {
    std::memcpy(&bytes, key.data() + depth, rest);
  }
  return __builtin_bswap64(bytes);
}

}  // namespace trawl
