// Turns the links of a page into rows of the links dataset: resolved, normalised, judged, each target once.
//
// If several links lead to one target, the first gives text and rel, and the target enters the crawl if any of them
// may. Of entries of a sitemap that name it several times, the highest priority, the shortest interval and the latest date
// count. Links to the page itself are left out. Use one sifter per thread and one Begin per page.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/rows/content_row.h"
#include "formats/rows/link_row.h"
#include "formats/scope/crawl_scope.h"
#include "formats/url/normal.h"
#include "formats/url/url.h"

namespace trawl {

// A link as it stands in a page, sitemap or header field.
struct FoundLink {
  std::string_view href;
  std::string_view how;
  std::string_view rel;
  std::string_view text;
  std::string_view language;
  UrlKind kind = UrlKind::kPage;
  bool may_enter = true;  // false: it is recorded, and that is all
  bool nofollow = false;
  // An entry of a sitemap: whatever the sitemap's depth, its target has depth 0, and it is no inlink.
  bool is_entry = false;
  int64_t lastmod_ms = 0;
  bool has_priority = false;
  int32_t priority = 0;
  int64_t interval_ms = 0;
  std::string_view details;
};

// Counts of the links of all pages so far.
struct SiftCounts {
  int64_t in_scope = 0;  // a target counts once per page
  int64_t repeated = 0;
  int64_t no_url = 0;    // no URL, or one that the crawl cannot keep
  int64_t nofollow = 0;  // in scope, and not to be followed; a target counts once per page
  int64_t refused[static_cast<size_t>(UrlCheck::kRules) + 1] = {};
};

class LinkSifter {
 public:
  // `scope` must outlive it.
  LinkSifter(NormalForm form, const CrawlScope& scope) : scope_(scope), normalizer_(form) {}

  // REQUIRES: `page` lives until the page's last link.
  void Begin(const ContentRow& page, std::vector<LinkRow>* links);
  void Add(const FoundLink& found, const BaseUrl& base);
  // The key of the URL that a reference leads to, in scope or not; empty where it leads to no URL.
  std::string KeyOf(std::string_view href, const BaseUrl& base, std::string* url = nullptr);

  const SiftCounts& counts() const { return counts_; }

 private:
  // Writes the URL that a reference leads to into url_ and normalised_; false where it leads to none. `*is_cut`: parameters
  // that change nothing were taken out of normalised_.
  bool Read(std::string_view href, const BaseUrl& base, UrlPieces* pieces, bool* is_cut);

  const CrawlScope& scope_;
  UrlNormalizer normalizer_;
  Url url_;
  std::string normalised_;
  std::string key_;
  const ContentRow* page_ = nullptr;
  std::vector<LinkRow>* links_ = nullptr;
  std::unordered_map<std::string, size_t> by_key_;  // into *links_
  SiftCounts counts_;
};

}  // namespace trawl
