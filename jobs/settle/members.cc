#include "jobs/settle/members.h"

#include <cstring>

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr size_t kBlockBytes = size_t{4} << 20;

enum : uint8_t {
  kLeaves = 1,
  kWasMember = 2,
  kHasVerdict = 4,
  kDropsVote = 8,
  kIsNews = 16,
  kHasRow = 32,
  kStood = 64,
  kLostNear = 128
};

}  // namespace

void EncodeMember(const Member& member, std::string* bytes) {
  EncodeRow(member.row, bytes);
  const auto flag = [](bool is_set, uint8_t bit) { return is_set ? bit : uint8_t{0}; };
  bytes->push_back(static_cast<char>(flag(member.leaves, kLeaves) | flag(member.was_member, kWasMember) |
                                     flag(member.has_verdict, kHasVerdict) | flag(member.drops_vote, kDropsVote) |
                                     flag(member.is_news, kIsNews) | flag(member.has_row, kHasRow) |
                                     flag(member.stood_for_group, kStood) | flag(member.lost_near, kLostNear)));
}

Status DecodeMember(std::string_view bytes, Member* member) {
  if (bytes.empty()) return Status::Invalid("a page of a content without bytes");
  const auto flags = static_cast<uint8_t>(bytes.back());
  member->leaves = flags & kLeaves;
  member->was_member = flags & kWasMember;
  member->has_verdict = flags & kHasVerdict;
  member->drops_vote = flags & kDropsVote;
  member->is_news = flags & kIsNews;
  member->has_row = flags & kHasRow;
  member->stood_for_group = flags & kStood;
  member->lost_near = flags & kLostNear;
  return DecodeRow(bytes.substr(0, bytes.size() - 1), &member->row);
}

void MemberList::Clear() {
  if (file_) file_->Truncate(0);
  blocks_.clear();
  open_.clear();
  size_ = 0;
}

Status MemberList::Add(const Member& member) {
  EncodeMember(member, &bytes_);
  const auto size = static_cast<uint32_t>(bytes_.size());
  open_.append(reinterpret_cast<const char*>(&size), sizeof size).append(bytes_);
  ++size_;
  return open_.size() < kBlockBytes ? Status::OK() : CloseBlock();
}

Status MemberList::CloseBlock() {
  if (!file_) {
    ARROW_ASSIGN_OR_RAISE(file_, SpillFile::Make(folder_));
  }
  blocks_.push_back({file_->size(), open_.size()});
  ARROW_RETURN_NOT_OK(file_->Append(open_));
  open_.clear();
  return Status::OK();
}

void MemberList::Rewind() {
  block_ = 0;
  left_ = {};
}

Result<bool> MemberList::Next(Member* member) {
  while (left_.empty()) {
    if (block_ > blocks_.size()) return false;
    if (block_ == blocks_.size()) {
      left_ = open_;
    } else {
      read_.resize(blocks_[block_].size);
      ARROW_RETURN_NOT_OK(file_->ReadAt(blocks_[block_].offset, read_.data(), read_.size()));
      left_ = read_;
    }
    ++block_;
  }
  uint32_t size = 0;
  std::memcpy(&size, left_.data(), sizeof size);
  ARROW_RETURN_NOT_OK(DecodeMember(left_.substr(sizeof size, size), member));
  left_.remove_prefix(sizeof size + size);
  return true;
}

}  // namespace trawl
