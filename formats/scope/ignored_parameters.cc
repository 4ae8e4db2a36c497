#include "formats/scope/ignored_parameters.h"

#include <algorithm>

#include "formats/text/lines.h"
#include "formats/url/key.h"
#include "formats/url/normal.h"
#include "formats/url/pattern.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr char kBlanks[] = " \t";

std::string_view TakeWord(std::string_view* line) {
  line->remove_prefix(std::min(line->find_first_not_of(kBlanks), line->size()));
  const std::string_view word = line->substr(0, line->find_first_of(kBlanks));
  line->remove_prefix(word.size());
  return word;
}

}  // namespace

std::string LearnedRule(std::string_view pattern, std::string_view name) {
  return std::string(pattern.substr(0, pattern.find('?'))).append("? ").append(name);
}

bool IsLearnedRule(std::string_view pattern_key) { return pattern_key.find(' ') != std::string_view::npos; }

LearnedParameter PartsOfLearnedRule(std::string_view rule) {
  const size_t at = rule.find("? ");
  return {rule.substr(0, at), rule.substr(at + 2)};
}

Result<IgnoredParameters> IgnoredParameters::Parse(std::string_view text, const std::string& file) {
  IgnoredParameters parameters;
  TextLines lines(text);
  for (std::string_view line; lines.Next(&line);) {
    const std::string_view host = TakeWord(&line), name = TakeWord(&line);
    if (host.empty() || host.starts_with('#')) continue;
    UrlNormalizer normalizer(NormalForm::kStrict);
    std::string url;
    UrlPieces pieces;
    const bool is_host = host.find_first_of("/:?@") == std::string_view::npos &&
                         normalizer.Normalize("https://" + std::string(host) + "/", &url, &pieces) == UrlRefusal::kNone;
    if (!is_host || name.empty() || name.find_first_of("&=#?") != std::string_view::npos || !TakeWord(&line).empty()) {
      return Status::Invalid(file, ":", lines.number(),
                             ": write a host and the name of a parameter, for example www.example.com sort");
    }
    parameters.names_[std::string(pieces.host)].emplace(name);
  }
  return parameters;
}

void IgnoredParameters::AddLearned(std::string_view rule) { names_[HostOfKey(rule)].emplace(rule); }

namespace {

// The pattern of a URL where its host has learned rules; else the empty text.
std::string FormWithRules(const std::set<std::string, std::less<>>& names, const UrlPieces& pieces) {
  if (std::none_of(names.begin(), names.end(), IsLearnedRule)) return "";
  std::string key;
  WriteKeyOfPieces(pieces, &key);
  return PatternOfKey(key);
}

}  // namespace

bool IgnoredParameters::Remove(std::string* url, UrlPieces* pieces) const {
  if (names_.empty() || pieces->query.empty()) return false;
  const auto names = names_.find(pieces->host);
  if (names == names_.end()) return false;
  const std::string form = FormWithRules(names->second, *pieces);
  const auto is_ignored = [&](std::string_view name) {
    return names->second.contains(name) || (!form.empty() && names->second.contains(LearnedRule(form, name)));
  };
  std::string kept;
  size_t removed = 0;
  const std::string_view query = pieces->query;
  for (size_t at = 0; at <= query.size();) {
    const size_t end = std::min(query.find('&', at), query.size());
    const std::string_view parameter = query.substr(at, end - at);
    at = end + 1;
    if (is_ignored(parameter.substr(0, parameter.find('=')))) {
      ++removed;
    } else if (!parameter.empty()) {
      kept.append(kept.empty() ? "?" : "&").append(parameter);
    }
  }
  if (removed == 0) return false;
  url->resize(url->size() - query.size() - 1);
  url->append(kept);
  return SplitWebUrl(*url, pieces);
}

}  // namespace trawl
