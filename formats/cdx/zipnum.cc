#include "formats/cdx/zipnum.h"

#include <utility>

namespace trawl {

using arrow::Status;

Status ZipNumWriter::Add(std::string_view line, std::string* out) {
  if (lines_ > 0 && line <= last_) {
    return Status::Invalid("line ", lines_ + 1, " of an index does not come after the one before it: ", line);
  }
  last_.assign(line);
  if (in_block_ == 0) {
    const size_t blank = line.find(' ');
    first_.assign(line.substr(0, line.find(' ', blank + 1)));
  }
  block_.append(line);
  ++lines_;
  return ++in_block_ < block_lines_ ? Status::OK() : EndBlock(out);
}

Status ZipNumWriter::Finish(std::string* out) { return in_block_ == 0 ? Status::OK() : EndBlock(out); }

Status ZipNumWriter::EndBlock(std::string* out) {
  ARROW_ASSIGN_OR_RAISE(const std::string_view member, gzip_.MemberOf(block_));
  out->append(member);
  const auto length = static_cast<int64_t>(member.size());
  blocks_.push_back({.first = first_, .offset = offset_, .length = length, .lines = std::exchange(in_block_, 0)});
  offset_ += length;
  block_.clear();
  return Status::OK();
}

void AppendClusterLine(const ZipNumBlock& block, std::string_view part, int64_t number, std::string* out) {
  out->append(block.first).append("\t").append(part);
  for (const int64_t one : {block.offset, block.length, number}) out->append("\t").append(std::to_string(one));
  out->push_back('\n');
}

}  // namespace trawl
