// A door of jobs/sites: parameters that change nothing, what trawl host --suggest prints. One thread.
//
// Two pages of one pattern (formats/url/pattern.h) whose URLs differ in the values of one parameter only are a pair. A
// parameter is suggested where the pages of at least kEnoughPairs pairs have equal contents (content digest, or
// fingerprint of the text) and no pair's differ.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/json.h"
#include "formats/documents/manifest.h"
#include "formats/rows/url_row.h"
#include "runtime/process/stop.h"
#include "runtime/store/store.h"

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

// {"host", "suggestions": [{"pattern", "parameter", "pairs", "rule"}], "is_cut"}. The rule is a line for
// --urls.ignored_parameters; null where pages of another pattern depend on the parameter.
arrow::Result<Json> SuggestionsJson(Store* store, const Manifest& snapshot, const std::string& host,
                                    const StopToken& stop);
std::string SuggestionsText(const Json& json);

}  // namespace trawl
