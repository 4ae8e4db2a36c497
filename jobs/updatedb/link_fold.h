// Folds the links of a round to one URL into one, and counts the hosts that link to one host. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "jobs/updatedb/event.h"
#include "jobs/updatedb/url_event.h"

namespace trawl {

// Counts distinct numbers, exactly up to `most`; a larger count is `most`.
class DistinctCount {
 public:
  explicit DistinctCount(size_t most) : most_(most) {}
  void Add(uint64_t value);
  int64_t count();
  void Clear() { values_.clear(); }

 private:
  void Tidy();
  const size_t most_;
  std::vector<uint64_t> values_;
  size_t tidy_at_ = 0;
};

class LinkFold {
 public:
  void Clear();
  void Add(const LinkEvent& link);
  int64_t links() const { return links_; }
  // Nothing where no link has come since Clear.
  std::optional<LinkNews> News();

 private:
  // The most inlinks that a sidecar can hold; no round counts further.
  static constexpr size_t kMostInlinks = UINT16_MAX;

  int64_t links_ = 0;
  LinkNews news_;
  std::optional<LinkNews> guess_;
  DistinctCount hosts_{kMostInlinks};
};

}  // namespace trawl
