// The hosts that belong to a crawl: those of its seeds, all hosts of the seeds' registrable domains, or any. Immutable;
// any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "arrow/result.h"
#include "formats/scope/prefix_set.h"
#include "formats/url/domain.h"

namespace trawl {

enum class UrlScope : int8_t { kHost = 1, kDomain = 2, kAny = 3 };
std::string_view NameOf(UrlScope scope);  // "host", "domain", "any"

class ScopeHosts {
 public:
  // `hosts` are the seeds' hosts, as in UrlPieces. Invalid where a key cannot hold one of them, and where a scope other
  // than `any` has none. `suffixes` must outlive this object.
  static arrow::Result<ScopeHosts> Make(UrlScope scope, const std::vector<std::string>& hosts,
                                        const PublicSuffixes& suffixes = PublicSuffixes::BuiltIn());

  // A seed's host, or a host that shares no label with the seeds' hosts, costs one search. A host within a seed's
  // domain also costs a look into the public suffix list. REQUIRES: a host as in UrlPieces.
  bool Has(std::string_view host) const;

  UrlScope scope() const { return scope_; }

 private:
  ScopeHosts(UrlScope scope, const PublicSuffixes& suffixes) : scope_(scope), suffixes_(&suffixes) {}

  UrlScope scope_;
  const PublicSuffixes* suffixes_;
  PrefixSet hosts_;          // the seeds' hosts, as whole names
  PrefixSet domains_;        // the domains that hold them, as whole names
  PrefixSet domain_labels_;  // the same, reversed: a reversed host that begins with none of them is in none of them
};

}  // namespace trawl
