#include "formats/rows/link_list.h"

#include <algorithm>

namespace trawl {

using arrow::Status;

namespace {

constexpr uint8_t kNofollowFlag = 1;

void PutNumber(size_t number, std::string* out) {
  while (number >= 0x80) {
    out->push_back(static_cast<char>(number | 0x80));
    number >>= 7;
  }
  out->push_back(static_cast<char>(number));
}

void PutBytes(std::string_view bytes, std::string* out) {
  PutNumber(bytes.size(), out);
  out->append(bytes);
}

size_t SharedPrefix(std::string_view a, std::string_view b) {
  const size_t most = std::min(a.size(), b.size());
  return static_cast<size_t>(std::mismatch(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(most), b.begin()).first -
                             a.begin());
}

}  // namespace

std::string_view CutAnchor(std::string_view text) {
  if (text.size() <= kMostAnchorBytes) return text;
  size_t end = kMostAnchorBytes;
  while (end > 0 && (static_cast<uint8_t>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end);
}

bool LinkListWriter::Add(const ListedLink& link) {
  constexpr size_t kNumbers = 16;  // at most, for the lengths and flags of a link
  const std::string_view text = CutAnchor(link.text);
  const size_t shared = SharedPrefix(key_, link.key);
  const size_t most = link.key.size() - shared + link.how.size() + text.size() + kNumbers;
  is_full_ = is_full_ || links_ >= kMostListedLinks || bytes_.size() + most > kMostLinkListBytes;
  if (is_full_) return false;
  PutNumber(shared, &bytes_);
  PutBytes(link.key.substr(shared), &bytes_);
  bytes_.push_back(static_cast<char>(link.nofollow ? kNofollowFlag : 0));
  PutBytes(link.how, &bytes_);
  PutBytes(text, &bytes_);
  key_.resize(shared);
  key_.append(link.key.substr(shared));
  ++links_;
  return true;
}

void LinkListWriter::Clear() {
  bytes_.clear();
  key_.clear();
  links_ = 0;
  is_full_ = false;
}

bool LinkListReader::TakeNumber(size_t* number) {
  *number = 0;
  for (int shift = 0; shift < 28 && !bytes_.empty(); shift += 7) {
    const auto byte = static_cast<uint8_t>(bytes_.front());
    bytes_.remove_prefix(1);
    *number |= size_t{byte & 0x7Fu} << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

bool LinkListReader::TakeBytes(std::string_view* bytes) {
  size_t size = 0;
  if (!TakeNumber(&size) || size > bytes_.size()) return false;
  *bytes = bytes_.substr(0, size);
  bytes_.remove_prefix(size);
  return true;
}

Status LinkListReader::Next(ListedLink* link, bool* more) {
  *more = !bytes_.empty();
  if (!*more) return Status::OK();
  size_t shared = 0;
  std::string_view rest;
  if (!TakeNumber(&shared) || shared > key_.size() || !TakeBytes(&rest) || bytes_.empty()) {
    return Status::Invalid("a list of links is damaged");
  }
  key_.resize(shared);
  key_.append(rest);
  link->key = key_;
  link->nofollow = (static_cast<uint8_t>(bytes_.front()) & kNofollowFlag) != 0;
  bytes_.remove_prefix(1);
  if (!TakeBytes(&link->how) || !TakeBytes(&link->text)) return Status::Invalid("a list of links is damaged");
  return Status::OK();
}

}  // namespace trawl
