// Registrable domains: who answers for a host. The one door to libpsl, https://publicsuffix.org/list/ with both
// sections, the registries' suffixes and the private ones (github.io), whose customers are strangers to each other.
//
// A crawl holds domains, and its scope is cut by them. The list inside libpsl is as old as the library's package
// (Debian 12: early 2023); a newer one can be handed in. Pure; any thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "arrow/result.h"

namespace trawl {

class PublicSuffixes {
 public:
  // The list that libpsl was built with. Lives as long as the process.
  static const PublicSuffixes& BuiltIn();
  // The text of a public_suffix_list.dat. Invalid where it holds no rule.
  static arrow::Result<PublicSuffixes> Parse(std::string_view list);
  PublicSuffixes(PublicSuffixes&&) noexcept;
  PublicSuffixes& operator=(PublicSuffixes&&) noexcept;
  ~PublicSuffixes();

  // The public suffix and one label: "example.co.uk" of "www.example.co.uk". A view into `host`. Empty where there is
  // none: for a public suffix itself, an address, and what is no host name. REQUIRES: ASCII, in lower case; a trailing
  // dot is passed over.
  std::string_view RegistrableDomain(std::string_view host) const;

  // The domain under which a host is held: its registrable domain, else the host itself.
  std::string_view HoldingDomain(std::string_view host) const;

 private:
  struct List;
  explicit PublicSuffixes(std::unique_ptr<List> list);
  std::unique_ptr<List> list_;
};

}  // namespace trawl
