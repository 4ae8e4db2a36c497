#include "jobs/yields/pattern_updates.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "formats/digests/simhash.h"
#include "formats/rows/some_columns.h"
#include "formats/scope/ignored_parameters.h"
#include "formats/url/key.h"
#include "formats/url/pattern.h"
#include "jobs/policy/settle_options.h"
#include "jobs/verb/job_options.h"
#include "jobs/yields/bare_urls.h"
#include "jobs/yields/idle_parameters.h"
#include "jobs/yields/site_pages.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr size_t kMostCounted = 4 * kMostPatterns;

void AddRow(const PatternRow& row, PatternRow* sum) {
  sum->fetched += row.fetched;
  sum->fresh += row.fresh;
  sum->likes += row.likes;
  sum->duplicates += row.duplicates;
  sum->near_duplicates += row.near_duplicates;
  sum->soft_errors += row.soft_errors;
  sum->links += row.links;
  sum->fetched_ever += row.fetched_ever;
  sum->counted_ms = std::max(sum->counted_ms, row.counted_ms);
}

// A pattern may look like a family, too: a query that is a star.
bool IsFamily(std::string_view pattern) {
  return FamilyOfPattern(pattern) == pattern || FamilyOfOrigin(pattern) == pattern;
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
    if (IsLearnedRule(key)) {
      rules_.emplace(std::move(key), std::move(entry.row));
      ARROW_RETURN_NOT_OK(patterns_.Next());
      continue;
    }
    entries_.emplace_hint(entries_.end(), std::move(key), std::move(entry));
    ARROW_RETURN_NOT_OK(patterns_.Next());
  }
  ReadFamilies();
  return Status::OK();
}

// The samples of the families that there are, and of those that may come: what their members have shown.
void PatternUpdates::ReadFamilies() {
  for (const auto& [key, entry] : entries_) {
    if (!IsFamily(key)) continue;
    Family& family = families_.try_emplace(key, distance_).first->second;
    family.sample.Read(entry.row.sample);
    family.before = entry.row.fetched_ever;
    family.is_known = true;
  }
  for (const auto& [key, entry] : entries_) {
    Family* const family = FamilyOf(key);
    if (family == nullptr || family->is_known) continue;
    family->before += entry.row.fetched_ever;
    if (entry.row.sample.empty()) continue;
    TextSample sample(distance_);
    sample.Read(entry.row.sample);
    family->sample.AddAll(sample);
  }
}

// Null where it has none, or where the host has too many.
PatternUpdates::Family* PatternUpdates::FamilyOf(std::string_view pattern) {
  std::string key = FamilyOfPattern(pattern);
  return key.empty() ? nullptr : FindFamily(std::move(key));
}

PatternUpdates::Family* PatternUpdates::FindFamily(std::string key) {
  const auto found = families_.find(key);
  if (found != families_.end()) return &found->second;
  if (families_.size() >= kMostCounted) {
    std::erase_if(families_, [](const auto& family) {
      return !family.second.is_known && family.second.news.fetched < static_cast<int64_t>(kFamilyMembers);
    });
    if (families_.size() >= kMostCounted) return nullptr;
  }
  return &families_.try_emplace(std::move(key), distance_).first->second;
}

Result<PatternUpdates::Entry*> PatternUpdates::EntryOf(std::string_view key) {
  if (host_.empty() || !key.starts_with(host_)) ARROW_RETURN_NOT_OK(GoTo({SlotOfKey(key), key}));
  if (!is_read_) ARROW_RETURN_NOT_OK(ReadHost());
  WritePatternOfKey(key, &pattern_);
  const auto found = entries_.find(pattern_);
  if (found != entries_.end()) return &found->second;
  if (entries_.size() >= kMostCounted) LetRarestGo(kMostCounted / 2);
  Entry& entry = entries_[pattern_];
  entry.row.key = pattern_;
  return &entry;
}

// Where the texts of a pattern are about the same, the path in words or a number of the request may be all that differs, in
// the answer to a path that cannot exist, too.
bool PatternUpdates::IsError(const PageYield& page, const TextSample& sample) const {
  if (!host_row_.error_digest.empty() && page.content_digest == host_row_.error_digest) return true;
  if (host_row_.error_simhash == 0 || page.simhash == 0) return false;
  const bool are_alike = sample.spread() > 0 && sample.spread() <= kAlikeSpread;
  return HammingDistance(static_cast<uint64_t>(page.simhash), static_cast<uint64_t>(host_row_.error_simhash)) <=
         (are_alike ? std::max(distance_, kMostLikeBits) : distance_);
}

// Only the first text of a page is compared: a later one is like the one before.
PageWorth PatternUpdates::WorthOf(const PageYield& page, int64_t pages, TextSample* sample) const {
  const bool is_text = page.is_first && !page.is_duplicate && page.simhash != 0;
  const bool is_like = is_text && sample->Add(static_cast<uint64_t>(page.simhash));
  if (IsError(page, *sample)) return PageWorth::kSoftError;
  if (page.is_duplicate) return PageWorth::kDuplicate;
  if (page.is_near && (is_like || !sample->ExplainsNear(pages))) return PageWorth::kNear;
  if (is_like) return PageWorth::kLike;
  return page.is_fresh || (page.is_near && page.is_first) ? PageWorth::kFresh : PageWorth::kAsBefore;
}

Status PatternUpdates::AddPage(const PageYield& page) {
  ARROW_ASSIGN_OR_RAISE(Entry* const entry, EntryOf(page.key));
  if (!entry->sample) entry->sample.emplace(distance_).Read(entry->row.sample);
  const PageWorth worth = WorthOf(page, entry->row.fetched_ever + entry->news.fetched, &*entry->sample);
  entry->news.Add(worth, page.fetched_ms);
  const bool yields_nothing = worth == PageWorth::kDuplicate || worth == PageWorth::kNear || worth == PageWorth::kLike;
  may_learn_ = may_learn_ || (yields_nothing && page.key.find('?') != std::string_view::npos);
  Family* const family = FamilyOf(pattern_);
  if (family != nullptr) AddToFamily(page, family);
  const int64_t pages = family == nullptr ? entry->row.fetched_ever + entry->news.fetched : family->pages();
  Family* const origin = page.is_first && pages <= kDoubtedPages ? FindFamily(FamilyOfOrigin(pattern_)) : nullptr;
  if (origin != nullptr) AddToFamily(page, origin);
  return Status::OK();
}

void PatternUpdates::AddToFamily(const PageYield& page, Family* family) {
  family->news.Add(WorthOf(page, family->pages(), &family->sample), page.fetched_ms);
}

Status PatternUpdates::AddMissing(std::string_view key) {
  if (!learns_) return Status::OK();
  if (host_.empty() || !key.starts_with(host_)) ARROW_RETURN_NOT_OK(GoTo({SlotOfKey(key), key}));
  if (!is_read_) ARROW_RETURN_NOT_OK(ReadHost());
  for (const auto& [rule, row] : rules_) may_learn_ = may_learn_ || row.is_ignored;
  return Status::OK();
}

Status PatternUpdates::AddLinks(std::string_view source_key, int64_t links) {
  ARROW_ASSIGN_OR_RAISE(Entry* const entry, EntryOf(source_key));
  entry->news.links += links;
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

// A family begins with what its members have counted so far, and an origin with what came now.
void PatternUpdates::AddFamilies() {
  struct Sum {
    size_t members = 0;
    PatternRow before;
    int64_t links = 0;
  };
  std::map<std::string, Sum> sums;
  std::map<std::string, std::set<std::string>> origins;
  for (const auto& [key, entry] : entries_) {
    std::string family = FamilyOfPattern(key), origin = FamilyOfOrigin(key);
    if (origin != key) origins[std::move(origin)].insert(family.empty() ? key : family);
    if (family.empty() || family == key) continue;
    Sum& sum = sums[std::move(family)];
    ++sum.members;
    AddRow(entry.row, &sum.before);
    sum.links += entry.news.links;
  }
  for (const auto& [key, families] : origins) sums[key].members = families.size();
  for (auto& [key, sum] : sums) {
    auto known = entries_.find(key);
    if (known == entries_.end() && sum.members < kFamilyMembers) continue;
    if (known == entries_.end()) {
      sum.before.key = key;
      known = entries_.emplace(key, Entry{.row = std::move(sum.before)}).first;
    }
    const auto family = families_.find(key);
    if (family != families_.end()) {
      known->second.news = family->second.news;
      known->second.sample.emplace(family->second.sample);
    }
    known->second.news.links = sum.links;
  }
}

Status PatternUpdates::Write(Entry* entry) {
  const PatternRow before = entry->row;
  AddYield(entry->news, &entry->row);
  if (entry->sample) {
    entry->row.sample = entry->sample->Bytes();
    entry->row.spread = entry->sample->spread();
  }
  Counters& counters = context_.counters();
  counters["patterns_limited"] += before.budget < 0 && entry->row.budget >= 0 ? 1 : 0;
  counters["patterns_recovered"] += before.budget >= 0 && entry->row.budget < 0 ? 1 : 0;
  ++counters["patterns_changed"];
  return run_->Append(entry->row);
}

// REQUIRES: the host's rows were read.
Status PatternUpdates::Learn() {
  IdleParameters pages;
  BareUrls bare_urls;
  for (const auto& [key, row] : rules_) {
    if (row.is_ignored) bare_urls.AddRule(key);
  }
  const auto add = [&](const UrlRow& row) {
    pages.Add(row);
    bare_urls.Add(row);
  };
  const std::string host = HostOfKey(host_);
  ARROW_RETURN_NOT_OK(ForEachSitePage(context_.store(), context_.snapshot(), host, kMostSitePages, context_.stop(), add,
                                      /*with_missing=*/true)
                          .status());
  const auto missing = bare_urls.FindMissing();
  for (const auto& [key, row] : rules_) {
    if (!row.is_ignored || !missing.contains(PartsOfLearnedRule(key).pattern)) continue;
    PatternRow& taken_back = changed_[key] = row;
    taken_back.is_ignored = false;
    ++context_.counters()["parameters_unlearned"];
  }
  const std::set<std::string> needed = pages.FindNeeded();
  for (const auto& [key, row] : rules_) {
    const LearnedParameter parameter = PartsOfLearnedRule(key);
    if (!row.is_ignored || missing.contains(parameter.pattern) || !needed.contains(std::string(parameter.name)))
      continue;
    PatternRow& none = changed_[key];
    none.key = key;
    none.removed = true;
    ++context_.counters()["parameters_unlearned"];
  }
  for (const IdleParameter& idle : pages.Find()) {
    if (!idle.is_everywhere) continue;
    const std::string key = LearnedRule(idle.pattern, idle.name);
    if (rules_.contains(key) || (rules_.size() + changed_.size() >= kMostRulesOfHost && !changed_.contains(key)))
      continue;
    PatternRow& rule = changed_[key];
    context_.counters()["parameters_learned"] += rule.key.empty() ? 1 : 0;
    rule.key = key;
    rule.is_ignored = true;
    rule.fetched_ever += idle.pairs;
  }
  return Status::OK();
}

Status PatternUpdates::WriteRulesBefore(std::string_view key) {
  while (!changed_.empty() && (key.empty() || changed_.begin()->first < key)) {
    ARROW_RETURN_NOT_OK(run_->Append(changed_.begin()->second));
    changed_.erase(changed_.begin());
  }
  return Status::OK();
}

Status PatternUpdates::EndHost() {
  if (learns_ && may_learn_) ARROW_RETURN_NOT_OK(Learn());
  const auto has_pages = [](const Entry& entry) { return entry.is_known || entry.news.fetched > 0; };
  std::erase_if(entries_, [&](const auto& entry) { return !has_pages(entry.second); });
  AddFamilies();
  std::vector<Entry*> order;
  for (auto& [key, entry] : entries_) order.push_back(&entry);
  std::sort(order.begin(), order.end(), [](const Entry* a, const Entry* b) {
    const auto rank = [](const Entry* entry) {
      const bool is_decided = entry->row.budget >= 0;
      return std::make_tuple(!is_decided, -(entry->row.fetched + entry->news.fetched * 1000),
                             std::string_view(entry->row.key));
    };
    return rank(a) < rank(b);
  });
  for (size_t i = kMostPatterns; i < order.size(); ++i) order[i]->row.removed = true;
  for (auto& [key, entry] : entries_) {
    ARROW_RETURN_NOT_OK(WriteRulesBefore(key));
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
  ARROW_RETURN_NOT_OK(WriteRulesBefore(""));
  entries_.clear();
  rules_.clear();
  may_learn_ = false;
  families_.clear();
  host_.clear();
  is_read_ = false;
  return Status::OK();
}

Status PatternUpdates::Finish() { return EndHost(); }

}  // namespace trawl
