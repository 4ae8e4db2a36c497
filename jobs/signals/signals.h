// What a page asks of those who use its copy, as bits (kSignalNames in formats/rows/directives.h). Pure; any thread.
//
// UrlRow::signals has three parts:
//   the lower half   what holds: by the page itself or by the header fields of its answer
//   the upper half   of that, what the header fields of the last answer said, at the same places
//   kSignalsKnown    a version that notes signals has read the page
// A body is stored and parsed again where its header fields say something else than before, since nobody could tell
// otherwise which wishes are the page's own.
//
// A robots.txt speaks of all pages of a host, and may change without any of them. So its Content-Signal lines are not in
// the rows: those who read the rows ask SignalsOf(ContentSignal) as well.
#pragma once

#include <cstdint>
#include <string_view>

#include "formats/http/header_list.h"
#include "formats/robots/content_signal.h"
#include "formats/rows/directives.h"
#include "formats/rows/parse_row.h"

namespace trawl {

inline constexpr int32_t kAllSignals = (1 << std::size(kSignalNames)) - 1;
inline constexpr int kHeaderSignals = 16;  // where the upper half begins
inline constexpr int32_t kSignalsKnown = 1 << 30;

// The bit of that name; 0: there is no such signal.
int32_t SignalNamed(std::string_view name);

int32_t SignalsOf(const ContentSignal& signal);
// What parse noted: the page's own wishes and those of its header fields.
int32_t SignalsOf(const ParseRow& row);
// The wishes of an answer's header fields, for the crawler with that product token.
int32_t SignalsOfHeaders(const HeaderList& fields, std::string_view agent, int64_t now_ms);
// The same of a header section as it came over the wire. Nearly all ask for nothing, and cost little.
int32_t SignalsOfRawHeaders(std::string_view raw, std::string_view agent, int64_t now_ms);

// The Content-Signal fields, merged.
ContentSignal ContentSignalOf(const HeaderList& fields);
// The TDM-Reservation field: 1 reserved, 2 not reserved, 0 not stated, as in ParseRow.
int8_t TdmReservationOf(const HeaderList& fields);

// UrlRow::signals of a page that has just been read.
constexpr int32_t NotedSignals(int32_t holding, int32_t of_headers) {
  return kSignalsKnown | (of_headers & kAllSignals) << kHeaderSignals | (holding & kAllSignals);
}
constexpr int32_t HoldingSignals(int32_t signals) { return signals & kAllSignals; }
constexpr int32_t HeaderSignals(int32_t signals) { return signals >> kHeaderSignals & kAllSignals; }
constexpr bool AreSignalsKnown(int32_t signals) { return (signals & kSignalsKnown) != 0; }

}  // namespace trawl
