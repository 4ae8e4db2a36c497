// Input: hostile frames for the reader of blocks. The first byte says whether checksums are made to fit, so that the bytes
// behind them are reached, too. The reader ends, with groups that ascend or an error that stays, and within its window.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "formats/digests/digest.h"
#include "runtime/blocks/stream.h"
#include "tests/support/values/byte_streams.h"

namespace {

constexpr int64_t kWindow = 1 << 20;
constexpr size_t kLargestRecord = 1 << 20;

void PutLittleEndian(uint64_t number, std::string* out) {
  for (int i = 0; i < 8; ++i) out->push_back(static_cast<char>(number >> (8 * i)));
}

// The block with the checksum that its other bytes ask for.
std::string Mended(std::string_view key, std::string_view value) {
  if (value.size() < trawl::kRecordBlockHeadBytes) return std::string(value);
  std::string parts(value.substr(0, 24));
  PutLittleEndian(trawl::Hash64(key), &parts);
  PutLittleEndian(trawl::Hash64(value.substr(trawl::kRecordBlockHeadBytes)), &parts);
  std::string mended(value.substr(0, 24));
  PutLittleEndian(trawl::Hash64(parts), &mended);
  return mended.append(value.substr(trawl::kRecordBlockHeadBytes));
}

std::string WithChecksums(std::string_view bytes) {
  trawl::StringSource source(bytes);
  trawl::FrameReader reader(&source, {.value_bytes = kLargestRecord});
  trawl::StringSink sink;
  trawl::FrameWriter writer(&sink);
  for (trawl::Frame frame;;) {
    const auto more = reader.Next(&frame);
    if (!more.ok() || !*more) break;
    if (!writer.Write(frame.key, "", Mended(frame.key, frame.value)).ok()) std::abort();
  }
  if (!writer.Flush().ok()) std::abort();
  return sink.written();
}

// Sizes of blocks that would make the fuzzer slow and find nothing.
bool IsTooLarge(std::string_view bytes) {
  trawl::StringSource source(bytes);
  trawl::FrameReader reader(&source, {.value_bytes = kLargestRecord});
  for (trawl::Frame frame;;) {
    const auto more = reader.Next(&frame);
    if (!more.ok() || !*more) return false;
    const auto head = trawl::RecordBlockDecoder::Check(frame.key, frame.value);
    if (head.ok() && head->size_bytes > kLargestRecord) return true;
  }
}

std::string Read(std::string_view bytes, size_t piece) {
  trawl::StringSource source(bytes, piece);
  const auto groups = trawl::BlockGroupStream::Make(&source, {.map_tasks = 4, .window_bytes = kWindow}).ValueOrDie();
  std::string outcome, last;
  for (bool first = true;; first = false) {
    const auto more = groups->NextGroup();
    if (!more.ok() && groups->NextGroup().status() != more.status()) std::abort();
    if (!more.ok()) return outcome + more.status().message();
    if (!*more) break;
    if (!first && groups->key() <= last) std::abort();
    last = groups->key();
    outcome += last + "=";
    std::string_view value;
    for (;;) {
      const auto has_value = groups->NextValue(&value);
      if (!has_value.ok()) return outcome + has_value.status().message();
      if (!*has_value) break;
      outcome.append(value) += ',';
    }
  }
  if (groups->peak_bytes() > kWindow + static_cast<int64_t>(kLargestRecord)) std::abort();
  return outcome + " end";
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] % 2 == 1) bytes = WithChecksums(bytes);
  if (IsTooLarge(bytes)) return 0;
  if (Read(bytes, 1 << 20) != Read(bytes, 5)) std::abort();
  return 0;
}
