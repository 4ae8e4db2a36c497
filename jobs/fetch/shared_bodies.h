// Knows where bodies of a list are stored, so that an equal one is not stored again. One thread at a time.
//
// Two bodies are equal where their bytes are, and all that a reader of the stored one goes by beside them: content type,
// codings, cut, and the header fields that parse reads. So a page whose body lies in another's place is read as if it had
// its own.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "formats/rows/fetch_row.h"

namespace trawl {

class SharedBodies {
 public:
  // Remembers at least the last `most` / 2 bodies that were stored or met again, and never more than `most`.
  explicit SharedBodies(size_t most) : most_(most) {}

  // Points the row to the stored body that equals its own, and sets shares_body; false where none is known.
  bool Share(FetchRow* row);
  // The body of the row lies at its place. REQUIRES: the part of that place counts, or is the open one.
  void Add(const FetchRow& row);

 private:
  struct Key {
    std::array<uint64_t, 4> body{};  // its digest
    uint64_t facts = 0;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    size_t operator()(const Key& key) const { return static_cast<size_t>(key.body[0] ^ key.facts); }
  };
  struct Place {
    size_t file = 0;  // in files_
    int64_t row = 0;
  };
  using Places = std::unordered_map<Key, Place, KeyHash>;

  // Nothing where the row has no digest.
  static std::optional<Key> KeyOf(const FetchRow& row);
  void Remember(const Key& key, Place place);

  const size_t most_;
  std::vector<std::string> files_;
  Places newer_, older_;
};

// The most bodies that one of so many tasks on a machine remembers.
size_t MostSharedBodies(int tasks);

}  // namespace trawl
