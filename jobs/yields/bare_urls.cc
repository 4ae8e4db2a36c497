#include "jobs/yields/bare_urls.h"

#include <algorithm>

#include "formats/digests/digest.h"
#include "formats/scope/ignored_parameters.h"
#include "formats/url/pattern.h"

namespace trawl {

namespace {

// The key without the parameters of those names.
std::string BareKey(std::string_view key, const std::set<std::string, std::less<>>& names) {
  const size_t query_at = std::min(key.find('?'), key.size());
  std::string bare(key.substr(0, query_at));
  for (size_t at = query_at + 1; at < key.size();) {
    const size_t end = std::min(key.find('&', at), key.size());
    const std::string_view parameter = key.substr(at, end - at);
    at = end + 1;
    if (names.contains(parameter.substr(0, parameter.find('=')))) continue;
    bare.append(bare.size() == query_at ? "?" : "&").append(parameter);
  }
  return bare;
}

}  // namespace

bool IsMissing(const UrlRow& row) { return row.content_digest.empty() && (row.status == 404 || row.status == 410); }

void BareUrls::AddRule(std::string_view rule) {
  const LearnedParameter parameter = PartsOfLearnedRule(rule);
  forms_[std::string(parameter.pattern)].names.emplace(parameter.name);
}

void BareUrls::Add(const UrlRow& url) {
  if (forms_.empty()) return;
  const std::string pattern = PatternOfKey(url.key);
  const auto form = forms_.find(std::string_view(pattern).substr(0, pattern.find('?')));
  if (form == forms_.end()) return;
  const std::string bare = BareKey(url.key, form->second.names);
  if (bare == url.key) {
    is_missing_[Hash64(bare)] = IsMissing(url);
  } else if (!IsMissing(url)) {
    form->second.bare.insert(Hash64(bare));
  }
}

std::set<std::string, std::less<>> BareUrls::FindMissing() const {
  std::set<std::string, std::less<>> missing_forms;
  for (const auto& [pattern, form] : forms_) {
    int64_t missing = 0, there = 0;
    for (const uint64_t key : form.bare) {
      const auto found = is_missing_.find(key);
      if (found != is_missing_.end()) ++(found->second ? missing : there);
    }
    if (missing >= kEnoughMissing && missing > there) missing_forms.insert(pattern);
  }
  return missing_forms;
}

}  // namespace trawl
