// What a page asks of robots: the X-Robots-Tag field and <meta name=robots>, which share their words. Pure; any thread.
//
// No standard defines them; the words and their reading are those of the large search engines' documentation. Of
// directives that differ, the strictest counts.
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
  bool noai = false;       // not to be used to train or feed models
  bool noimageai = false;  // the page's images are not
  // The earliest unavailable_after: from then on the page counts as noindex.
  std::optional<int64_t> unavailable_after_ms;

  bool NoIndexAt(int64_t now_ms) const { return noindex || (unavailable_after_ms && *unavailable_after_ms <= now_ms); }
  // Also holds what `other` asks.
  void Merge(const RobotsDirectives& other);
};

// The content of one meta element that is for us: directives separated by commas. `now_ms` tells the century of a date
// with two digits for the year.
RobotsDirectives ParseRobotsDirectives(std::string_view content, int64_t now_ms);

// All X-Robots-Tag fields: the directives for everyone and those behind "`agent`:", without regard to case. An agent's
// name holds from where it stands to the next name or the end of its field; so "otherbot: noindex, nofollow" is no word
// to us. An empty `agent` is everyone.
RobotsDirectives XRobotsTagOf(const HeaderList& headers, std::string_view agent, int64_t now_ms);

}  // namespace trawl
