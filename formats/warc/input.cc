#include "formats/warc/input.h"

#include <algorithm>

namespace trawl {

using arrow::Result;

namespace {
constexpr char kGzipByte = '\x1f';
}  // namespace

Result<bool> WarcInput::FillRaw() {
  if (!raw_.empty()) return true;
  if (source_ended_) return false;
  ARROW_ASSIGN_OR_RAISE(raw_, source_());
  source_ended_ = raw_.empty();
  return !source_ended_;
}

Result<bool> WarcInput::Begin() {
  if (!damage_.empty()) return false;
  if (at_ < text_.size()) {  // what follows in the same text
    if (!is_gzip_) begin_ = text_offset_;
    return true;
  }
  ARROW_ASSIGN_OR_RAISE(const bool has_more, FillRaw());
  if (in_member_) return true;
  begin_ = raw_offset_;
  if (!has_more) return false;
  if (raw_offset_ == 0) is_gzip_ = raw_.front() == kGzipByte;
  if (!is_gzip_) return true;
  if (raw_.front() != kGzipByte) {
    damage_ = "bytes that are no gzip member";
    return false;
  }
  if (gunzip_ == nullptr) {
    ARROW_ASSIGN_OR_RAISE(gunzip_, GunzipMembers::Make());
  }
  in_member_ = true;
  return true;
}

Result<bool> WarcInput::Inflate() {
  if (!in_member_ || !damage_.empty()) return false;
  ARROW_ASSIGN_OR_RAISE(const bool has_more, FillRaw());
  const size_t before = raw_.size();
  const size_t text_before = text_.size();
  const GunzipMembers::Step step = gunzip_->Read(&raw_, &text_);
  raw_offset_ += static_cast<int64_t>(before - raw_.size());
  if (step == GunzipMembers::Step::kDamaged) damage_ = "its gzip member is damaged";
  if (step == GunzipMembers::Step::kMemberEnd) in_member_ = false;
  if (step == GunzipMembers::Step::kMore && !has_more && text_.size() == text_before) {
    damage_ = "the file ends within its gzip member";
  }
  return damage_.empty() && (in_member_ || text_.size() > text_before);
}

Result<bool> WarcInput::FillText() {
  // Moves what is left to the front now and then, so that the text does not grow with the file.
  if (at_ > 0 && at_ >= text_.size() / 2) {
    text_.erase(0, at_);
    at_ = 0;
  }
  if (is_gzip_) return Inflate();
  ARROW_ASSIGN_OR_RAISE(const bool has_more, FillRaw());
  if (!has_more) return false;
  constexpr size_t kPiece = size_t{64} << 10;
  const std::string_view piece = raw_.substr(0, kPiece);
  text_ += piece;
  raw_.remove_prefix(piece.size());
  raw_offset_ += static_cast<int64_t>(piece.size());
  return true;
}

Result<std::string_view> WarcInput::Peek(size_t least) {
  while (text_.size() - at_ < least) {
    ARROW_ASSIGN_OR_RAISE(const bool has_more, FillText());
    if (!has_more) break;
  }
  return std::string_view(text_).substr(at_);
}

void WarcInput::Consume(size_t bytes) {
  at_ += bytes;
  text_offset_ += static_cast<int64_t>(bytes);
}

}  // namespace trawl
