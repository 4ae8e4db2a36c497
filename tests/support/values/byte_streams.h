// Byte sources and sinks over strings.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "formats/hadoop/frame.h"

namespace trawl {

// Returns at most `piece` bytes at a time.
class StringSource : public ByteSource {
 public:
  explicit StringSource(std::string_view bytes, size_t piece = 1 << 20) : rest_(bytes), piece_(piece) {}
  arrow::Result<size_t> Read(char* out, size_t size) override {
    const size_t count = std::min({size, piece_, rest_.size()});
    std::copy_n(rest_.data(), count, out);
    rest_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view rest_;
  const size_t piece_;
};

class StringSink : public ByteSink {
 public:
  arrow::Status Write(std::string_view bytes) override {
    written_.append(bytes);
    return arrow::Status::OK();
  }
  const std::string& written() const { return written_; }

 private:
  std::string written_;
};

}  // namespace trawl
