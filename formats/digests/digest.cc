#include "formats/digests/digest.h"

#include <openssl/evp.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "arrow/util/logging.h"

namespace trawl {

namespace {

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

std::string EvpDigest(std::string_view bytes, const EVP_MD* kind) {
  std::string out(EVP_MAX_MD_SIZE, '\0');
  unsigned size = 0;
  ARROW_CHECK(
      EVP_Digest(bytes.data(), bytes.size(), reinterpret_cast<unsigned char*>(out.data()), &size, kind, nullptr) == 1);
  out.resize(size);
  return out;
}

}  // namespace

uint64_t Hash64(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

Hash128Value Hash128(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.high64, hash.low64};
}

void DigestSum::Add(const Hash128Value& value) {
  sum_.low += value.low;
  sum_.high += value.high + (sum_.low < value.low ? 1 : 0);
}

std::string DigestSum::ToHex() const { return trawl::ToHex(sum_.high) + trawl::ToHex(sum_.low); }

bool DigestSum::FromHex(std::string_view hex, DigestSum* out) {
  return hex.size() == 32 && trawl::FromHex(hex.substr(0, 16), &out->sum_.high) &&
         trawl::FromHex(hex.substr(16), &out->sum_.low);
}

template <typename Value>
struct FedDigest<Value>::State {
  State() : context(EVP_MD_CTX_new()) { Start(); }
  ~State() { EVP_MD_CTX_free(context); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  void Start() {
    const EVP_MD* const kind = sizeof(Value) == sizeof(Sha1Value) ? EVP_sha1() : EVP_sha256();
    ARROW_CHECK(EVP_DigestInit_ex(context, kind, nullptr) == 1);
  }
  EVP_MD_CTX* context;
};

template <typename Value>
FedDigest<Value>::FedDigest() : state_(std::make_unique<State>()) {}
template <typename Value>
FedDigest<Value>::~FedDigest() = default;
template <typename Value>
FedDigest<Value>::FedDigest(FedDigest&&) noexcept = default;
template <typename Value>
FedDigest<Value>& FedDigest<Value>::operator=(FedDigest&&) noexcept = default;

template <typename Value>
void FedDigest<Value>::Update(std::string_view bytes) {
  ARROW_CHECK(EVP_DigestUpdate(state_->context, bytes.data(), bytes.size()) == 1);
}

template <typename Value>
Value FedDigest<Value>::Finish() {
  Value out;
  ARROW_CHECK(EVP_DigestFinal_ex(state_->context, out.data(), nullptr) == 1);
  state_->Start();
  return out;
}

template class FedDigest<Sha1Value>;
template class FedDigest<Sha256Value>;

std::string Sha256Of(std::string_view bytes) { return EvpDigest(bytes, EVP_sha256()); }
std::string Sha1Of(std::string_view bytes) { return EvpDigest(bytes, EVP_sha1()); }

std::string ToHex(std::string_view bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  out.reserve(bytes.size() * 2);
  for (const char c : bytes) {
    out.push_back(kDigits[static_cast<uint8_t>(c) >> 4]);
    out.push_back(kDigits[static_cast<uint8_t>(c) & 15]);
  }
  return out;
}

std::string ToHex(uint64_t value) {
  char big_endian[8];
  for (int i = 0; i < 8; ++i) big_endian[i] = static_cast<char>(value >> (56 - 8 * i));
  return ToHex(std::string_view(big_endian, sizeof big_endian));
}

bool FromHex(std::string_view hex, std::string* bytes) {
  if (hex.size() % 2 != 0) return false;
  bytes->clear();
  for (size_t i = 0; i < hex.size(); i += 2) {
    const int high = HexDigit(hex[i]);
    const int low = HexDigit(hex[i + 1]);
    if (high < 0 || low < 0) return false;
    bytes->push_back(static_cast<char>(high * 16 + low));
  }
  return true;
}

bool FromHex(std::string_view hex, uint64_t* value) {
  std::string bytes;
  if (hex.size() != 16 || !FromHex(hex, &bytes)) return false;
  *value = 0;
  for (const char c : bytes) *value = *value << 8 | static_cast<uint8_t>(c);
  return true;
}

}  // namespace trawl
