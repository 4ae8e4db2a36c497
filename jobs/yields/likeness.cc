#include "jobs/yields/likeness.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "formats/digests/simhash.h"

namespace trawl {

namespace {

constexpr size_t kTextBytes = sizeof(uint64_t);

bool IsLikely(double chance, int64_t texts) { return chance * static_cast<double>(texts * kChance) >= 1; }

}  // namespace

double ChanceOfBits(int32_t spread, int bits) {
  constexpr int kBits = 64;
  const double p = std::clamp(static_cast<double>(spread) / (10.0 * kBits), 0.0, 0.5);
  double one = std::pow(1 - p, kBits), sum = 0;
  for (int i = 0; i <= bits; ++i) {
    sum += one;
    one *= p / (1 - p) * (kBits - i) / (i + 1);
  }
  return std::min(sum, 1.0);
}

void TextSample::Read(std::string_view bytes) {
  texts_.clear();
  next_ = 0;
  bits_between_ = 0;
  if (bytes.size() % kTextBytes != 0 || bytes.size() > kSampleTexts * kTextBytes) return;
  for (size_t at = 0; at < bytes.size(); at += kTextBytes) {
    uint64_t text = 0;
    std::memcpy(&text, bytes.data() + at, kTextBytes);
    Insert(text);
  }
}

std::string TextSample::Bytes() const {
  std::string bytes;
  // The oldest first, so that it gives way first after the next Read, too.
  for (size_t i = 0; i < texts_.size(); ++i) {
    const uint64_t text = texts_[(next_ + i) % texts_.size()];
    bytes.append(reinterpret_cast<const char*>(&text), kTextBytes);
  }
  return bytes;
}

bool TextSample::Add(uint64_t simhash) {
  int nearest = INT8_MAX;
  for (const uint64_t text : texts_) nearest = std::min(nearest, HammingDistance(text, simhash));
  const bool is_like = nearest <= LikeBits();
  if (nearest > distance_) Insert(simhash);
  return is_like;
}

void TextSample::AddAll(const TextSample& other) {
  for (size_t i = 0; i < other.texts_.size(); ++i) Add(other.texts_[(other.next_ + i) % other.texts_.size()]);
}

void TextSample::Insert(uint64_t simhash) {
  if (texts_.size() < kSampleTexts) {
    for (const uint64_t text : texts_) bits_between_ += HammingDistance(text, simhash);
    texts_.push_back(simhash);
    return;
  }
  uint64_t& oldest = texts_[next_];
  for (const uint64_t text : texts_) bits_between_ -= HammingDistance(text, oldest);
  oldest = simhash;
  for (const uint64_t text : texts_) bits_between_ += HammingDistance(text, oldest);
  next_ = (next_ + 1) % kSampleTexts;
}

int32_t TextSample::spread() const {
  const auto count = static_cast<int64_t>(texts_.size());
  if (texts_.size() < kFewestTexts) return 0;
  return static_cast<int32_t>(bits_between_ * 20 / (count * (count - 1)));
}

int TextSample::LikeBits() const {
  const int32_t now = spread();
  if (now == like_spread_) return like_bits_;
  like_spread_ = now;
  like_bits_ = -1;
  if (now == 0 || IsLikely(ChanceOfBits(now, distance_), kSampleTexts)) return like_bits_;
  like_bits_ = distance_;
  while (like_bits_ < kMostLikeBits && !IsLikely(ChanceOfBits(now, like_bits_ + 1), kSampleTexts)) ++like_bits_;
  return like_bits_;
}

bool TextSample::ExplainsNear(int64_t pages) const {
  const int32_t now = spread();
  return now > 0 && IsLikely(ChanceOfBits(now, distance_), pages);
}

}  // namespace trawl
