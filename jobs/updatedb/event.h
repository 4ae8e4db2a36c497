// What updatedb's mappers send to its reducers: a byte that says what it is, and the rest. Pure; any thread.
//
// Keys tell the groups apart, and within a slot they come in this order: a host's ("com,example"), then those of its
// robots.txt and URLs, each robots.txt ("com,example)", "com,example)http:8080") before the URLs of its origin.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "arrow/status.h"
#include "formats/rows/url_row.h"

namespace trawl {

enum class UpdateTag : char { kHost = 'H', kRobots = 'R', kFetch = 'F', kParse = 'P', kLink = 'L' };

enum class KeyClass { kHost, kRobots, kUrl };
KeyClass ClassOfKey(std::string_view key);

// A link as its target sees it. The views live as long as the event's bytes.
struct LinkEvent {
  bool counts = false;  // as an inlink
  UrlKind kind = UrlKind::kPage;
  int32_t depth = 0;
  uint64_t source_host = 0;   // Hash64 of its host part
  std::string_view via;       // key of the source
  std::string_view spelling;  // empty: the URL that the key stands for
};

// Replaces `out`.
void EncodeLinkEvent(const LinkEvent& link, std::string* out);
// REQUIRES: the tag is kLink. Invalid where the bytes are cut off.
arrow::Status DecodeLinkEvent(std::string_view bytes, LinkEvent* link);

}  // namespace trawl
