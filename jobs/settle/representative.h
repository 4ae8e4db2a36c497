// Which pages trawl settle compares, and which page of equal ones stands for the others. Pure; any thread.
//
// The smallest page by this order stands for its group:
//   1. a page that another page of the group names as its canonical one, where both are of one host, or the page names
//      itself, too;
//   2. https before http;
//   3. a page that answers with 200 itself; one that fails at present keeps its place;
//   4. fewer parameters;  5. fewer parts of the path;  6. the shorter URL;  7. discovered earlier;  8. the smaller key.
// A canonical alone never joins pages: it decides among pages that are equal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/rows/url_row.h"

namespace trawl {

// The digests of parser 1 count links to the own host whole; its pages take part once reparse has read them again. A digest of
// parser 2 is never one of a later parser, so its pages are compared with each other until then.
inline constexpr int32_t kLeastSettledParser = 2;

// Whether the page's content counts: it is there, whole, or fails at present.
bool TakesPart(const UrlRow& row);

// The content of a page that takes part, as keys have it: its digest in hexadecimal digits. A page without title, text and
// links, such as one that scripts draw, is compared by the bytes of its body.
std::string ContentOfPage(const UrlRow& row);

// The page's place in the order by rules 2 to 8: bytes that sort.
std::string OrderOfPage(const UrlRow& row);
// With rule 1: what sorts the pages of a group, and the contents among each other.
std::string WholeOrder(bool is_named, std::string_view order);

// What a page says of the canonical page, as a hash that NamedPages keeps; nothing where it names none, or itself.
std::optional<uint64_t> VoteOfPage(std::string_view page, std::string_view canonical_to);

// Which pages of a group are named as canonical by others of it. A group may be of any size: only the smallest kMost of
// the different votes count.
class NamedPages {
 public:
  static constexpr size_t kMost = 1024;

  NamedPages() = default;
  // Bytes() of another one.
  explicit NamedPages(std::string_view bytes);
  std::string Bytes() const;

  void Clear() { votes_.clear(); }
  void Add(uint64_t vote);
  // Whether adding the vote would change anything.
  bool WouldChange(uint64_t vote) const;
  bool Names(std::string_view page, std::string_view canonical_to) const;

 private:
  std::vector<uint64_t> votes_;  // sorted, each once
};

}  // namespace trawl
