// A set of strings that finds which of them a text begins with, at the cost of one binary search however many there
// are. Immutable once built; then any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "arrow/result.h"

namespace trawl {

class PrefixSet {
 public:
  // An entry and the number by which a match is known: the line of a file.
  struct Entry {
    std::string text;
    uint32_t number = 0;
  };
  // An entry that begins with another one finds nothing that the other does not, and is left out; of equal ones the one
  // with the lowest number stays. An empty entry begins every text. Invalid where they have 4 GiB or more together.
  static arrow::Result<PrefixSet> Make(const std::vector<Entry>& entries);
  PrefixSet() = default;

  struct Match {
    std::string_view text;  // the entry; lives as long as the set. Its data is null where nothing was found
    uint32_t number = 0;
    explicit operator bool() const { return text.data() != nullptr; }
  };
  // The entry that `text` begins with.
  Match Find(std::string_view text) const;
  size_t size() const { return numbers_.size(); }
  bool empty() const { return numbers_.empty(); }

 private:
  std::string_view EntryAt(size_t index) const;

  std::string bytes_;              // the entries in ascending order, one behind the other
  std::vector<uint32_t> ends_;     // where each ends in bytes_
  std::vector<uint32_t> numbers_;  // and its number
};

}  // namespace trawl
