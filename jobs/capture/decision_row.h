// What the first job of trawl archive says of a capture, where the second one cannot write it from its fetch row and the
// body at the row's place alone. Rows lie in DIR/_trawl/NAME/revisits.
#pragma once

#include <cstdint>
#include <string>

#include "formats/rows/row_codec.h"

namespace trawl {

// The numbers are stored.
enum class Decision : int8_t {
  kNone = 0,         // nothing is said: the body lies at the row's place, and is written
  kFull = 1,         // the body lies at another place, and is written
  kSamePayload = 2,  // a revisit of the original
  kNotModified = 3,  // the server said that the original is still good
  kSkip = 4,         // the page asks not to be kept, for `reason`
  kNoBody = 5,       // the body is stored nowhere any more
};

struct DecisionRow {
  static constexpr char kTable[] = "revisits";
  static constexpr uint8_t kVersion = 1;

  // The capture: the number of its part, of its file among the segment's files of fetch, and of its row.
  int32_t part = 0;
  int32_t file = 0;
  int64_t row = 0;
  Decision decision = Decision::kNone;
  std::string reason;
  // The original, as its record has it. Of kFull only the digest, where it is known.
  std::string original_id;
  std::string original_url;
  int64_t original_began_ms = 0;
  std::string digest;
  // Where the body lies: kFull.
  std::string body_segment;
  std::string body_file;
  int64_t body_row = 0;

  template <typename Row, typename Visit>
  static constexpr void VisitFields(Row& row, Visit&& visit) {
    visit("part", row.part);
    visit("file", row.file);
    visit("row", row.row);
    visit("decision", row.decision);
    visit("reason", row.reason);
    visit("original_id", row.original_id);
    visit("original_url", row.original_url);
    visit("original_began_ms", row.original_began_ms);
    visit("digest", row.digest);
    visit("body_segment", row.body_segment);
    visit("body_file", row.body_file);
    visit("body_row", row.body_row);
  }

  bool operator==(const DecisionRow&) const = default;
};

}  // namespace trawl
