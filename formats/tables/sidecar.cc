#include "formats/tables/sidecar.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "arrow/io/interfaces.h"
#include "formats/digests/digest.h"
#include "formats/documents/format_version.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr char kMagic[8] = {'T', 'R', 'A', 'W', 'L', 'I', 'D', 'X'};
constexpr uint32_t kVersion = 1;
constexpr int64_t kHeaderBytes = 64;
constexpr int64_t kRowBytes = 12;
constexpr uint8_t kPlainBit = 0x80;
constexpr int64_t kBloomBlockBytes = 32;
constexpr int kBloomWords = 8;
// The odd multipliers of Parquet's split-block filter, so that its analysis applies here, too.
constexpr uint32_t kBloomSalts[kBloomWords] = {0x47b6137bU, 0x44974d91U, 0x8824ad5bU, 0xa2b7289dU,
                                               0x705495c7U, 0x2df1424bU, 0x9efc4947U, 0x5c6bfb31U};

struct Header {
  char magic[8];
  uint32_t version;
  uint32_t block_rows;
  uint64_t rows;
  uint64_t bloom_bytes;
  uint64_t keys_bytes;
  uint64_t reserved[3];
};
static_assert(sizeof(Header) == kHeaderBytes);

// The upper half of a hash selects the filter's block, the lower half the bits within it.
uint64_t BloomBlockOf(uint64_t hash, uint64_t blocks) { return (hash >> 32) * blocks >> 32; }
uint32_t BloomBitOf(uint64_t hash, int word) { return 1U << ((static_cast<uint32_t>(hash) * kBloomSalts[word]) >> 27); }

// The share of absent keys that a filter lets through when its blocks have `keys_a_block` keys on average. A block with
// k keys lets (1 - (31/32)^k)^8 through, and the number of keys in a block is Poisson distributed.
double ShareLetThrough(double keys_a_block) {
  double probability = std::exp(-keys_a_block);
  double share = 0;
  for (int keys = 0; keys < 200; ++keys) {
    share += probability * std::pow(1.0 - std::pow(31.0 / 32.0, keys), kBloomWords);
    probability *= keys_a_block / (keys + 1);
  }
  return share;
}

int64_t BloomBytes(int64_t rows, double false_positives) {
  if (false_positives <= 0 || rows == 0) return 0;
  double enough = 0.25;  // 1024 bits per key, far more than anyone asks for
  double too_many = 128;
  while (too_many - enough > 0.01) {
    const double middle = (enough + too_many) / 2;
    (ShareLetThrough(middle) <= false_positives ? enough : too_many) = middle;
  }
  const auto blocks = static_cast<int64_t>(std::ceil(static_cast<double>(rows) / enough));
  return std::max<int64_t>(blocks, 1) * kBloomBlockBytes;
}

std::string BloomOver(const std::vector<uint64_t>& hashes, int64_t bytes) {
  std::vector<uint32_t> words(static_cast<size_t>(bytes) / sizeof(uint32_t));
  const uint64_t blocks = static_cast<uint64_t>(bytes) / kBloomBlockBytes;
  for (const uint64_t hash : hashes) {
    uint32_t* block = words.data() + BloomBlockOf(hash, blocks) * kBloomWords;
    for (int i = 0; i < kBloomWords; ++i) block[i] |= BloomBitOf(hash, i);
  }
  return {reinterpret_cast<const char*>(words.data()), static_cast<size_t>(bytes)};
}

template <typename T>
void AppendRaw(const T* values, size_t count, std::string* out) {
  out->append(reinterpret_cast<const char*>(values), count * sizeof(T));
}

}  // namespace

void SidecarBuilder::Add(std::string_view key, SidecarEntry entry) {
  if (hashes_.size() % kSidecarBlockRows == 0) {
    keys_.append(key);
    key_ends_.push_back(static_cast<uint32_t>(keys_.size()));
  }
  hashes_.push_back(Hash64(key));
  entries_.push_back(entry);
}

std::string SidecarBuilder::Finish() {
  const auto rows = static_cast<int64_t>(hashes_.size());
  Header header{};
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  header.version = kVersion;
  header.block_rows = kSidecarBlockRows;
  header.rows = static_cast<uint64_t>(rows);
  header.bloom_bytes = static_cast<uint64_t>(BloomBytes(rows, bloom_false_positives_));
  header.keys_bytes = key_ends_.size() * sizeof(uint32_t) + keys_.size();

  std::string out;
  out.reserve(static_cast<size_t>(kHeaderBytes + rows * kRowBytes) + header.bloom_bytes + header.keys_bytes);
  AppendRaw(&header, 1, &out);
  if (header.bloom_bytes > 0) out += BloomOver(hashes_, static_cast<int64_t>(header.bloom_bytes));
  for (size_t begin = 0; begin < hashes_.size(); begin += kSidecarBlockRows) {
    const size_t end = std::min(hashes_.size(), begin + kSidecarBlockRows);
    AppendRaw(hashes_.data() + begin, end - begin, &out);
    for (size_t i = begin; i < end; ++i)
      out.push_back(static_cast<char>(entries_[i].state | (entries_[i].plain ? kPlainBit : 0)));
    for (size_t i = begin; i < end; ++i) out.push_back(static_cast<char>(entries_[i].depth));
    for (size_t i = begin; i < end; ++i) AppendRaw(&entries_[i].inlinks, 1, &out);
  }
  AppendRaw(key_ends_.data(), key_ends_.size(), &out);
  out += keys_;
  *this = SidecarBuilder(bloom_false_positives_);
  return out;
}

int64_t SidecarBlock::Find(uint64_t key_hash) const {
  const auto end = hashes.begin() + rows;
  const auto found = std::find(hashes.begin(), end, key_hash);
  return found == end ? -1 : found - hashes.begin();
}

Result<std::unique_ptr<SidecarReader>> SidecarReader::Open(std::shared_ptr<arrow::io::RandomAccessFile> file,
                                                           std::string name) {
  std::unique_ptr<SidecarReader> reader(new SidecarReader());
  reader->file_ = std::move(file);
  reader->name_ = std::move(name);
  Header header;
  ARROW_RETURN_NOT_OK(reader->ReadAt(0, kHeaderBytes, &header));
  if (std::memcmp(header.magic, kMagic, sizeof kMagic) != 0)
    return Status::IOError(reader->name_, ": is not a sidecar");
  const Status known = CheckFormat(header.version, kVersion);
  if (!known.ok()) return Status::IOError(reader->name_, ": ", known.message());
  ARROW_ASSIGN_OR_RAISE(const int64_t size, reader->file_->GetSize());
  const auto total = static_cast<uint64_t>(size);
  const bool fits = header.block_rows == kSidecarBlockRows && header.rows <= total && header.bloom_bytes <= total &&
                    header.keys_bytes <= total && header.bloom_bytes % kBloomBlockBytes == 0 &&
                    kHeaderBytes + header.bloom_bytes + header.rows * kRowBytes + header.keys_bytes == total;
  if (!fits) return Status::IOError(reader->name_, ": its header does not fit its size");
  reader->rows_ = static_cast<int64_t>(header.rows);
  reader->bloom_bytes_ = static_cast<int64_t>(header.bloom_bytes);
  reader->keys_bytes_ = static_cast<int64_t>(header.keys_bytes);
  return reader;
}

Status SidecarReader::ReadAt(int64_t offset, int64_t size, void* out) const {
  ARROW_ASSIGN_OR_RAISE(const int64_t got, file_->ReadAt(offset, size, out));
  return got == size ? Status::OK() : Status::IOError(name_, ": is cut off");
}

Result<bool> SidecarReader::MayContain(uint64_t key_hash) {
  if (rows_ == 0) return false;
  if (bloom_bytes_ == 0) return true;
  const uint64_t block = BloomBlockOf(key_hash, static_cast<uint64_t>(bloom_bytes_) / kBloomBlockBytes);
  uint32_t words[kBloomWords];
  ARROW_RETURN_NOT_OK(ReadAt(kHeaderBytes + static_cast<int64_t>(block) * kBloomBlockBytes, sizeof words, words));
  for (int i = 0; i < kBloomWords; ++i) {
    if ((words[i] & BloomBitOf(key_hash, i)) == 0) return false;
  }
  return true;
}

Status SidecarReader::LoadFirstKeys() {
  if (!first_keys_.empty() || rows_ == 0) return Status::OK();
  std::string keys(static_cast<size_t>(keys_bytes_), '\0');
  ARROW_RETURN_NOT_OK(ReadAt(kHeaderBytes + bloom_bytes_ + rows_ * kRowBytes, keys_bytes_, keys.data()));
  const size_t ends_bytes = static_cast<size_t>(blocks()) * sizeof(uint32_t);
  uint32_t before = 0;
  for (size_t at = 0; at < ends_bytes; at += sizeof(uint32_t)) {
    uint32_t end = 0;
    if (at + sizeof end <= keys.size()) std::memcpy(&end, keys.data() + at, sizeof end);
    if (end < before || ends_bytes + end > keys.size()) return Status::IOError(name_, ": its first keys are damaged");
    before = end;
  }
  first_keys_ = std::move(keys);
  return Status::OK();
}

std::string_view SidecarReader::FirstKey(int64_t block) const {
  const auto index = static_cast<size_t>(block);
  uint32_t begin = 0;
  uint32_t end = 0;
  if (index > 0) std::memcpy(&begin, first_keys_.data() + (index - 1) * sizeof begin, sizeof begin);
  std::memcpy(&end, first_keys_.data() + index * sizeof end, sizeof end);
  return std::string_view(first_keys_).substr(static_cast<size_t>(blocks()) * sizeof end + begin, end - begin);
}

Status SidecarReader::ReadBlock(int64_t block, SidecarBlock* out) {
  out->first_row = block * kSidecarBlockRows;
  out->rows = std::min(kSidecarBlockRows, rows_ - out->first_row);
  std::array<char, static_cast<size_t>(kSidecarBlockRows * kRowBytes)> raw;
  ARROW_RETURN_NOT_OK(
      ReadAt(kHeaderBytes + bloom_bytes_ + out->first_row * kRowBytes, out->rows * kRowBytes, raw.data()));
  const auto rows = static_cast<size_t>(out->rows);
  std::memcpy(out->hashes.data(), raw.data(), rows * sizeof(uint64_t));
  const char* states = raw.data() + rows * sizeof(uint64_t);
  const char* depths = states + rows;
  const char* inlinks = depths + rows;
  for (size_t i = 0; i < rows; ++i) {
    SidecarEntry& entry = out->entries[i];
    entry.state = static_cast<uint8_t>(states[i]) & ~kPlainBit;
    entry.plain = (static_cast<uint8_t>(states[i]) & kPlainBit) != 0;
    entry.depth = static_cast<uint8_t>(depths[i]);
    std::memcpy(&entry.inlinks, inlinks + i * sizeof entry.inlinks, sizeof entry.inlinks);
  }
  return Status::OK();
}

}  // namespace trawl
