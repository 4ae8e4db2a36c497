// Which rows of the fingerprints table follow from the standing of a content, and the keys of that table. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "arrow/status.h"
#include "formats/rows/settle_rows.h"

namespace trawl {

inline std::string StandingKey(std::string_view content) { return std::string(content) + ")"; }
// `digest` is the beginning of the content's digest: 64 bits.
std::string QuarterKey(uint64_t fingerprint, int quarter, uint64_t digest);
// The fingerprint and the beginning of the digest that the key of a quarter says; nothing where it is another key.
struct QuarterPlace {
  int quarter = 0;
  uint64_t fingerprint = 0;
  uint64_t digest = 0;
};
std::optional<QuarterPlace> QuarterPlaceOf(std::string_view key);
// The first 64 bits of a content. Invalid where it is no digest.
arrow::Status BeginningOf(std::string_view content, uint64_t* digest);

inline bool Stands(const FingerprintRow& standing) { return standing.content.empty(); }

// Calls `put(const FingerprintRow&)`, which returns a Status, for the standing and for each row that follows from it; all
// are removed where it is.
template <typename Put>
arrow::Status ForEachRowOf(const FingerprintRow& standing, Put&& put) {
  ARROW_RETURN_NOT_OK(put(standing));
  const std::string_view content = ContentPlaceOf(standing.key).content;
  if (!Stands(standing)) {
    FingerprintRow near = standing;
    near.key = StandingKey(standing.content).append(content);
    near.content.clear();
    return put(near);
  }
  uint64_t digest = 0;
  ARROW_RETURN_NOT_OK(BeginningOf(content, &digest));
  FingerprintRow quarter = {.removed = standing.removed,
                            .content = std::string(content),
                            .page = standing.page,
                            .order = standing.order,
                            .text_sketch = standing.text_sketch};
  for (int number = 0; number < 4; ++number) {
    quarter.key = QuarterKey(static_cast<uint64_t>(standing.simhash), number, digest);
    ARROW_RETURN_NOT_OK(put(quarter));
    if (number == 0) quarter = {.removed = standing.removed};
  }
  return arrow::Status::OK();
}

// The standing of the near content of such a row.
FingerprintRow StandingOfNear(const FingerprintRow& near);

// Bytes that sort as contents are decided: by order, then by content.
std::string TurnOf(std::string_view order, std::string_view content);

}  // namespace trawl
