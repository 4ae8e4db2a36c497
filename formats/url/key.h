// The key of a URL, by which rows are sorted. It never changes, because it is stored. Pure; any thread (a SlotOfKeys:
// one).
//
//   key    = host ")" origin path [ "?" query ]
//   host   = labels reversed and joined by ","   com,example,www          (a label: [a-z0-9_-]+)
//          | an IPv4 address as it is            192.0.2.1
//          | an IPv6 address in brackets         [2001:db8::1]
//   origin = ""                                  https on port 443
//          | scheme [ ":" port ]                 http    http:8080    https:8443
//
//   https://www.example.com/a?b     com,example,www)/a?b
//   http://www.example.com:8080/    com,example,www)http:8080/
//
// A key and the normalised URL (formats/url/normal.h) are two spellings of one thing: each can be computed from the
// other. A key longer than kMaxKeyBytes is refused, never cut. A host outside the grammar is refused, too.
//
// ORDER. Keys sort by their bytes. Of the bytes that can follow a host part or a label, ')' comes before '*' (in no
// key), then ',', then '-', then digits, '_' and letters. Therefore each of these is one range:
//  - a host with all its origins: from "com,example" up to "com,example*";
//  - a domain with every host below it: from "com,example" up to "com,example-". com,example,www) lies inside it,
//    com,example-x) after it;
//  - the URLs of one origin whose path begins in one way: "com,example)/a", "com,example)http/a".
// These are not one range: all https URLs of a host, one scheme on all ports, and a domain at one port. ("com,example)"
// begins the keys of every scheme and port of the host. The https URLs of the usual port begin with "com,example)/".)
// Rows sort by slot first. A host is in one slot; the hosts of a domain are in many, each with its part of the range.
// Rows keyed by the host part (hosts) or through the origin (robots) lie in the ranges of their host and domain.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "arrow/result.h"
#include "formats/url/pieces.h"

namespace trawl {

inline constexpr size_t kMaxKeyBytes = 2048;

// Invalid, with the reason, where the URL has no key. REQUIRES: the URL is normalised.
arrow::Result<std::string> KeyOfUrl(std::string_view normalised_url);
// Writes the key into `*key`, whose memory is used again. False where there is no key.
bool WriteKeyOfUrl(std::string_view normalised_url, std::string* key);
// The same for a caller that has the pieces, for example from UrlNormalizer.
void WriteKeyOfPieces(const UrlPieces& pieces, std::string* key);
// The length of the key. `usual_origin` means https on port 443.
constexpr size_t KeySizeOfUrl(size_t url_bytes, bool usual_origin) {
  // "https://" becomes ")", "http://" becomes ")http" and "https://" before a port ")https".
  return url_bytes - (usual_origin ? 7 : 2);
}

// The normalised URL of a key. Invalid where `key` is not a key.
arrow::Result<std::string> UrlOfKey(std::string_view key);
bool WriteUrlOfKey(std::string_view key, std::string* url);

// The key's host part, and the host part of a host name: "com,example,www". Invalid for a host outside the grammar.
std::string_view HostPartOfKey(std::string_view key);
arrow::Result<std::string> HostPartOfHost(std::string_view host);
// Everything through the origin, which is the key of a robots row: "com,example,www)http:8080".
std::string_view OriginPartOfKey(std::string_view key);
// The host name of a key, or of a host part: "www.example.com".
std::string HostOfKey(std::string_view key);

// The slot of a host: the top 16 bits of Hash64 of its ASCII name, without port; IPv6 with its brackets.
uint16_t SlotOfHost(std::string_view host);
uint16_t SlotOfKey(std::string_view key);

// SlotOfKey for keys that come sorted, or at least host by host: a key of the same host as before costs one comparison.
class SlotOfKeys {
 public:
  uint16_t operator()(std::string_view key);

 private:
  std::string host_part_;  // with ')'
  uint16_t slot_ = 0;
};

// The keys with from <= key < to.
struct KeyRange {
  std::string from;
  std::string to;
};
// All rows of a host in urls, hosts and robots.
arrow::Result<KeyRange> KeyRangeOfHost(std::string_view host);
// The same with all hosts below it. An address has no host below it.
arrow::Result<KeyRange> KeyRangeOfDomain(std::string_view domain);
// The urls rows whose URL begins with these bytes. A normalised URL is needed, so the prefix has at least an origin
// with its '/'.
arrow::Result<KeyRange> KeyRangeOfUrlPrefix(std::string_view normalised_prefix);

}  // namespace trawl
