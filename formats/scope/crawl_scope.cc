#include "formats/scope/crawl_scope.h"

#include <algorithm>
#include <utility>

#include "formats/scope/loops.h"
#include "formats/url/pieces.h"

namespace trawl {

using arrow::Result;

size_t CountParameters(std::string_view query) {
  size_t count = 0;
  char before = '&';
  for (const char c : query) {
    count += before == '&' && c != '&' ? 1 : 0;
    before = c;
  }
  return count;
}

std::string_view NameOf(UrlCheck check) {
  static constexpr std::string_view kNames[] = {"accepted",   "not_normalised", "scheme", "length",
                                                "parameters", "loop",           "depth",  "scope",
                                                "deny_list",  "allow_list",     "rules"};
  return kNames[static_cast<size_t>(check)];
}

namespace {

UrlVerdict RefusedBy(UrlCheck check) { return {false, check, {}, 0, {}}; }

}  // namespace

Result<CrawlScope> CrawlScope::Make(CrawlScopeOptions options, const PublicSuffixes& suffixes) {
  ARROW_ASSIGN_OR_RAISE(ScopeHosts scope, ScopeHosts::Make(options.scope, options.scope_hosts, suffixes));
  return CrawlScope(std::move(options), std::move(scope));
}

std::optional<UrlVerdict> CrawlScope::CheckLists(std::string_view url, const UrlPieces& pieces) const {
  for (const UrlList& list : options_.deny) {
    const uint32_t line = list.Find(url, pieces);
    if (line != 0) return UrlVerdict{false, UrlCheck::kDenyList, list.file(), line, {}};
  }
  for (const UrlList& list : options_.allow) {
    const uint32_t line = list.Find(url, pieces);
    if (line != 0) return UrlVerdict{true, UrlCheck::kAllowList, list.file(), line, {}};
  }
  if (!options_.allow.empty()) return RefusedBy(UrlCheck::kAllowList);
  return std::nullopt;
}

UrlVerdict CrawlScope::Check(std::string_view url, uint32_t depth) const {
  UrlPieces pieces;
  if (!SplitWebUrl(url, &pieces)) return RefusedBy(UrlCheck::kNotNormalised);
  return Check(url, pieces, depth);
}

UrlVerdict CrawlScope::Check(std::string_view url, const UrlPieces& pieces, uint32_t depth) const {
  const auto& schemes = options_.schemes;
  if (std::find(schemes.begin(), schemes.end(), pieces.scheme) == schemes.end()) return RefusedBy(UrlCheck::kScheme);
  if (url.size() > options_.max_url_bytes) return RefusedBy(UrlCheck::kLength);
  if (CountParameters(pieces.query) > options_.max_parameters) return RefusedBy(UrlCheck::kParameters);
  if (!RepeatedSegments(pieces.path, options_.repeated_segments).empty()) return RefusedBy(UrlCheck::kLoop);
  if (options_.max_depth && depth > *options_.max_depth) return RefusedBy(UrlCheck::kDepth);
  if (!scope_.Has(pieces.host)) return RefusedBy(UrlCheck::kScope);
  const std::optional<UrlVerdict> by_list = CheckLists(url, pieces);
  if (by_list && (!by_list->accepted || !options_.rules)) return *by_list;
  if (!options_.rules) return {true, UrlCheck::kAccepted, {}, 0, {}};
  const UrlRules::Verdict by_rule = options_.rules->Check(url, pieces.host);
  return {by_rule.accepted, UrlCheck::kRules, options_.rules->file(), by_rule.line, by_rule.rule};
}

std::string CrawlScope::Explain(const UrlVerdict& verdict) const {
  const std::string outcome = verdict.accepted ? "accepted" : "refused";
  const std::string place = std::string(verdict.file) + ":" + std::to_string(verdict.line);
  switch (verdict.by) {
    case UrlCheck::kAccepted:
      return outcome + ": no check refuses it";
    case UrlCheck::kNotNormalised:
      return outcome + ": is not a normalised URL";
    case UrlCheck::kScheme:
      return outcome + ": a scheme that is not wanted";
    case UrlCheck::kLength:
      return outcome + ": longer than " + std::to_string(options_.max_url_bytes) + " bytes";
    case UrlCheck::kParameters:
      return outcome + ": more than " + std::to_string(options_.max_parameters) + " query parameters";
    case UrlCheck::kLoop:
      return outcome + ": path segments that repeat " + std::to_string(options_.repeated_segments) + " times or more";
    case UrlCheck::kDepth:
      return outcome + ": more than " + std::to_string(options_.max_depth.value_or(0)) + " links away from a seed";
    case UrlCheck::kScope:
      return outcome + ": outside the seeds' " + (options_.scope == UrlScope::kHost ? "hosts" : "domains");
    case UrlCheck::kDenyList:
      return outcome + " by " + place;
    case UrlCheck::kAllowList:
      return verdict.line != 0 ? outcome + " by " + place : outcome + ": in no list of what is allowed";
    case UrlCheck::kRules:
      if (verdict.line == 0) return outcome + ": no rule of " + std::string(verdict.file) + " matches";
      return outcome + " by " + place + ": " + std::string(verdict.rule);
  }
  return outcome;
}

}  // namespace trawl
