// Which hosts belong to a crawl: those of its seeds, all of the seeds' registrable domains, or any. Immutable; any
// thread.
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
  // `hosts` are the seeds', as in UrlPieces. Invalid where one cannot be in a key, and where a scope other than `any`
  // has none. `suffixes` must outlive this.
  static arrow::Result<ScopeHosts> Make(UrlScope scope, const std::vector<std::string>& hosts,
                                        const PublicSuffixes& suffixes = PublicSuffixes::BuiltIn());

  // REQUIRES: a host as in UrlPieces. A host of a seed, and one that has no label in common with them, cost a search;
  // one of a seed's domain costs a look into the public suffix list.
  bool Has(std::string_view host) const;

  UrlScope scope() const { return scope_; }

 private:
  ScopeHosts(UrlScope scope, const PublicSuffixes& suffixes) : scope_(scope), suffixes_(&suffixes) {}

  UrlScope scope_;
  const PublicSuffixes* suffixes_;
  PrefixSet hosts_;          // of the seeds, whole
  PrefixSet domains_;        // under which they are held, whole
  PrefixSet domain_labels_;  // the same, reversed: what begins no host cannot hold it
};

}  // namespace trawl
