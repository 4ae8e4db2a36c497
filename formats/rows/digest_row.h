// A row of the digests table: the pages that have the same cleaned content, as trawl settle knows them.
//
// A content is the content digest in 64 hexadecimal digits. The key of a page of it is `5f0c…e1)com,example)/a`. Where a
// content has several pages, `5f0c…e1)` is the key of its head. All rows of a content lie together, the head first.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "formats/rows/row_codec.h"
#include "formats/tables/sidecar.h"

namespace trawl {

struct DigestRow {
  static constexpr char kTable[] = "digests";
  static constexpr uint8_t kVersion = 1;

  std::string key;
  bool removed = false;
  // Of a head: the key of the page that stands for the others, the number of pages, and the sorted hashes (8 bytes each)
  // of the canonical targets that pages of it name.
  std::string representative;
  int64_t pages = 0;
  std::string named;
  // Of a page: its place in the order of representatives (jobs/settle/representative.h), and what others take from it.
  std::string order;
  std::string canonical_to;  // key
  int64_t simhash = 0;
  std::string body_digest;
  std::string body_segment;
  std::string body_file;
  int64_t body_row = 0;
  int64_t bytes = 0;

  template <typename Row, typename Visit>
  static constexpr void VisitFields(Row& row, Visit&& visit) {
    visit("key", row.key);
    visit("removed", row.removed);
    visit("representative", row.representative);
    visit("pages", row.pages);
    visit("named", row.named, kBinary);
    visit("order", row.order, kBinary);
    visit("canonical_to", row.canonical_to);
    visit("simhash", row.simhash);
    visit("body_digest", row.body_digest, kBinary);
    visit("body_segment", row.body_segment);
    visit("body_file", row.body_file);
    visit("body_row", row.body_row);
    visit("bytes", row.bytes);
  }

  bool operator==(const DigestRow&) const = default;
};

inline SidecarEntry SidecarOf(const DigestRow& row) { return {.state = row.removed ? uint8_t{0} : uint8_t{1}}; }

// The two parts of such a key, and of the keys of settle_rows.h. `page` is empty for a head.
struct ContentPlace {
  std::string_view content;
  std::string_view page;
};
inline ContentPlace ContentPlaceOf(std::string_view key) {
  const size_t at = key.find(')');
  return at == std::string_view::npos ? ContentPlace{key, {}} : ContentPlace{key.substr(0, at), key.substr(at + 1)};
}

}  // namespace trawl
