// The events that updatedb's mappers send to its reducers: a tag, which is one byte, and the rest. Pure; any thread.
//
// Within a slot, the groups of events come in this order of their keys: a host ("com,example"), then its origins, of each
// the robots.txt ("com,example)", "com,example)http:8080") before the URLs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "arrow/status.h"
#include "formats/rows/url_row.h"
#include "jobs/politeness/quota.h"
#include "jobs/sitemaps/stated_words.h"

namespace trawl {

// A fetch event is a FetchRow that has, in the place of its response headers, what they ask for (SignalsOfRawHeaders) as a
// number; nothing where they ask for nothing. kOutlinks: the bytes after the tag are a piece of a page's links
// (jobs/segment/outlink_pieces.h).
enum class UpdateTag : char {
  kHost = 'H',
  kDomain = 'D',
  kRobots = 'R',
  kFetch = 'F',
  kParse = 'P',
  kReread = 'Q',
  kLink = 'L',
  kOutlinks = 'O',
  kStated = 'S'
};

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

// A parse row: where it lies in the segment, and its codec bytes. The views live as long as the event's bytes.
struct ParseEvent {
  bool is_reread = false;  // of a page that was read again: the tag is kReread, else kParse
  int64_t number = 0;      // of the row in its file
  std::string_view file;
  std::string_view row;
};

// Replaces `out`.
void EncodeParseEvent(const ParseEvent& event, std::string* out);
// REQUIRES: the tag is kParse or kReread. Invalid where the bytes are cut off.
arrow::Status DecodeParseEvent(std::string_view bytes, ParseEvent* event);

// How many priorities the sitemaps of a host stated for its own URLs, and how many of them were the highest. Events of one
// host add up.
struct StatedEvent {
  int64_t priorities = 0;
  int64_t top = 0;
};

// Replaces `out`.
void EncodeStatedEvent(const StatedEvent& event, std::string* out);
// REQUIRES: the tag is kStated. Invalid where the bytes are cut off.
arrow::Status DecodeStatedEvent(std::string_view bytes, StatedEvent* event);

// A link, as an event for its target, or links that were folded into one (jobs/updatedb/link_fold.h). The views live as
// long as the event's bytes.
struct LinkEvent {
  bool counts = false;          // it is an inlink
  bool is_entry = false;        // of a sitemap
  bool is_named = false;        // a sitemap that robots.txt names
  bool is_newly_named = false;  // and is that of another host, which did not name it before
  bool is_guess = false;        // nothing names it: it is asked for on the chance that it is there
  UrlKind kind = UrlKind::kPage;
  int32_t depth = 0;
  uint64_t source_host = 0;   // Hash64 of the source's host part
  int64_t links = 1;          // how many it stands for
  std::string_view hosts;     // where it stands for several: the source hosts of those that count, 8 bytes each
  std::string_view via;       // key of the source
  std::string_view spelling;  // empty: the URL that the key stands for
  StatedWords words;
};

// Calls visit(uint64_t) with the source host of each link that counts.
template <typename Visit>
void ForEachLinkingHost(const LinkEvent& link, Visit&& visit) {
  if (link.counts) visit(link.source_host);
  for (size_t at = 0; at + sizeof(uint64_t) <= link.hosts.size(); at += sizeof(uint64_t)) {
    uint64_t host = 0;
    std::memcpy(&host, link.hosts.data() + at, sizeof host);
    visit(host);
  }
}

// Replaces `out`.
void EncodeLinkEvent(const LinkEvent& link, std::string* out);
// REQUIRES: the tag is kLink. Invalid where the bytes are cut off.
arrow::Status DecodeLinkEvent(std::string_view bytes, LinkEvent* link);

}  // namespace trawl
