// The door of formats/scope: which URLs a crawl wants. All checks are in one place, and the verdict names the one that
// decided.
//
// A URL is checked in its normalised form. The first check that fails decides; where no check fails, the URL is
// accepted.
//   1. scheme      one of `schemes`
//   2. length      at most `max_url_bytes`
//   3. parameters  at most `max_parameters` in the query
//   4. loop        no group of 1 to 8 path segments `repeated_segments` times or more in succession (formats/scope/loops.h)
//   5. depth       at most `max_depth` links away from a seed
//   6. scope       a host of the seeds, or a registrable domain of theirs
//   7. deny lists  no list covers it (formats/scope/lists.h)
//   8. allow lists a list covers it, where there are any
//   9. rules       accepted by the rules, where there are any (formats/scope/rules.h)
// Immutable; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arrow/result.h"
#include "formats/scope/hosts.h"
#include "formats/scope/ignored_parameters.h"
#include "formats/scope/lists.h"
#include "formats/scope/rules.h"
#include "formats/url/domain.h"

namespace trawl {

struct CrawlScopeOptions {
  std::vector<std::string> schemes = {"http", "https"};
  size_t max_url_bytes = 2048;
  size_t max_parameters = 10;
  size_t repeated_segments = 3;       // 0: paths that run in circles are taken
  std::optional<uint32_t> max_depth;  // none: no limit
  UrlScope scope = UrlScope::kAny;
  std::vector<std::string> scope_hosts;  // the seeds' hosts, as in UrlPieces
  std::vector<UrlList> deny;
  std::vector<UrlList> allow;
  std::optional<UrlRules> rules;
  IgnoredParameters ignored;  // no check: links are read without them
};

enum class UrlCheck : int8_t {
  kAccepted = 0,
  kNotNormalised = 1,
  kScheme = 2,
  kLength = 3,
  kParameters = 4,
  kLoop = 5,
  kDepth = 6,
  kScope = 7,
  kDenyList = 8,
  kAllowList = 9,
  kRules = 10,
};

struct UrlVerdict {
  bool accepted = false;
  // The check that decided. kDenyList, kAllowList and kRules may decide either way; the last two also where nothing
  // matched.
  UrlCheck by = UrlCheck::kAccepted;
  std::string_view file;  // the list or rules file that decided; lives as long as the policy
  uint32_t line = 0;      // line of that file; 0 where no line matched
  std::string_view rule;  // the rule's text
};

// "parameters", "deny_list": the check as counters and people know it.
std::string_view NameOf(UrlCheck check);

// Parameters in a query, as the check counts them: pieces between '&' that are not empty.
size_t CountParameters(std::string_view query);

class CrawlScope {
 public:
  // Invalid where a scope other than `any` has no host, or has a host that a key cannot hold.
  // `suffixes` must outlive the policy.
  static arrow::Result<CrawlScope> Make(CrawlScopeOptions options,
                                        const PublicSuffixes& suffixes = PublicSuffixes::BuiltIn());

  // `depth` is the number of links between a seed and this URL.
  UrlVerdict Check(std::string_view normalised_url, uint32_t depth) const;
  // The same for a caller that has the pieces, for example from UrlNormalizer.
  UrlVerdict Check(std::string_view normalised_url, const UrlPieces& pieces, uint32_t depth) const;

  // The verdict in words: "refused by rules.txt:3: -\.gif$", "refused: more than 10 query parameters".
  std::string Explain(const UrlVerdict& verdict) const;

  const CrawlScopeOptions& options() const { return options_; }

 private:
  CrawlScope(CrawlScopeOptions options, ScopeHosts scope) : options_(std::move(options)), scope_(std::move(scope)) {}
  std::optional<UrlVerdict> CheckLists(std::string_view url, const UrlPieces& pieces) const;

  CrawlScopeOptions options_;
  ScopeHosts scope_;
};

}  // namespace trawl
