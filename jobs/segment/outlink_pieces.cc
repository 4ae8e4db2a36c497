#include "jobs/segment/outlink_pieces.h"

#include <algorithm>
#include <utility>

#include "jobs/segment/fixed_bytes.h"

namespace trawl {

using arrow::Status;

namespace {

constexpr size_t kHeadBytes = sizeof(int64_t) + 2 * sizeof(int32_t);

}  // namespace

void OutlinkPieceMaker::Begin(int64_t place) {
  place_ = place;
  links_ = 0;
  list_.Clear();
}

void OutlinkPieceMaker::Add(const LinkRow& link) {
  ++links_;
  list_.Add({.key = link.to, .how = link.how, .text = link.text, .nofollow = link.nofollow});
}

void OutlinkPieceMaker::Encode(std::string* out) const {
  out->clear();
  PutFixed(place_, out);
  PutFixed(links_, out);
  PutFixed(list_.links(), out);
  out->append(list_.bytes());
}

Status OutlinkPieces::Add(std::string_view bytes) {
  if (bytes.size() < kHeadBytes) return Status::Invalid("links of ", bytes.size(), " bytes are cut off");
  Piece& piece = pieces_.emplace_back();
  piece.place = TakeFixed<int64_t>(&bytes);
  piece.links = TakeFixed<int32_t>(&bytes);
  piece.listed = TakeFixed<int32_t>(&bytes);
  piece.list.assign(bytes);
  return Status::OK();
}

// Rules:
//  1. A page without links has an empty list.
//  2. Where the pieces have as many links together as the parse row says, they are the page's, in the order of the dataset.
//  3. Else there are links of several bodies: the last piece with as many links as the parse row says is the page's.
//  4. Where there is no such piece, all are taken: too much rather than nothing.
Status OutlinkPieces::Join(std::string_view key, const ParseRow& parse, OutlinksRow* row) {
  *row = {.key = std::string(key), .fetched_ms = parse.fetched_ms};
  if (parse.links == 0) return Status::OK();  // rule 1
  std::sort(pieces_.begin(), pieces_.end(), [](const Piece& a, const Piece& b) { return a.place < b.place; });
  int64_t links = 0;
  for (const Piece& piece : pieces_) links += piece.links;
  size_t begin = 0, end = pieces_.size();
  if (links != parse.links) {  // rule 3
    for (size_t i = 0; i < pieces_.size(); ++i) {
      if (pieces_[i].links == parse.links) begin = i, end = i + 1;
    }
  }
  if (end - begin == 1) {
    row->links = pieces_[begin].links;
    row->listed = pieces_[begin].listed;
    row->list = std::move(pieces_[begin].list);
    return Status::OK();
  }
  LinkListWriter list;
  for (size_t i = begin; i < end; ++i) {
    row->links += pieces_[i].links;
    ARROW_RETURN_NOT_OK(ForEachListedLink(pieces_[i].list, [&list](const ListedLink& link) {
      list.Add(link);
      return Status::OK();
    }));
  }
  row->listed = list.links();
  row->list.assign(list.bytes());
  return Status::OK();
}

}  // namespace trawl
