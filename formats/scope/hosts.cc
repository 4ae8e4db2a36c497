#include "formats/scope/hosts.h"

#include "arrow/status.h"
#include "formats/scope/host_text.h"
#include "formats/url/pieces.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

std::string_view NameOf(UrlScope scope) {
  switch (scope) {
    case UrlScope::kHost:
      return "host";
    case UrlScope::kDomain:
      return "domain";
    case UrlScope::kAny:
      return "any";
  }
  return "";
}

Result<ScopeHosts> ScopeHosts::Make(UrlScope scope, const std::vector<std::string>& hosts,
                                    const PublicSuffixes& suffixes) {
  ScopeHosts made(scope, suffixes);
  if (scope == UrlScope::kAny) return made;
  if (hosts.empty()) return Status::Invalid("scope ", NameOf(scope), " needs a seed");
  std::vector<PrefixSet::Entry> whole, domains, labels;
  for (const std::string& host : hosts) {
    if (FormOfHost(host) == HostForm::kRefused) {
      return Status::Invalid("scope: \"", host.substr(0, 200), "\" is not a host that a key can hold");
    }
    whole.push_back({WholeHostText(host), 0});
    if (scope == UrlScope::kHost) continue;
    const std::string_view domain = suffixes.HoldingDomain(host);
    domains.push_back({WholeHostText(domain), 0});
    labels.push_back({HostLabelsText(domain), 0});
  }
  ARROW_ASSIGN_OR_RAISE(made.hosts_, PrefixSet::Make(whole));
  ARROW_ASSIGN_OR_RAISE(made.domains_, PrefixSet::Make(domains));
  ARROW_ASSIGN_OR_RAISE(made.domain_labels_, PrefixSet::Make(labels));
  return made;
}

bool ScopeHosts::Has(std::string_view host) const {
  if (scope_ == UrlScope::kAny || hosts_.Find(WholeHostText(host))) return true;
  // A host that ends with a seed's domain may still be outside it: s3.amazonaws.com is a public suffix below
  // amazonaws.com.
  if (scope_ == UrlScope::kHost || !domain_labels_.Find(HostLabelsText(host))) return false;
  return static_cast<bool>(domains_.Find(WholeHostText(suffixes_->HoldingDomain(host))));
}

}  // namespace trawl
