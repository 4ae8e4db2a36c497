// Registrable domains: who is responsible for a host. This is the only door to libpsl. The list,
// https://publicsuffix.org/list/, is used with both sections: the registries' suffixes and the private ones
// (github.io), whose customers are strangers to each other.
//
// A segment holds domains, and a crawl's scope consists of them. The list inside libpsl is as old as the library's
// package (Debian 12: early 2023); a caller can pass a newer one. Pure; any thread.
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
  // `list` is the text of a public_suffix_list.dat. Invalid where it holds no rule.
  static arrow::Result<PublicSuffixes> Parse(std::string_view list);
  PublicSuffixes(PublicSuffixes&&) noexcept;
  PublicSuffixes& operator=(PublicSuffixes&&) noexcept;
  ~PublicSuffixes();

  // The public suffix and one label before it: "example.co.uk" for "www.example.co.uk". A view into `host`. Empty for a
  // public suffix itself, an address, and a text that is not a host name. REQUIRES: ASCII, in lower case; a trailing
  // dot is ignored.
  std::string_view RegistrableDomain(std::string_view host) const;

  // A host's public suffix and the domain below it: {"co.uk", "example.co.uk"}. Views into `host`. The domain is empty for
  // a suffix itself, and both are for an address, a text that is not a host name, and a top-level domain that the list
  // does not know. With `registries_only` the private section does not count: a.github.io has {"io", "github.io"}.
  // REQUIRES: as above.
  struct Suffix {
    std::string_view suffix;
    std::string_view domain;
  };
  Suffix SuffixOf(std::string_view host, bool registries_only) const;

  // The domain that holds a host: its registrable domain, or else the host itself.
  std::string_view HoldingDomain(std::string_view host) const;

 private:
  struct List;
  explicit PublicSuffixes(std::unique_ptr<List> list);
  std::unique_ptr<List> list_;
};

}  // namespace trawl
