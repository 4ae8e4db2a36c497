// A row of a segment's items dataset: an item of structured data on a page, or why it could not be read. docs/storage.md
// shows an example.
//
// The items of a page follow each other, in the order of the rows of parse; `items` of the page's row in page_facts is
// their number. jobs/segment/pages.h finds them.
#pragma once

#include <cstdint>
#include <string>

#include "formats/rows/row_codec.h"

namespace trawl {

struct ItemRow {
  static constexpr char kTable[] = "items";
  static constexpr uint8_t kVersion = 1;

  std::string key;  // of the page
  std::string url;
  int64_t fetched_ms = 0;
  std::string syntax;    // "jsonld", "microdata", "rdfa", "opengraph", "twitter", "dublincore"
  int32_t block = 0;     // the number of its script on the page, from 0; -1: a note on all items
  int32_t position = 0;  // its number in the block
  std::string type;      // short names, sorted, one space apart
  std::string id;
  std::string json;      // on one line, names sorted, numbers as written
  std::string repaired;  // what the block needed before it could be read
  std::string problem;   // why it could not be read; there is no json then

  template <typename Row, typename Visit>
  static constexpr void VisitFields(Row& row, Visit&& visit) {
    visit("key", row.key);
    visit("url", row.url);
    visit("fetched_ms", row.fetched_ms);
    visit("syntax", row.syntax);
    visit("block", row.block);
    visit("position", row.position);
    visit("type", row.type);
    visit("id", row.id);
    visit("json", row.json);
    visit("repaired", row.repaired);
    visit("problem", row.problem);
  }

  bool operator==(const ItemRow&) const = default;
};

}  // namespace trawl
