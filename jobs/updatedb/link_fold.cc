#include "jobs/updatedb/link_fold.h"

#include <algorithm>

namespace trawl {

using arrow::Status;

namespace {

// Together these stay within kMostCombinedBytes: a source and a spelling, each of one link, and the hosts.
constexpr size_t kMostTextBytes = 8 << 10;
constexpr size_t kMostHosts = 4096;

bool IsPlain(const LinkEvent& link) {
  return !link.is_entry && !link.is_named && !link.is_newly_named && !link.is_guess && link.words == StatedWords() &&
         link.via.size() + link.spelling.size() <= kMostTextBytes;
}

}  // namespace

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
  const bool is_first = links_ == 0;
  links_ += link.links;
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
  ForEachLinkingHost(link, [this](uint64_t host) { hosts_.Add(host); });
}

std::optional<LinkNews> LinkFold::News() {
  // Whoever names a sitemap knows better than a guess.
  if (links_ == 0) return guess_;
  news_.inlinks = static_cast<int32_t>(hosts_.count());
  return news_;
}

void LinkCombiner::Begin(std::string_view) {
  fold_.Clear();
  hosts_.clear();
}

Status LinkCombiner::Add(std::string_view value, CombinedValues& back) {
  if (value.empty() || value.front() != static_cast<char>(UpdateTag::kLink)) return back.Give(value);
  LinkEvent link;
  ARROW_RETURN_NOT_OK(DecodeLinkEvent(value, &link));
  if (!IsPlain(link)) return back.Give(value);
  if (hosts_.size() + link.hosts.size() / sizeof(uint64_t) + 1 > kMostHosts) {
    TidyHosts();
    // Half of the room at least must come free, so that the time stays within one sort for so many hosts.
    if (hosts_.size() + link.hosts.size() / sizeof(uint64_t) + 1 > kMostHosts / 2) ARROW_RETURN_NOT_OK(GiveFold(back));
  }
  // Pages of one host often come one after the other.
  ForEachLinkingHost(link, [this](uint64_t host) {
    if (hosts_.empty() || hosts_.back() != host) hosts_.push_back(host);
  });
  link.counts = false;
  link.hosts = {};
  fold_.Add(link);
  return Status::OK();
}

Status LinkCombiner::Finish(CombinedValues& back) { return GiveFold(back); }

void LinkCombiner::TidyHosts() {
  std::sort(hosts_.begin(), hosts_.end());
  hosts_.erase(std::unique(hosts_.begin(), hosts_.end()), hosts_.end());
}

Status LinkCombiner::GiveFold(CombinedValues& back) {
  const std::optional<LinkNews> news = fold_.News();
  if (!news) return Status::OK();
  TidyHosts();
  LinkEvent link = {
      .kind = news->kind, .depth = news->depth, .links = fold_.links(), .via = news->via, .spelling = news->spelling};
  if (link.links > 1) {
    link.hosts = {reinterpret_cast<const char*>(hosts_.data()), hosts_.size() * sizeof(uint64_t)};
  } else if (!hosts_.empty()) {
    link.counts = true;
    link.source_host = hosts_.front();
  }
  EncodeLinkEvent(link, &event_);
  fold_.Clear();
  hosts_.clear();
  return back.Give(event_);
}

}  // namespace trawl
