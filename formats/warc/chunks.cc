#include "formats/warc/chunks.h"

#include <algorithm>

#include "formats/text/ascii.h"

namespace trawl {

namespace {
// Of a size with its extensions, and of a trailer.
constexpr size_t kMaxLineBytes = 64 << 10;
}  // namespace

bool ChunkReader::TakeLine() {
  const std::string_view line = std::string_view(line_).substr(0, line_.find_first_of("\r\n"));
  if (state_ == State::kAfterData) {
    state_ = State::kSize;
    return line.empty();
  }
  if (state_ == State::kTrailer) {
    if (line.empty()) state_ = State::kEnd;
    return true;
  }
  left_ = 0;
  size_t digits = 0;
  // Fifteen digits are 2^60: a larger chunk is nonsense.
  for (; digits < line.size() && digits < 16 && HexDigitValue(line[digits]) >= 0; ++digits) {
    left_ = left_ * 16 + HexDigitValue(line[digits]);
  }
  if (digits == 0 || digits > 15) return false;
  const std::string_view rest = TrimBytes(line.substr(digits), " \t");
  state_ = left_ == 0 ? State::kTrailer : State::kData;
  return rest.empty() || rest.front() == ';';
}

bool ChunkReader::Feed(std::string_view bytes, const std::function<void(std::string_view)>& take) {
  while (!bytes.empty() && state_ != State::kBroken) {
    if (state_ == State::kEnd) {
      state_ = State::kBroken;
    } else if (state_ == State::kData) {
      const std::string_view data = bytes.substr(0, static_cast<size_t>(std::min<int64_t>(left_, bytes.size())));
      take(data);
      bytes.remove_prefix(data.size());
      left_ -= static_cast<int64_t>(data.size());
      if (left_ == 0) state_ = State::kAfterData;
    } else {
      const size_t end = bytes.find('\n');
      const std::string_view part = bytes.substr(0, end == std::string_view::npos ? end : end + 1);
      line_ += part;
      bytes.remove_prefix(part.size());
      if (line_.size() > kMaxLineBytes) {
        state_ = State::kBroken;
      } else if (line_.ends_with('\n')) {
        if (!TakeLine()) state_ = State::kBroken;
        line_.clear();
      }
    }
  }
  return state_ != State::kBroken;
}

}  // namespace trawl
