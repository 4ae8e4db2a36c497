#include "jobs/updatedb/link_fold.h"

#include <algorithm>

namespace trawl {

void DistinctCount::Add(uint64_t value) {
  if (!values_.empty() && values_.back() == value) return;
  values_.push_back(value);
  if (values_.size() >= std::max(tidy_at_, size_t{1024})) Tidy();
}

// Memory stays within twice the distinct numbers, and time within one sort per doubling.
void DistinctCount::Tidy() {
  std::sort(values_.begin(), values_.end());
  values_.erase(std::unique(values_.begin(), values_.end()), values_.end());
  // It does not matter which numbers are dropped: the count stays at the most.
  if (values_.size() > most_) values_.resize(most_);
  tidy_at_ = values_.size() * 2;
}

int64_t DistinctCount::count() {
  Tidy();
  return static_cast<int64_t>(values_.size());
}

void LinkFold::Clear() {
  links_ = 0;
  news_ = LinkNews();
  guess_.reset();
  hosts_.Clear();
}

void LinkFold::Add(const LinkEvent& link) {
  if (link.is_guess) {
    guess_ = {.depth = link.depth, .spelling = std::string(link.spelling), .kind = link.kind, .is_guess = true};
    return;
  }
  const bool is_first = links_++ == 0;
  if (is_first || link.depth < news_.depth || (link.depth == news_.depth && link.via < news_.via)) {
    news_.depth = link.depth;
    news_.via.assign(link.via);
  }
  const auto is_better = [&] {
    if (link.spelling.size() != news_.spelling.size()) return link.spelling.size() < news_.spelling.size();
    return link.spelling < news_.spelling;
  };
  if (is_first || is_better()) news_.spelling.assign(link.spelling);
  // A sitemap or feed that is also linked as a page stays a sitemap or feed.
  if (is_first || link.kind > news_.kind) news_.kind = link.kind;
  if (link.is_entry) {
    if (!news_.is_entry || link.via < news_.sitemap) news_.sitemap.assign(link.via);
    news_.is_entry = true;
  }
  news_.is_named = news_.is_named || link.is_named;
  news_.is_newly_named = news_.is_newly_named || link.is_newly_named;
  news_.words.Fold(link.words);
  if (link.counts) hosts_.Add(link.source_host);
}

std::optional<LinkNews> LinkFold::News() {
  // Whoever names a sitemap knows better than a guess.
  if (links_ == 0) return guess_;
  news_.inlinks = static_cast<int32_t>(hosts_.count());
  return news_;
}

}  // namespace trawl
