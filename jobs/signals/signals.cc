#include "jobs/signals/signals.h"

#include <string>

#include "formats/http/raw_headers.h"
#include "formats/robots/directives.h"
#include "formats/text/ascii.h"

namespace trawl {

namespace {

// In the order of kSignalNames.
constexpr int32_t kNoIndex = 1 << 0, kNoFollow = 1 << 1, kNoArchive = 1 << 2, kNoSnippet = 1 << 3, kNoAi = 1 << 4,
                  kNoImageAi = 1 << 5, kTdmReserved = 1 << 6, kNoAiTrain = 1 << 7, kNoAiInput = 1 << 8,
                  kNoSearch = 1 << 9;

// Whether a line begins with the name of a field that SignalsOfHeaders reads.
bool MayAsk(std::string_view raw) {
  constexpr std::string_view kNames[] = {"x-robots-tag", "content-signal", "tdm-reservation"};
  for (size_t at = raw.find('\n'); at != std::string_view::npos; at = raw.find('\n', at + 1)) {
    const std::string_view line = raw.substr(at + 1);
    for (const std::string_view name : kNames) {
      if (EqualsIgnoringAsciiCase(line.substr(0, name.size()), name)) return true;
    }
  }
  return false;
}

int32_t If(bool is_set, int32_t bit) { return is_set ? bit : 0; }

}  // namespace

int32_t SignalNamed(std::string_view name) {
  for (size_t bit = 0; bit < std::size(kSignalNames); ++bit) {
    if (name == kSignalNames[bit]) return 1 << bit;
  }
  return 0;
}

int32_t SignalsOf(const ContentSignal& signal) {
  return If(signal.ai_train == UseWish::kNo, kNoAiTrain) | If(signal.ai_input == UseWish::kNo, kNoAiInput) |
         If(signal.search == UseWish::kNo, kNoSearch);
}

int32_t SignalsOf(const ParseRow& row) {
  return If(row.noindex, kNoIndex) | If(row.nofollow, kNoFollow) | If(row.noarchive, kNoArchive) |
         If(row.nosnippet, kNoSnippet) | If(row.noai, kNoAi) | If(row.noimageai, kNoImageAi) |
         If(row.tdm_reservation == 1, kTdmReserved) | SignalsOf(ParseContentSignal(row.content_signal));
}

int32_t SignalsOfHeaders(const HeaderList& fields, std::string_view agent, int64_t now_ms) {
  const RobotsDirectives robots = XRobotsTagOf(fields, agent, now_ms);
  return If(robots.NoIndexAt(now_ms), kNoIndex) | If(robots.nofollow, kNoFollow) | If(robots.noarchive, kNoArchive) |
         If(robots.nosnippet, kNoSnippet) | If(robots.noai, kNoAi) | If(robots.noimageai, kNoImageAi) |
         If(TdmReservationOf(fields) == 1, kTdmReserved) | SignalsOf(ContentSignalOf(fields));
}

int32_t SignalsOfRawHeaders(std::string_view raw, std::string_view agent, int64_t now_ms) {
  return MayAsk(raw) ? SignalsOfHeaders(ParseRawHeaders(raw), agent, now_ms) : 0;
}

ContentSignal ContentSignalOf(const HeaderList& fields) {
  ContentSignal signal;
  for (const std::string_view value : fields.All("content-signal")) signal.Merge(ParseContentSignal(value));
  return signal;
}

int8_t TdmReservationOf(const HeaderList& fields) {
  const std::string_view value = fields.First("tdm-reservation").value_or("");
  if (value == "1") return 1;
  return value == "0" ? 2 : 0;
}

}  // namespace trawl
