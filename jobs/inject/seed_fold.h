// Folds all lines that name one URL into one seed, the same whatever order they come in. One thread.
//
// The line that names most values comes first; of equals, the one whose pairs sort first. The others fill in what it does
// not name. The spelling is the shortest, then the smallest. What archives say of a page (jobs/inject/archive_seeds.h)
// does not contradict itself: the latest capture counts. So the fold of a page with a million captures stays small.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arrow/result.h"
#include "arrow/status.h"
#include "jobs/inject/seed_line.h"

namespace trawl {

// Where a line stands: the number of its part in the plan, and of the line in its file.
struct SeedPlace {
  uint32_t part = 0;
  int64_t line = 0;
  auto operator<=>(const SeedPlace&) const = default;
};

// Two lines that name different values.
struct SeedContradiction {
  std::string name;
  std::string kept, other;
  SeedPlace kept_at, other_at;
};

class SeedFold {
 public:
  void Clear();
  void Add(SeedPlace place, std::string_view spelling, const SeedPairs& pairs);

  // The seed. REQUIRES: something was added since Clear.
  void Finish();
  const std::string& spelling() const { return spelling_; }
  const SeedPairs& pairs() const { return pairs_; }
  const std::vector<SeedContradiction>& contradictions() const { return contradictions_; }
  // The first of its lines.
  SeedPlace place() const { return first_; }

 private:
  void AddLine(SeedPlace place, const SeedPairs& pairs);

  std::map<SeedPairs, SeedPlace> lines_;        // equal lines once, where the first stands
  std::pair<std::string, std::string> latest_;  // archive_seen and archive_digest
  bool is_empty_ = true;
  std::string spelling_;
  SeedPlace first_;
  SeedPairs pairs_;
  std::vector<SeedContradiction> contradictions_;
};

// A line as a value of the shuffle, under its key.
void EncodeSeed(SeedPlace place, const SeedLine& seed, std::string* out);
arrow::Status DecodeSeed(std::string_view bytes, SeedPlace* place, std::string* spelling, SeedPairs* pairs);

}  // namespace trawl
