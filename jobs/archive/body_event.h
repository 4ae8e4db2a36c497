// A capture of a body on its way to the others of the same body: the first job of trawl archive shuffles it. Pure; any thread.
#pragma once

#include <cstdint>
#include <string>

#include "formats/rows/row_codec.h"

namespace trawl {

// The order in which captures of one body count. The first one that has the body is its original.
enum class Rank : uint8_t { kEarlier = 0, kStored = 1, kNotFound = 2, kNotModified = 3, kSkipped = 4 };

// A capture of a body on its way to the others of the same body.
struct BodyEvent {
  static constexpr char kTable[] = "captures of bodies";
  static constexpr uint8_t kVersion = 1;

  Rank rank = Rank::kStored;
  int32_t part = 0;
  int32_t file = 0;
  int64_t row = 0;
  std::string place;  // "SEGMENT/FILE#ROW"
  std::string key;    // in the urls table
  std::string url;    // WARC-Target-URI
  int64_t began_ms = 0;
  int64_t bytes = 0;
  std::string sha1;  // raw; empty: not noted
  bool is_own = false;
  std::string body_segment, body_file;  // where the body lies; empty: the row tells of no place that is still there
  int64_t body_row = 0;
  std::string text;       // of kSkipped the reason, of kEarlier the digest
  std::string record_id;  // of kEarlier

  template <typename Row, typename Visit>
  static constexpr void VisitFields(Row& row, Visit&& visit) {
    visit("rank", row.rank);
    visit("part", row.part);
    visit("file", row.file);
    visit("row", row.row);
    visit("place", row.place);
    visit("key", row.key);
    visit("url", row.url);
    visit("began_ms", row.began_ms);
    visit("bytes", row.bytes);
    visit("sha1", row.sha1, kBinary);
    visit("is_own", row.is_own);
    visit("body_segment", row.body_segment);
    visit("body_file", row.body_file);
    visit("body_row", row.body_row);
    visit("text", row.text);
    visit("record_id", row.record_id);
  }
};

}  // namespace trawl
