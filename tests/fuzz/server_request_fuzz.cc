// Bytes that clients send to the server: however they are cut, they are read the same way and within the limits.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "runtime/server/request_reader.h"

namespace {

struct Outcome {
  trawl::ReaderState state = trawl::ReaderState::kHeader;
  size_t taken = 0;
  std::string target;
  std::string body;
  bool operator==(const Outcome&) const = default;
};

constexpr trawl::ServerLimits kLimits = {.header_bytes = 512, .body_bytes = 256};

Outcome Read(std::string_view bytes, size_t piece) {
  trawl::RequestReader reader(kLimits);
  Outcome outcome;
  size_t offered = 0;
  const auto is_open = [&reader] {
    return reader.state() == trawl::ReaderState::kHeader || reader.state() == trawl::ReaderState::kBody;
  };
  while (is_open() && offered < bytes.size()) {
    offered = std::min(offered + piece, bytes.size());
    for (size_t taken = 1; taken > 0 && is_open() && outcome.taken < offered; outcome.taken += taken) {
      taken = reader.Take(bytes.substr(outcome.taken, offered - outcome.taken));
      if (taken > offered - outcome.taken) std::abort();
    }
    // A connection buffers no more than this, so what is not taken must be refused before.
    if (is_open() && offered - outcome.taken > kLimits.header_bytes + piece) std::abort();
  }
  // A fault may be found only when the whole header is there, so both of these stand for "no request yet".
  const bool has_header = reader.state() == trawl::ReaderState::kBody || reader.state() == trawl::ReaderState::kDone;
  if (!has_header) return {};
  outcome.state = reader.state();
  outcome.target = reader.request().target;
  outcome.body = reader.request().body;
  if (outcome.body.size() > static_cast<size_t>(kLimits.body_bytes)) std::abort();
  return outcome;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const Outcome whole = Read(bytes, bytes.size() + 1);
  if (whole.state == trawl::ReaderState::kDone && !whole.target.starts_with('/')) std::abort();
  if (Read(bytes, 1) != whole || Read(bytes, 7) != whole) std::abort();
  return 0;
}
