// The door of formats/sitemap: lists of URLs that a site offers (https://www.sitemaps.org/protocol.html), as urlset,
// index, plain text, RSS, Atom or JSON Feed. Start at SitemapReader; a file that is gzip itself goes through gzip.h first.
//
// The web's sitemaps are sloppy. So content types, namespaces and declared encodings are not trusted; white space, byte
// order marks or a program's warnings before the document are skipped; and a file that breaks off gives the entries
// before the break. URLs come out as written, without white space around them; the caller resolves and judges them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trawl {

enum class SitemapType { kInvalid, kUrlset, kIndex, kText, kRss, kAtom, kJson };
// "urlset", "index", "text", "rss", "atom", "json", "invalid".
std::string_view NameOf(SitemapType type);

enum class ChangeFrequency { kUnknown, kAlways, kHourly, kDaily, kWeekly, kMonthly, kYearly, kNoMore };
// "always" and so on; empty for kUnknown.
std::string_view NameOf(ChangeFrequency frequency);

// The same page for another language (or, without one, another device).
struct SitemapAlternate {
  std::string language;
  std::string loc;
};

struct SitemapEntry {
  bool is_sitemap = false;  // another sitemap, not a page
  std::string loc;
  // The values of xml:base around it in an Atom feed, from the outermost one: each is relative to the one before, the first
  // one to the file's URL, and `loc` to the last.
  std::vector<std::string> bases;
  std::optional<int64_t> lastmod_ms;
  ChangeFrequency frequency = ChangeFrequency::kUnknown;
  std::optional<int32_t> priority_millionths;  // 0 to 1,000,000
  std::vector<SitemapAlternate> alternates;
  // What its news, image and video extensions say, as a JSON object; empty: nothing.
  //   {"news":{"title":"…","publication_date":"…"},"images":[{"loc":"…"}],"videos":[{"title":"…"}]}
  std::string details;
};

// The limits of the protocol, for uncompressed bytes.
struct SitemapLimits {
  uint64_t max_bytes = 50 << 20;
  uint64_t max_entries = 50'000;
};

struct SitemapSummary {
  SitemapType type = SitemapType::kInvalid;
  uint64_t entries = 0;  // passed to the sink
  uint64_t refused = 0;  // without a URL, with one that is too long, or with an undeclared entity
  bool too_many_bytes = false;
  bool too_many_entries = false;
  std::string problem;  // the reason why it is broken, if it is; text for people
};

class SitemapBody;
class SitemapOutput;

// Reads one sitemap in pieces and passes on each entry as soon as it is complete. Memory does not grow with the file.
// For one thread.
class SitemapReader {
 public:
  using Sink = std::function<void(SitemapEntry&& entry)>;

  // `now_ms` tells the century of a two-digit year.
  SitemapReader(Sink sink, int64_t now_ms, SitemapLimits limits = {});
  ~SitemapReader();

  // False once nothing more can come from the file: it reached a limit, or it is broken. Further pieces are ignored.
  bool Feed(std::string_view piece);
  // REQUIRES: called once, after the last piece.
  SitemapSummary Finish();

 private:
  // Decides from the head what kind of file this is, and makes the body.
  void Start();

  std::unique_ptr<SitemapOutput> output_;
  int64_t now_ms_;
  uint64_t bytes_left_;
  std::string head_;
  std::unique_ptr<SitemapBody> body_;
};

}  // namespace trawl
