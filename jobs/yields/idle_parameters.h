// Parameters that change nothing, for trawl host --suggest and --urls.learn_parameters. Pure; one thread.
//
// Two pages of one pattern (formats/url/pattern.h) whose URLs differ in the values of one parameter only are a pair. A
// parameter is idle where the pages of at least kEnoughPairs pairs have equal contents (content digest, or fingerprint of
// the text) and no pair's differ.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/rows/url_row.h"

namespace trawl {

inline constexpr int64_t kEnoughPairs = 20;

struct IdleParameter {
  std::string pattern;
  std::string name;
  int64_t pairs = 0;
  bool is_everywhere = false;  // no pair of another pattern of the host says otherwise
  bool operator==(const IdleParameter&) const = default;
};

// Finds them among pages of one host.
class IdleParameters {
 public:
  void Add(const UrlRow& page);
  // Sorted by pattern and name.
  std::vector<IdleParameter> Find() const;
  // The names of those for which a pair's contents differ.
  std::set<std::string> FindNeeded() const;

 private:
  struct Content {
    uint64_t digest = 0;  // its hash
    int64_t simhash = 0;
  };
  struct Tally {
    std::string pattern;
    std::string name;
    int64_t equal = 0;
    int64_t different = 0;
  };

  std::unordered_map<uint64_t, Tally> tallies_;   // by hash of pattern and name
  std::unordered_map<uint64_t, Content> firsts_;  // by hash of the URL without the parameter
};

}  // namespace trawl
