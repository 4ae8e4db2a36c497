// Folds the links of a round to one URL into one, in the reducer and on the way to it, and counts the hosts that link to
// one host. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arrow/status.h"
#include "jobs/updatedb/event.h"
#include "jobs/updatedb/url_event.h"
#include "runtime/shuffle/combiner.h"

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

// Folds links to one URL before they reach the reducer: many pages link to the same few.
//
// What is a sum, a least or a largest value of the links goes into one event. Of the hosts that link to the URL only their
// number is wanted in the end, but numbers of two folds cannot be added: the event has the hosts themselves, each once.
// Guesses, and what sitemaps, feeds and robots.txt say, stay as they are: there are few, and the reducer asks each by whom
// it was said. All other events pass.
class LinkCombiner : public Combiner {
 public:
  void Begin(std::string_view key) override;
  arrow::Status Add(std::string_view value, CombinedValues& back) override;
  arrow::Status Finish(CombinedValues& back) override;

 private:
  void TidyHosts();
  arrow::Status GiveFold(CombinedValues& back);

  LinkFold fold_;
  std::vector<uint64_t> hosts_;  // of the links that count
  std::string event_;
};

}  // namespace trawl
