// Rows with lists of links: a page's own, and those that lead to it.
#pragma once

#include <cstdint>
#include <string>

#include "formats/rows/link_list.h"
#include "formats/rows/row_codec.h"
#include "formats/tables/sidecar.h"

namespace trawl {

// The links of a page as parse found them last, whatever has become of the page since (its row of urls says that). Its key
// is that of the page.
struct OutlinksRow {
  static constexpr char kTable[] = "outlinks";
  static constexpr uint8_t kVersion = 1;
  static constexpr int64_t kBatchRows = kLinkListBatchRows;

  std::string key;
  bool removed = false;
  int64_t fetched_ms = 0;  // when the body that has them was fetched
  int32_t links = 0;       // in scope, each target once
  int32_t listed = 0;      // of these, those in the list; a list has an end (formats/rows/link_list.h)
  std::string list;        // in the order of the page; the keys are those of the targets

  template <typename Row, typename Visit>
  static constexpr void VisitFields(Row& row, Visit&& visit) {
    visit("key", row.key);
    visit("removed", row.removed);
    visit("fetched_ms", row.fetched_ms);
    visit("links", row.links);
    visit("listed", row.listed);
    visit("list", row.list, kBinary);
  }

  bool operator==(const OutlinksRow&) const = default;
};

inline SidecarEntry SidecarOf(const OutlinksRow& row) { return {.state = row.removed ? uint8_t{0} : uint8_t{1}}; }

// The pages that link to a page, when trawl graph ran last. Its key is that of the target, which need not be in the crawl.
struct InlinksRow {
  static constexpr char kTable[] = "inlinks";
  static constexpr uint8_t kVersion = 1;
  static constexpr int64_t kBatchRows = kLinkListBatchRows;

  std::string key;
  bool removed = false;
  int64_t links = 0;      // pages that link to it
  int64_t elsewhere = 0;  // of these, pages of other hosts
  int32_t listed = 0;     // of these pages, those in the list
  std::string list;       // those of other hosts first, then by key; the keys are those of the sources

  template <typename Row, typename Visit>
  static constexpr void VisitFields(Row& row, Visit&& visit) {
    visit("key", row.key);
    visit("removed", row.removed);
    visit("links", row.links);
    visit("elsewhere", row.elsewhere);
    visit("listed", row.listed);
    visit("list", row.list, kBinary);
  }

  bool operator==(const InlinksRow&) const = default;
};

inline SidecarEntry SidecarOf(const InlinksRow& row) { return {.state = row.removed ? uint8_t{0} : uint8_t{1}}; }

}  // namespace trawl
