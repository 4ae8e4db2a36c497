// The links of a page on their way from the links dataset to the page's row of outlinks. Pure; one thread.
//
// The links of a page follow each other in the dataset. They travel as one piece, or as several where a file ends between
// them. A page that was fetched twice in a round has the links of both bodies there.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "arrow/status.h"
#include "formats/rows/link_list.h"
#include "formats/rows/link_row.h"
#include "formats/rows/outlinks_row.h"
#include "formats/rows/parse_row.h"

namespace trawl {

// Takes the links of a page, one after the other, and makes a piece of them.
class OutlinkPieceMaker {
 public:
  // `place` is the number of the first link in the whole dataset.
  void Begin(int64_t place);
  void Add(const LinkRow& link);
  bool empty() const { return links_ == 0; }
  // Replaces `out`.
  void Encode(std::string* out) const;

 private:
  int64_t place_ = 0;
  int32_t links_ = 0;
  LinkListWriter list_;
};

// Puts the row together from the pieces of one page, which may come in any order.
class OutlinkPieces {
 public:
  void Clear() { pieces_.clear(); }
  // Invalid where the bytes are no piece.
  arrow::Status Add(std::string_view bytes);
  // The row of the page as `parse` describes it.
  arrow::Status Join(std::string_view key, const ParseRow& parse, OutlinksRow* row);

 private:
  struct Piece {
    int64_t place = 0;
    int32_t links = 0;
    int32_t listed = 0;
    std::string list;
  };
  std::vector<Piece> pieces_;
};

}  // namespace trawl
