// Sitemaps: lists of URLs that a site offers (https://www.sitemaps.org/protocol.html), as urlset, index, plain text,
// RSS or Atom. Start at SitemapReader; a file that is gzip itself goes through gzip.h first.
//
// The web's sitemaps are sloppy: content types, namespaces and declared encodings are not relied on, white space, byte
// order marks or a program's warnings in front of the document are skipped, and a file that breaks off gives what came
// before. URLs come out as written, without white space around them; resolving and judging them is the caller's.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trawl {

enum class SitemapType { kInvalid, kUrlset, kIndex, kText, kRss, kAtom };
// "urlset", "index", "text", "rss", "atom", "invalid".
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
  bool is_sitemap = false;  // another sitemap rather than a page
  std::string loc;
  std::optional<int64_t> lastmod_ms;
  ChangeFrequency frequency = ChangeFrequency::kUnknown;
  std::optional<int32_t> priority_millionths;  // 0 to 1,000,000
  std::vector<SitemapAlternate> alternates;
};

// The protocol's own limits, uncompressed.
struct SitemapLimits {
  uint64_t max_bytes = 50 << 20;
  uint64_t max_entries = 50'000;
};

struct SitemapSummary {
  SitemapType type = SitemapType::kInvalid;
  uint64_t entries = 0;  // handed over
  uint64_t refused = 0;  // without a URL, or with one that is too long or held an entity that nobody declared
  bool too_many_bytes = false;
  bool too_many_entries = false;
  std::string problem;  // what broke it, if anything; a person's text
};

class SitemapBody;
class SitemapOutput;

// Reads one sitemap in pieces and hands over each entry as soon as it is complete. Memory does not grow with the file.
// For one thread.
class SitemapReader {
 public:
  using Sink = std::function<void(SitemapEntry&& entry)>;

  // `now_ms` tells the century of a date with two digits for the year.
  SitemapReader(Sink sink, int64_t now_ms, SitemapLimits limits = {});
  ~SitemapReader();

  // False once nothing more can come of the file: a limit is reached, or it is broken. More pieces are then ignored.
  bool Feed(std::string_view piece);
  // REQUIRES: called once, after the last piece.
  SitemapSummary Finish();

 private:
  // Decides from the head what the file is. Only then is there a body.
  void Start();

  std::unique_ptr<SitemapOutput> output_;
  int64_t now_ms_;
  uint64_t bytes_left_;
  std::string head_;
  std::unique_ptr<SitemapBody> body_;
};

}  // namespace trawl
