// What a fetch row is for an archive. Pure; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "formats/rows/fetch_row.h"
#include "jobs/cdxindex/archive_options.h"

namespace trawl {

// Whether the head of the answer came whole: it ends in an empty line. Only such an answer is archived.
inline bool HasWholeHead(std::string_view head) {
  return head.ends_with("\r\n\r\n") || head.ends_with("\n\n") || head.ends_with("\n\r\n");
}

// The subset that the answer belongs to.
inline const char* SubsetOf(const FetchRow& row) {
  return row.outcome == Outcome::kFetched ? kWarcSubset : kDiagnosticsSubset;
}

// When the request was begun; older versions noted how long it took.
inline int64_t BeganMs(const FetchRow& row) { return row.began_ms != 0 ? row.began_ms : row.fetched_ms - row.total_ms; }

// The place of a capture in the ids of its records: "SEGMENT/FILE#ROW".
inline std::string PlaceOfCapture(const std::string& segment, const std::string& file, int64_t row) {
  return segment + "/" + file + "#" + std::to_string(row);
}

// Bytes that sort as the numbers do, for keys of a shuffle.
inline void AppendBigEndian(uint64_t value, std::string* out) {
  for (int shift = 56; shift >= 0; shift -= 8) out->push_back(static_cast<char>(value >> shift & 0xFF));
}

}  // namespace trawl
