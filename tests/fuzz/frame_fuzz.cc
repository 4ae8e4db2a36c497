// Input: hostile bytes as frames. Pieces of any size give the same frames or the same error, and frames that were read
// are written back as the same bytes.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "formats/hadoop/frame.h"
#include "tests/support/values/byte_streams.h"

namespace {

struct Outcome {
  std::string written;
  std::string error;
  bool operator==(const Outcome&) const = default;
};

Outcome ReadAndWrite(std::string_view bytes, size_t piece) {
  trawl::StringSource source(bytes, piece);
  trawl::FrameReader reader(&source, {.key_bytes = 4096, .value_bytes = 1 << 20});
  trawl::StringSink sink;
  trawl::FrameWriter writer(&sink);
  Outcome outcome;
  for (;;) {
    trawl::Frame frame;
    const auto more = reader.Next(&frame);
    if (!more.ok()) outcome.error = more.status().message();
    if (!more.ok() || !*more) break;
    if (!writer.Write(frame.key.substr(0, 2), frame.key.substr(std::min<size_t>(2, frame.key.size())), frame.value)
             .ok()) {
      std::abort();
    }
  }
  if (!writer.Flush().ok()) std::abort();
  outcome.written = sink.written();
  if (bytes.substr(0, outcome.written.size()) != outcome.written) std::abort();
  if (outcome.error.empty() != (outcome.written.size() == bytes.size())) std::abort();
  return outcome;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (ReadAndWrite(bytes, 1 << 20) != ReadAndWrite(bytes, 3)) std::abort();
  return 0;
}
