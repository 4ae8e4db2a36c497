// The wishes of a page for robots: the X-Robots-Tag field and <meta name=robots>, which share their words. Pure; any
// thread.
//
// No standard defines them; the words and their meaning follow the large search engines' documentation. Where
// directives differ, the strictest counts.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "formats/http/header_list.h"

namespace trawl {

struct RobotsDirectives {
  bool noindex = false;
  bool nofollow = false;
  bool noarchive = false;
  bool nosnippet = false;
  bool noimageindex = false;
  bool notranslate = false;
  bool noai = false;       // the page must not be used to train or feed models
  bool noimageai = false;  // the same for the page's images
  // The earliest unavailable_after: from this time on the page counts as noindex.
  std::optional<int64_t> unavailable_after_ms;

  bool NoIndexAt(int64_t now_ms) const { return noindex || (unavailable_after_ms && *unavailable_after_ms <= now_ms); }
  // Adds the wishes of `other`.
  void Merge(const RobotsDirectives& other);
};

// Reads the content of one meta element that is for us: directives separated by commas. `now_ms` tells the century of a
// two-digit year.
RobotsDirectives ParseRobotsDirectives(std::string_view content, int64_t now_ms);

// Reads all X-Robots-Tag fields: the directives for everyone and those after "`agent`:", in any case. An agent's name
// applies up to the next name or the end of its field, so "otherbot: noindex, nofollow" is not for us. An empty `agent`
// means everyone.
RobotsDirectives XRobotsTagOf(const HeaderList& headers, std::string_view agent, int64_t now_ms);

}  // namespace trawl
