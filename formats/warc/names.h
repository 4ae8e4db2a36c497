// The small values of a WARC record: types, ids, dates, digests, URIs. ISO 28500:2017 is WARC 1.1. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "formats/rows/outcome.h"

namespace trawl {

enum class WarcType { kWarcinfo, kRequest, kResponse, kRevisit, kMetadata, kResource, kConversion };
std::string_view TextOf(WarcType type);  // "response"

inline constexpr char kWarcSamePayload[] = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest";
inline constexpr char kWarcNotModified[] = "http://netpreserve.org/warc/1.1/revisit/server-not-modified";

// "<urn:uuid:…>", a UUID of version 5 of "PLACE/TYPE". The place of a capture is "SEGMENT/FILE#ROW", that of a warcinfo
// record is its file's path below the archive's folder. The same place gives the same id in every run, and another place
// another one.
std::string WarcIdOf(std::string_view place, WarcType type);

// "2026-01-01T12:00:00.250Z", always with three digits of a second.
std::string WarcDateOf(int64_t ms);
// A WARC-Date of any precision, cut to milliseconds; nothing where it is none.
std::optional<int64_t> ParseWarcDate(std::string_view text);

// `url` with every byte percent-encoded that RFC 3986 does not allow at its place: WARC-Target-URI.
std::string TargetUriOf(std::string_view url);

// Whether `text` is a URI of RFC 3986: a scheme in front, and no byte that must be percent-encoded.
bool IsUri(std::string_view text);

// What the name of a field may be, in WARC and in HTTP (RFC 9110 section 5.6.2).
bool IsFieldName(std::string_view text);

// The algorithm of an archive's digests.
enum class WarcDigest { kSha1, kSha256 };
// "sha1:3I42H3S6…" (Base32) or "sha256:e3b0…" (hex): of bytes, or made of a digest's own bytes.
std::string WarcDigestOf(WarcDigest algorithm, std::string_view bytes);
// The digest of both, one after the other.
std::string WarcDigestOf(WarcDigest algorithm, std::string_view first, std::string_view second);
std::string WarcDigestText(WarcDigest algorithm, std::string_view raw_digest);

// RFC 4648, upper case, without padding. FromBase32 also takes padding; false where `text` is not Base32.
std::string ToBase32(std::string_view bytes);
bool FromBase32(std::string_view text, std::string* bytes);

// The value of WARC-Truncated; empty for a whole body.
std::string_view WarcTruncationOf(Truncation truncation);

}  // namespace trawl
