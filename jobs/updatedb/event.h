// The events that updatedb's mappers send to its reducers: a tag, which is one byte, and the rest. Pure; any thread.
//
// Within a slot, the groups of events come in this order of their keys: a host ("com,example"), then its origins, of each
// the robots.txt ("com,example)", "com,example)http:8080") before the URLs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "arrow/status.h"
#include "formats/rows/url_row.h"
#include "jobs/politeness/quota.h"

namespace trawl {

enum class UpdateTag : char { kHost = 'H', kDomain = 'D', kRobots = 'R', kFetch = 'F', kParse = 'P', kLink = 'L' };

enum class KeyClass { kHost, kRobots, kUrl };
KeyClass ClassOfKey(std::string_view key);

// The pages of one host in the segment so far, as an event for its registrable domain, whose key has the form of a host's.
// Parts of one fetch tell of a host again and again: of those of one host the one with most pages counts.
struct DomainEvent {
  uint64_t host = 0;  // Hash64 of its host part
  PageNews news;
};

// Replaces `out`.
void EncodeDomainEvent(const DomainEvent& event, std::string* out);
// REQUIRES: the tag is kDomain. Invalid where the bytes are cut off.
arrow::Status DecodeDomainEvent(std::string_view bytes, DomainEvent* event);

// A link, as an event for its target. The views live as long as the event's bytes.
struct LinkEvent {
  bool counts = false;  // it is an inlink
  UrlKind kind = UrlKind::kPage;
  int32_t depth = 0;
  uint64_t source_host = 0;   // Hash64 of the source's host part
  std::string_view via;       // key of the source
  std::string_view spelling;  // empty: the URL that the key stands for
};

// Replaces `out`.
void EncodeLinkEvent(const LinkEvent& link, std::string* out);
// REQUIRES: the tag is kLink. Invalid where the bytes are cut off.
arrow::Status DecodeLinkEvent(std::string_view bytes, LinkEvent* link);

}  // namespace trawl
