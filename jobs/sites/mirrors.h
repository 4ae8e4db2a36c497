// A door of jobs/sites: ways in which two URLs of a host lead to the same page as a rule, and the hosts that it mirrors: for trawl host. One
// thread.
//
//   scheme   http://H/p and https://H/p
//   www      H and www.H
//   slash    /p and /p/
//   case     /p and /P
//   index    /p/ and /p/index.html
//   host     pages of H, or of H below a first path segment, are duplicates of pages of one other host, or of H below
//            another segment
// Two URLs of the first five are a pair if both were asked for. A pair is equal if contents are, settle names one as the
// other's duplicate or near one, or one redirects to the other. A rule is said if there are at least kEnoughOfRule pairs and
// nine of ten are equal; a mirror, if it concerns so many pages and half of those below that path.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/json.h"
#include "formats/documents/manifest.h"
#include "formats/rows/url_row.h"
#include "runtime/process/stop.h"
#include "runtime/store/store.h"

namespace trawl {

inline constexpr int64_t kEnoughOfRule = 10;

enum class MirrorKind : int8_t { kScheme, kWww, kSlash, kCase, kIndex, kHost };
const char* NameOf(MirrorKind kind);

struct Mirror {
  MirrorKind kind = MirrorKind::kScheme;
  std::string below;  // for kHost: the URL prefix of the pages
  std::string of;     // and of those that stand for them
  int64_t pages = 0;  // pairs, or pages below
  int64_t equal = 0;
  bool operator==(const Mirror&) const = default;
};

class Mirrors {
 public:
  // `host` and, for kWww, its sister, in any order.
  explicit Mirrors(std::string host) : host_(std::move(host)) {}
  void Add(const UrlRow& page);
  // In the order of kinds; of prefixes, only the widest that is a mirror.
  std::vector<Mirror> Find() const;

 private:
  static constexpr size_t kForms = static_cast<size_t>(MirrorKind::kHost);
  struct Page {
    uint64_t key = 0;  // hashes; 0: none
    uint64_t content = 0;
    uint64_t stands_for_it = 0;
    uint64_t redirect = 0;
  };
  struct Tally {
    int64_t pages = 0;
    int64_t equal = 0;
  };
  struct Below {
    int64_t pages = 0;
    std::map<std::string, int64_t> of;  // by URL prefix
  };

  static bool AreEqual(const Page& a, const Page& b);
  void CountStanding(const UrlRow& page);

  const std::string host_;
  std::unordered_map<uint64_t, Page> firsts_;  // by hash of the kind and of what the two URLs have in common
  std::array<Tally, kForms> tallies_{};
  std::map<std::string, Below> below_;  // by URL prefix
};

// The mirrors of a host among its first pages, as objects: {"kind", "below", "of", "pages", "equal", "text"}.
arrow::Result<Json> MirrorsJson(Store* store, const Manifest& snapshot, const std::string& host, const StopToken& stop);

}  // namespace trawl
