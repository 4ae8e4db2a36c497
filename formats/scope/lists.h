// Lists of hosts, domains, prefixes and suffixes by which URLs are let in or kept out. One entry a line; blank lines
// and lines that begin with '#' are skipped. Immutable; any thread; one binary search a question, also with a million
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
    kHosts,     // "www.example.com": this host. Names may be international, addresses are as in URLs
    kDomains,   // "example.com", "edu": this host and every one below it. Nothing is below an address
    kPrefixes,  // "https://example.com/a/": URLs whose normalised form begins with these bytes
    kSuffixes,  // ".pdf": URLs whose path ends with these bytes, in any case
  };

  // `file` is the name that messages and matches carry. Invalid, with file and line, for an entry that can match
  // nothing.
  static arrow::Result<UrlList> Parse(Kind kind, std::string_view text, std::string file);

  // The line of the entry that covers the URL; 0 for none. REQUIRES: `pieces` are those of `url`, which is normalised.
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
