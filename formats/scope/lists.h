// Lists of hosts, domains, prefixes and suffixes that let URLs in or keep them out. One entry per line; blank lines and
// lines that begin with '#' are skipped. Immutable; any thread. A question costs one binary search, also with a million
// entries.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "arrow/result.h"
#include "formats/scope/prefix_set.h"
#include "formats/url/pieces.h"

namespace trawl {

class UrlList {
 public:
  enum class Kind : int8_t {
    kHosts,     // "www.example.com": this host. A name may be international; addresses are written as in URLs
    kDomains,   // "example.com", "edu": this host and every host below it. An address has no host below it
    kPrefixes,  // "https://example.com/a/": URLs whose normalised form begins with these bytes
    kSuffixes,  // ".pdf": URLs whose path ends with these bytes, in any case
  };

  // `file` is the name that messages and matches carry. Invalid, with file and line, for an entry that cannot match
  // anything.
  static arrow::Result<UrlList> Parse(Kind kind, std::string_view text, std::string file);

  // The line of the entry that covers the URL; 0 where no entry does. REQUIRES: `url` is normalised and has these
  // `pieces`.
  uint32_t Find(std::string_view url, const UrlPieces& pieces) const;

  Kind kind() const { return kind_; }
  const std::string& file() const { return file_; }
  size_t size() const { return entries_.size(); }

 private:
  UrlList(Kind kind, std::string file) : kind_(kind), file_(std::move(file)) {}

  Kind kind_;
  std::string file_;
  PrefixSet entries_;
};

// "hosts", "domains", "prefixes", "suffixes".
std::string_view NameOf(UrlList::Kind kind);

}  // namespace trawl
