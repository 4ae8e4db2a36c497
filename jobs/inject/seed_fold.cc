#include "jobs/inject/seed_fold.h"

#include <algorithm>
#include <cstring>

#include "jobs/inject/archive_seeds.h"

namespace trawl {

namespace {

constexpr size_t kHeadBytes = sizeof(uint32_t) + sizeof(int64_t);

}  // namespace

void SeedFold::Clear() {
  lines_.clear();
  latest_ = {};
  is_empty_ = true;
  pairs_.clear();
  contradictions_.clear();
}

void SeedFold::Add(SeedPlace place, std::string_view spelling, const SeedPairs& pairs) {
  if (pairs.contains(kArchiveSeen)) {
    SeedPairs others = pairs;
    const auto taken = [&others](const char* name) {
      const auto pair = others.extract(name);
      return pair.empty() ? std::string() : pair.mapped();
    };
    std::string seen = taken(kArchiveSeen);
    latest_ = std::max(latest_, {std::move(seen), taken(kArchiveDigest)});
    AddLine(place, others);
  } else {
    AddLine(place, pairs);
  }
  // An empty spelling is the normalised URL; it counts as the shortest.
  const bool is_better =
      is_empty_ || spelling.size() < spelling_.size() || (spelling.size() == spelling_.size() && spelling < spelling_);
  if (is_better) spelling_.assign(spelling);
  first_ = is_empty_ ? place : std::min(first_, place);
  is_empty_ = false;
}

void SeedFold::AddLine(SeedPlace place, const SeedPairs& pairs) {
  const auto [line, is_new] = lines_.emplace(pairs, place);
  if (!is_new) line->second = std::min(line->second, place);
}

void SeedFold::Finish() {
  std::vector<const std::map<SeedPairs, SeedPlace>::value_type*> lines;
  for (const auto& line : lines_) lines.push_back(&line);
  std::stable_sort(lines.begin(), lines.end(),
                   [](const auto* a, const auto* b) { return a->first.size() > b->first.size(); });
  if (!latest_.first.empty()) pairs_.emplace(kArchiveSeen, latest_.first);
  if (!latest_.second.empty()) pairs_.emplace(kArchiveDigest, latest_.second);
  std::map<std::string_view, SeedPlace> kept_at;
  for (const auto* line : lines) {
    for (const auto& [name, value] : line->first) {
      const auto [pair, is_new] = pairs_.emplace(name, value);
      if (is_new) kept_at.emplace(name, line->second);
      if (is_new || pair->second == value) continue;
      contradictions_.push_back({name, pair->second, value, kept_at[name], line->second});
    }
  }
}

void EncodeSeed(SeedPlace place, const SeedLine& seed, std::string* out) {
  out->assign(reinterpret_cast<const char*>(&place.part), sizeof place.part);
  out->append(reinterpret_cast<const char*>(&place.line), sizeof place.line);
  out->append(seed.spelling);
  // Neither spellings nor pairs have line breaks.
  for (const auto& [name, value] : seed.pairs) out->append("\n").append(name).append("=").append(value);
}

arrow::Status DecodeSeed(std::string_view bytes, SeedPlace* place, std::string* spelling, SeedPairs* pairs) {
  if (bytes.size() < kHeadBytes) return arrow::Status::Invalid("a seed of ", bytes.size(), " bytes is cut off");
  std::memcpy(&place->part, bytes.data(), sizeof place->part);
  std::memcpy(&place->line, bytes.data() + sizeof place->part, sizeof place->line);
  bytes.remove_prefix(kHeadBytes);
  const size_t end = std::min(bytes.find('\n'), bytes.size());
  spelling->assign(bytes.substr(0, end));
  pairs->clear();
  bytes.remove_prefix(end);
  while (!bytes.empty()) {
    bytes.remove_prefix(1);
    const std::string_view pair = bytes.substr(0, std::min(bytes.find('\n'), bytes.size()));
    bytes.remove_prefix(pair.size());
    const size_t equals = pair.find('=');
    if (equals == std::string_view::npos) return arrow::Status::Invalid("a seed has something that is no pair");
    pairs->emplace(pair.substr(0, equals), pair.substr(equals + 1));
  }
  return arrow::Status::OK();
}

}  // namespace trawl
