// The URLs of one fetch task, by number: first those of its list, then the targets of redirects that it meets. One
// thread.
//
// A list may have a million URLs, so its rows stay in their codec bytes, and the progress of a URL takes four bytes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "arrow/status.h"
#include "formats/rows/url_row.h"
#include "jobs/politeness/numbers.h"

namespace trawl {

// The progress of a URL in this segment.
struct UrlProgress {
  uint8_t requests = 0;  // up to 255
  uint8_t failures = 0;  // asked for again within the round
  uint8_t throttles = 0;
  bool is_done : 1 = false;
  // The body that the listed row names is still there. Without it the page is asked for without validators, and its body
  // is stored; the row keeps the place, for the text lies there until then.
  bool has_body : 1 = false;
};

// The target of a redirect.
struct HopUrl {
  std::string key;
  std::string url;
  std::string hop_of;  // key
  int32_t hops = 0;
  int32_t depth = 0;
  int32_t score = 0;
  UrlKind kind = UrlKind::kPage;  // that of the URL which led here
};

class FetchList {
 public:
  // Adds the next URL of the list.
  UrlNumber AddListed(const UrlRow& row);
  // REQUIRES: all URLs of the list are added.
  UrlNumber AddHop(HopUrl hop);
  // Call it after the last AddListed and before the first Find.
  void Seal();

  // The URL with that key, listed or a hop.
  std::optional<UrlNumber> Find(std::string_view key) const;

  uint32_t listed() const { return static_cast<uint32_t>(offsets_.size()); }
  uint32_t size() const { return static_cast<uint32_t>(progress_.size()); }
  bool IsHop(UrlNumber number) const { return number >= listed(); }
  // The codec bytes of a listed URL's row.
  std::string_view RowBytes(UrlNumber number) const;
  arrow::Status ReadRow(UrlNumber number, UrlRow* row) const { return DecodeRow(RowBytes(number), row); }
  const HopUrl& Hop(UrlNumber number) const { return *hops_[number - listed()]; }
  UrlProgress& progress(UrlNumber number) { return progress_[number]; }
  const UrlProgress& progress(UrlNumber number) const { return progress_[number]; }

 private:
  struct Place {
    uint64_t hash;
    UrlNumber number;
  };
  // Rows lie in chunks, so that growing copies no row.
  static constexpr size_t kChunkBytes = 1 << 20;
  std::vector<std::string> chunks_;
  std::vector<uint64_t> offsets_;  // chunk number in the upper half, place in it in the lower
  std::vector<Place> places_;      // by hash
  std::vector<std::unique_ptr<HopUrl>> hops_;
  std::unordered_map<uint64_t, UrlNumber> hop_by_hash_;
  std::vector<UrlProgress> progress_;
  std::string bytes_;
};

}  // namespace trawl
