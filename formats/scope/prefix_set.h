// A set of strings that finds the one that a text begins with. A question costs one binary search, whatever the set's
// size. Immutable once built; then any thread.
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
  // An entry, and the number that a match reports, such as a line of a file.
  struct Entry {
    std::string text;
    uint32_t number = 0;
  };
  // An entry that begins with another entry is left out, since it finds nothing new; of equal entries the one with the
  // lowest number stays. An empty entry begins every text. Invalid where the entries have 4 GiB or more together.
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

  std::string bytes_;              // the entries in ascending order, one after the other
  std::vector<uint32_t> ends_;     // where each entry ends in bytes_
  std::vector<uint32_t> numbers_;  // the number of each entry
};

}  // namespace trawl
