// The pattern of a URL: what its key has in common with the keys of other pages that the same template made. Key of the
// patterns table (formats/rows/settle_rows.h). Constant for a crawl: another rule would begin the counts of all hosts
// anew. Pure; any thread. It knows no word: only the form of what stands in a URL decides.
//
//   com,example)/calendar/2026/11?month=11&day=3     com,example)/calendar/#/#?day&month
//   com,example)/news/2026-11-03/p7.html;v=1         com,example)/news/#/p#.html;v=
//   com,example)/(S(lit3py55t21z5v55))/list          com,example)/(S(#))/list
//   com,example)/a/x/y/x/y/x                         com,example)/a/x/y*
//
//  1. The host part, scheme and port stand as in the key.
//  2. `#` stands for a number, and for a run of letters and digits that looks like an id: a UUID; hexadecimal, at least 8
//     long; one that changes between digits, small and capital letters at least three times and every four characters; at
//     least 16 long with four digits; at least 32 long. In any other run `#` stands for the digits alone. Numbers
//     with one of - _ . , : + ~ between them are one: a date is `#`.
//  3. The last segment of a path is a title, and its name `#`, where it has three words or numbers or more: the titles
//     of articles are ids. So is any segment whose pattern is over 48 bytes long. The extension stays.
//  4. A value after `=` in a path is left out; of a query only the names are kept, each once, sorted.
//  5. Where a segment that is no number comes again, the path runs in circles: its segments are written once each, sorted,
//     with `*` after them, however often and in which order they stand. `*` also stands for the rest of a path of over 12
//     segments or 200 bytes, for what follows the fourth number in succession up to the next word, and for names after 16 or
//     200 bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace trawl {

// What stands after the ')' is at most so long, without a scheme and port.
inline constexpr size_t kMaxPatternBytes = 512;

// Writes the pattern of a key of the urls table into `*pattern`, whose memory is used again.
void WritePatternOfKey(std::string_view key, std::string* pattern);
std::string PatternOfKey(std::string_view key);

// The family of a pattern: all patterns of the same path that have a query, "com,example)/shop?*" for
// "com,example)/shop?color&size"; of one without a query all whose paths begin with the same folder, "com,example)/rel/**"
// for "com,example)/rel/about/news". Empty where the pattern has neither a query nor a folder. It is no pattern of a key.
std::string FamilyOfPattern(std::string_view pattern);

// The family of all patterns of the origin, "com,example)/**". It is no pattern of a key, and no FamilyOfPattern.
std::string FamilyOfOrigin(std::string_view pattern);

// The same as people read it: "https://example.com/calendar/#/#?day&month".
std::string ReadablePattern(std::string_view pattern);

}  // namespace trawl
