// The door of formats/digests: hashes and digests. This is the only door to xxHash and OpenSSL's digests.
//
// XXH3 with seed 0 is pinned by docs/storage.md: slots, key hashes, chunk digests and logical digests are stored, so
// the functions here never change. Thread-safe: all are pure; a Sha256 or Sha1 belongs to one thread.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace trawl {

// XXH3-64, seed 0.
uint64_t Hash64(std::string_view bytes);

// XXH3-128, seed 0.
struct Hash128Value {
  uint64_t high = 0;
  uint64_t low = 0;
  bool operator==(const Hash128Value&) const = default;
};
Hash128Value Hash128(std::string_view bytes);

// A sum modulo 2^128. It does not depend on the order in which values are added; logical digests need that.
class DigestSum {
 public:
  void Add(const Hash128Value& value);
  void Add(const DigestSum& other) { Add(other.sum_); }
  // 32 hexadecimal digits, most significant first.
  std::string ToHex() const;
  // False where `hex` is not 32 hexadecimal digits.
  static bool FromHex(std::string_view hex, DigestSum* out);
  bool operator==(const DigestSum&) const = default;

 private:
  Hash128Value sum_;
};

using Sha256Value = std::array<uint8_t, 32>;
// Its bytes, which live as long as the value.
inline std::string_view Bytes(const Sha256Value& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

using Sha1Value = std::array<uint8_t, 20>;
inline std::string_view Bytes(const Sha1Value& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

// The digest of bytes that are fed in pieces.
template <typename Value>
class FedDigest {
 public:
  FedDigest();
  ~FedDigest();
  FedDigest(FedDigest&&) noexcept;
  FedDigest& operator=(FedDigest&&) noexcept;
  void Update(std::string_view bytes);
  // The digest of all bytes fed so far. The object then starts anew.
  Value Finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};
using Sha256 = FedDigest<Sha256Value>;
using Sha1 = FedDigest<Sha1Value>;

// The digests as raw bytes: 32 for SHA-256, 20 for SHA-1.
std::string Sha256Of(std::string_view bytes);
std::string Sha1Of(std::string_view bytes);

// Lower-case hexadecimal digits, and back; false where `hex` has an odd length or another character.
std::string ToHex(std::string_view bytes);
std::string ToHex(uint64_t value);
bool FromHex(std::string_view hex, std::string* bytes);
bool FromHex(std::string_view hex, uint64_t* value);

}  // namespace trawl
