#include "formats/scope/prefix_set.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "arrow/status.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// An entry while entries are sorted. Most comparisons need only the eight bytes in `head`, which follow the beginning
// that all entries share.
struct Sortable {
  uint64_t head;
  std::string_view text;
  uint32_t number;

  bool operator<(const Sortable& other) const {
    if (head != other.head) return head < other.head;
    return text != other.text ? text < other.text : number < other.number;
  }
};

// The first eight bytes as a number with the same order.
uint64_t Head(std::string_view text) {
  uint64_t head = 0;
  for (size_t i = 0; i < 8; ++i) head = head << 8 | (i < text.size() ? static_cast<unsigned char>(text[i]) : 0u);
  return head;
}

size_t SharedBytes(const std::vector<PrefixSet::Entry>& entries) {
  std::string_view shared = entries.empty() ? std::string_view() : entries.front().text;
  for (const PrefixSet::Entry& entry : entries) {
    const auto end = std::mismatch(shared.begin(), shared.end(), entry.text.begin(), entry.text.end()).first;
    shared = shared.substr(0, static_cast<size_t>(end - shared.begin()));
  }
  return shared.size();
}

std::vector<Sortable> Sorted(const std::vector<PrefixSet::Entry>& entries) {
  const size_t shared = SharedBytes(entries);
  std::vector<Sortable> sorted;
  sorted.reserve(entries.size());
  for (const PrefixSet::Entry& entry : entries) {
    sorted.push_back({Head(std::string_view(entry.text).substr(shared)), entry.text, entry.number});
  }
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

}  // namespace

Result<PrefixSet> PrefixSet::Make(const std::vector<Entry>& entries) {
  PrefixSet set;
  std::string_view last;
  for (const Sortable& entry : Sorted(entries)) {
    // In ascending order, everything that begins with an entry follows it at once.
    if (!set.empty() && entry.text.starts_with(last)) continue;
    if (entry.text.size() > std::numeric_limits<uint32_t>::max() - set.bytes_.size()) {
      return Status::Invalid("a list of 4 GiB or more");
    }
    set.bytes_.append(entry.text);
    set.ends_.push_back(static_cast<uint32_t>(set.bytes_.size()));
    set.numbers_.push_back(entry.number);
    last = entry.text;
  }
  return set;
}

std::string_view PrefixSet::EntryAt(size_t index) const {
  const uint32_t start = index == 0 ? 0 : ends_[index - 1];
  return std::string_view(bytes_.data() + start, ends_[index] - start);
}

PrefixSet::Match PrefixSet::Find(std::string_view text) const {
  // No entry begins with another, so only the last entry that does not sort after `text` can begin it.
  size_t from = 0, to = size();
  while (from < to) {
    const size_t middle = from + (to - from) / 2;
    if (text < EntryAt(middle)) {
      to = middle;
    } else {
      from = middle + 1;
    }
  }
  if (from == 0 || !text.starts_with(EntryAt(from - 1))) return {};
  return {EntryAt(from - 1), numbers_[from - 1]};
}

}  // namespace trawl
