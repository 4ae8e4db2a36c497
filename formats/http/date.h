// Dates as HTTP and the web write them, read into milliseconds since 1970-01-01 UTC. Pure: the caller passes "now". Any
// thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace trawl {

// RFC 9110 section 5.6.7, all three forms:
//   Sun, 06 Nov 1994 08:49:37 GMT     IMF-fixdate
//   Sunday, 06-Nov-94 08:49:37 GMT    RFC 850
//   Sun Nov  6 08:49:37 1994          asctime
// and similar dates: no weekday, or a wrong one; names in any case; a day of one digit; "-" or space between date
// parts; "UTC", "UT", "Z" or an offset in place of GMT, or nothing. A year of two digits that would be more than fifty
// years after `now_ms` is the most recent past year with these last digits. Nothing for any other text or a date that
// does not exist.
std::optional<int64_t> ParseHttpDateMs(std::string_view text, int64_t now_ms);

// The profile of ISO 8601 that sitemaps use (https://www.w3.org/TR/NOTE-datetime): a year, a month, a day, or a time of
// day to the minute, the second or a fraction, with "Z" or an offset. Also accepted: a space for the "T", small
// letters, an offset without its colon, and no zone at all, which means UTC.
std::optional<int64_t> ParseW3cDateMs(std::string_view text);

// An HTTP date or a W3C date. Also takes the American zones of RFC 822, as feeds and X-Robots-Tag use them.
std::optional<int64_t> ParseAnyDateMs(std::string_view text, int64_t now_ms);

}  // namespace trawl
