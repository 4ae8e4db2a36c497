// The chunks of an HTTP/1.1 body (RFC 9112 section 7.1), as they stand in records of writers that keep them. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace trawl {

class ChunkReader {
 public:
  // Passes the content to `take`. False where the bytes are no chunks.
  bool Feed(std::string_view bytes, const std::function<void(std::string_view)>& take);
  // The last chunk and the empty line after it have come.
  bool ended() const { return state_ == State::kEnd; }

 private:
  enum class State { kSize, kData, kAfterData, kTrailer, kEnd, kBroken };
  bool TakeLine();

  State state_ = State::kSize;
  std::string line_;
  int64_t left_ = 0;
};

}  // namespace trawl
