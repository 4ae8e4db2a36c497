#include "jobs/yields/idle_parameters.h"

#include <algorithm>
#include <tuple>

#include "formats/digests/digest.h"
#include "formats/url/pattern.h"

namespace trawl {

namespace {

constexpr size_t kMostParameters = 10;  // of one URL
constexpr size_t kMostTallies = 10'000;

std::string_view NameOf(std::string_view parameter) { return parameter.substr(0, parameter.find('=')); }

std::vector<std::string_view> ParametersOf(std::string_view query) {
  std::vector<std::string_view> parameters;
  for (size_t at = 0; at <= query.size();) {
    const size_t end = std::min(query.find('&', at), query.size());
    if (end > at) parameters.push_back(query.substr(at, end - at));
    at = end + 1;
  }
  return parameters;
}

}  // namespace

void IdleParameters::Add(const UrlRow& page) {
  const std::string_view key = page.key;
  const size_t query_at = key.find('?');
  if (query_at == std::string_view::npos || page.content_digest.empty()) return;
  const std::vector<std::string_view> parameters = ParametersOf(key.substr(query_at + 1));
  if (parameters.size() > kMostParameters) return;
  const std::string pattern = PatternOfKey(key);
  const Content content = {Hash64(page.content_digest), page.simhash};
  std::string_view last;
  for (const std::string_view parameter : parameters) {
    const std::string_view name = NameOf(parameter);
    if (name == last) continue;  // one that stands several times: they are sorted
    last = name;
    const std::string named = pattern + "\n" + std::string(name);
    std::string rest = named + "\n" + std::string(key.substr(0, query_at));
    for (const std::string_view other : parameters) {
      if (NameOf(other) != name) rest.append("\n").append(other);
    }
    const auto [first, is_new] = firsts_.try_emplace(Hash64(rest), content);
    if (is_new) continue;
    const uint64_t id = Hash64(named);
    const auto found = tallies_.find(id);
    if (found == tallies_.end() && tallies_.size() >= kMostTallies) continue;
    Tally& tally = found != tallies_.end() ? found->second : tallies_[id];
    if (tally.pattern.empty()) {
      tally.pattern = pattern;
      tally.name = name;
    }
    const bool is_equal =
        first->second.digest == content.digest || (content.simhash != 0 && first->second.simhash == content.simhash);
    ++(is_equal ? tally.equal : tally.different);
  }
}

std::set<std::string> IdleParameters::FindNeeded() const {
  std::set<std::string> needed;
  for (const auto& [id, tally] : tallies_) {
    if (tally.different > 0) needed.insert(tally.name);
  }
  return needed;
}

std::vector<IdleParameter> IdleParameters::Find() const {
  const std::set<std::string> needed = FindNeeded();
  std::vector<IdleParameter> found;
  for (const auto& [id, tally] : tallies_) {
    if (tally.different > 0 || tally.equal < kEnoughPairs) continue;
    found.push_back({tally.pattern, tally.name, tally.equal, !needed.contains(tally.name)});
  }
  std::sort(found.begin(), found.end(), [](const IdleParameter& a, const IdleParameter& b) {
    return std::tie(a.pattern, a.name) < std::tie(b.pattern, b.name);
  });
  return found;
}

}  // namespace trawl
