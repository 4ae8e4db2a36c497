// A list of links in one value: a page's links in its row of outlinks, and the links to a page in its row of inlinks.
// Pure; any thread.
//
// For each link: the number of bytes that its key shares with the key before, the number of its other bytes, those bytes,
// flags (1: nofollow), the length of `how`, `how`, the length of the text, the text. Numbers are variable-length: seven
// bits in a byte, low bits first, the highest bit says that more follow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "arrow/status.h"

namespace trawl {

// A list takes no more than this; whoever makes it counts the rest.
inline constexpr int32_t kMostListedLinks = 10'000;
inline constexpr size_t kMostLinkListBytes = size_t{256} << 10;
// A longer text is cut.
inline constexpr size_t kMostAnchorBytes = 256;
// Rows with lists of links, to be read or written at once.
inline constexpr int64_t kLinkListBatchRows = 64;

// The views live as long as the list's bytes, the key until the next link is read.
struct ListedLink {
  std::string_view key;  // of the page at the other end
  std::string_view how;  // "a", "canonical", "sitemap"…
  std::string_view text;
  bool nofollow = false;

  bool operator==(const ListedLink&) const = default;
};

class LinkListWriter {
 public:
  // False where the list is full: nothing was added, and nothing is from now on.
  bool Add(const ListedLink& link);
  void Clear();

  std::string_view bytes() const { return bytes_; }
  int32_t links() const { return links_; }

 private:
  std::string bytes_;
  std::string key_;  // the last one
  int32_t links_ = 0;
  bool is_full_ = false;
};

class LinkListReader {
 public:
  explicit LinkListReader(std::string_view bytes) : bytes_(bytes) {}

  // False at the end. Invalid where the bytes are no list.
  arrow::Status Next(ListedLink* link, bool* more);

 private:
  bool TakeNumber(size_t* number);
  bool TakeBytes(std::string_view* bytes);

  std::string_view bytes_;
  std::string key_;
};

// Calls `visit(const ListedLink&)`, which returns a Status, for each link.
template <typename Visit>
arrow::Status ForEachListedLink(std::string_view bytes, Visit&& visit) {
  LinkListReader reader(bytes);
  ListedLink link;
  while (true) {
    bool more = false;
    ARROW_RETURN_NOT_OK(reader.Next(&link, &more));
    if (!more) return arrow::Status::OK();
    ARROW_RETURN_NOT_OK(visit(link));
  }
}

// The beginning of a text, cut before the character that does not fit.
std::string_view CutAnchor(std::string_view text);

}  // namespace trawl
