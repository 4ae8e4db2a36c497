#include "jobs/yields/pattern_updates.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "formats/digests/simhash.h"
#include "formats/rows/some_columns.h"
#include "formats/url/key.h"
#include "formats/url/pattern.h"
#include "jobs/policy/settle_options.h"
#include "jobs/verb/job_options.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr size_t kMostCounted = 4 * kMostPatterns;

void AddRow(const PatternRow& row, PatternRow* sum) {
  sum->fetched += row.fetched;
  sum->fresh += row.fresh;
  sum->duplicates += row.duplicates;
  sum->near_duplicates += row.near_duplicates;
  sum->soft_errors += row.soft_errors;
  sum->links += row.links;
  sum->fetched_ever += row.fetched_ever;
  sum->counted_ms = std::max(sum->counted_ms, row.counted_ms);
}

}  // namespace

Result<std::unique_ptr<PatternUpdates>> PatternUpdates::Open(TaskContext& context) {
  ARROW_ASSIGN_OR_RAISE(const JobOptions job, context.Read(JobOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const SettleOptions settle, context.Read(SettleOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(auto patterns, Table::Open<PatternRow>(context.store(), context.snapshot()));
  ARROW_ASSIGN_OR_RAISE(auto hosts, Table::Open<HostRow>(context.store(), context.snapshot()));
  ARROW_ASSIGN_OR_RAISE(RowWalk pattern_walk, RowWalk::Open(std::move(patterns), {.slots = context.slots()}));
  const std::vector<bool> wanted = Columns<HostRow>({"key", "error_digest", "error_simhash"}).Flags();
  ARROW_ASSIGN_OR_RAISE(RowWalk host_walk,
                        RowWalk::Open(std::move(hosts), {.slots = context.slots(), .wanted = wanted}));
  return std::unique_ptr<PatternUpdates>(new PatternUpdates(context, std::move(pattern_walk), std::move(host_walk),
                                                            context.OpenRun<PatternRow>(FileOptions(job)),
                                                            settle.distance));
}

Status PatternUpdates::GoTo(RowPlace place) {
  if (!host_.empty() && place.key.starts_with(host_)) return Status::OK();
  ARROW_RETURN_NOT_OK(EndHost());
  host_.assign(HostPartOfKey(place.key)).push_back(')');
  slot_ = place.slot;
  return Status::OK();
}

// The rows of the host, when its first page comes.
Status PatternUpdates::ReadHost() {
  is_read_ = true;
  const std::string_view host = std::string_view(host_).substr(0, host_.size() - 1);
  host_row_ = HostRow();
  ARROW_RETURN_NOT_OK(hosts_.SeekTo({slot_, host}));
  if (!hosts_.at_end() && hosts_.key() == host) hosts_.Read(&host_row_);
  ARROW_RETURN_NOT_OK(patterns_.SeekTo({slot_, host_}));
  while (!patterns_.at_end() && patterns_.key().starts_with(host_)) {
    Entry entry{.is_known = true};
    patterns_.Read(&entry.row);
    std::string key = entry.row.key;
    entries_.emplace_hint(entries_.end(), std::move(key), std::move(entry));
    ARROW_RETURN_NOT_OK(patterns_.Next());
  }
  return Status::OK();
}

Result<YieldNews*> PatternUpdates::NewsOf(std::string_view key) {
  if (host_.empty() || !key.starts_with(host_)) ARROW_RETURN_NOT_OK(GoTo({SlotOfKey(key), key}));
  if (!is_read_) ARROW_RETURN_NOT_OK(ReadHost());
  WritePatternOfKey(key, &pattern_);
  const auto found = entries_.find(pattern_);
  if (found != entries_.end()) return &found->second.news;
  if (entries_.size() >= kMostCounted) LetRarestGo(kMostCounted / 2);
  Entry& entry = entries_[pattern_];
  entry.row.key = pattern_;
  return &entry.news;
}

bool PatternUpdates::IsError(const PageYield& page) const {
  if (!host_row_.error_digest.empty() && page.content_digest == host_row_.error_digest) return true;
  if (host_row_.error_simhash == 0 || page.simhash == 0) return false;
  return HammingDistance(static_cast<uint64_t>(page.simhash), static_cast<uint64_t>(host_row_.error_simhash)) <=
         distance_;
}

Status PatternUpdates::AddPage(const PageYield& page) {
  ARROW_ASSIGN_OR_RAISE(YieldNews* const news, NewsOf(page.key));
  const PageWorth worth = IsError(page)       ? PageWorth::kSoftError
                          : page.is_duplicate ? PageWorth::kDuplicate
                          : page.is_near      ? PageWorth::kNear
                          : page.is_fresh     ? PageWorth::kFresh
                                              : PageWorth::kAsBefore;
  news->Add(worth, page.fetched_ms);
  return Status::OK();
}

Status PatternUpdates::AddLinks(std::string_view source_key, int64_t links) {
  ARROW_ASSIGN_OR_RAISE(YieldNews* const news, NewsOf(source_key));
  news->links += links;
  return Status::OK();
}

// Keeps the `most` that count most. Those that the table has are kept until the end, where they become tombstones.
void PatternUpdates::LetRarestGo(size_t most) {
  std::vector<Entries::iterator> order;
  for (auto at = entries_.begin(); at != entries_.end(); ++at) {
    if (!at->second.is_known) order.push_back(at);
  }
  const size_t known = entries_.size() - order.size(), kept = most > known ? most - known : 0;
  if (order.size() <= kept) return;
  std::sort(order.begin(), order.end(), [](const Entries::iterator& a, const Entries::iterator& b) {
    return std::make_tuple(-a->second.news.fetched, std::string_view(a->first)) <
           std::make_tuple(-b->second.news.fetched, std::string_view(b->first));
  });
  for (size_t i = kept; i < order.size(); ++i) entries_.erase(order[i]);
}

// A family begins with what its members have counted so far.
void PatternUpdates::AddFamilies() {
  struct Sum {
    size_t members = 0;
    PatternRow before;
    YieldNews news;
  };
  std::map<std::string, Sum> sums;
  for (const auto& [key, entry] : entries_) {
    std::string family = FamilyOfPattern(key);
    if (family.empty() || family == key) continue;
    Sum& sum = sums[std::move(family)];
    ++sum.members;
    AddRow(entry.row, &sum.before);
    sum.news.Add(entry.news);
  }
  for (auto& [family, sum] : sums) {
    const auto known = entries_.find(family);
    if (known != entries_.end()) {
      known->second.news = sum.news;
    } else if (sum.members >= kFamilyMembers) {
      sum.before.key = family;
      entries_.emplace(family, Entry{.row = std::move(sum.before), .news = sum.news});
    }
  }
}

Status PatternUpdates::Write(Entry* entry) {
  const PatternRow before = entry->row;
  AddYield(entry->news, &entry->row);
  Counters& counters = context_.counters();
  counters["patterns_limited"] += before.budget < 0 && entry->row.budget >= 0 ? 1 : 0;
  counters["patterns_recovered"] += before.budget >= 0 && entry->row.budget < 0 ? 1 : 0;
  ++counters["patterns_changed"];
  return run_->Append(entry->row);
}

Status PatternUpdates::EndHost() {
  const auto has_pages = [](const Entry& entry) { return entry.is_known || entry.news.fetched > 0; };
  std::erase_if(entries_, [&](const auto& entry) { return !has_pages(entry.second); });
  AddFamilies();
  std::vector<Entry*> order;
  for (auto& [key, entry] : entries_) order.push_back(&entry);
  std::sort(order.begin(), order.end(), [](const Entry* a, const Entry* b) {
    const auto rank = [](const Entry* entry) {
      const bool is_decided = entry->row.budget >= 0 || entry->row.is_ignored;
      return std::make_tuple(!is_decided, -(entry->row.fetched + entry->news.fetched * 1000),
                             std::string_view(entry->row.key));
    };
    return rank(a) < rank(b);
  });
  for (size_t i = kMostPatterns; i < order.size(); ++i) order[i]->row.removed = true;
  for (auto& [key, entry] : entries_) {
    if (entry.row.removed) {
      context_.counters()["patterns_dropped"] += entry.is_known ? 1 : 0;
      PatternRow none;
      none.key = key;
      none.removed = true;
      if (entry.is_known) ARROW_RETURN_NOT_OK(run_->Append(none));
    } else if (!(entry.news == YieldNews())) {
      ARROW_RETURN_NOT_OK(Write(&entry));
    }
  }
  entries_.clear();
  host_.clear();
  is_read_ = false;
  return Status::OK();
}

Status PatternUpdates::Finish() { return EndHost(); }

}  // namespace trawl
