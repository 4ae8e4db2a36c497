// Rows on local disk: too many for memory, written one after the other and read again at their places. One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "arrow/result.h"
#include "runtime/spill/file.h"

namespace trawl {

class SpilledRows {
 public:
  // `folder` must exist when the first bytes are spilled, not before.
  explicit SpilledRows(std::string folder) : folder_(std::move(folder)) {}

  // Returns the place of the bytes.
  arrow::Result<int64_t> Add(std::string_view bytes);
  // Reads what was added at `place`, and returns the place after it.
  arrow::Result<int64_t> Read(int64_t place, std::string* bytes) const;
  int64_t end() const { return spilled_ + static_cast<int64_t>(rest_.size()); }

 private:
  arrow::Status ReadAt(int64_t place, char* out, size_t size) const;

  const std::string folder_;
  std::unique_ptr<SpillFile> file_;  // null: all is in memory
  int64_t spilled_ = 0;
  std::string rest_;  // after what is spilled
};

}  // namespace trawl
