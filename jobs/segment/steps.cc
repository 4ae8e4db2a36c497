#include "jobs/segment/steps.h"

#include <array>
#include <cstddef>

#include "formats/documents/step_record.h"

namespace trawl {

namespace {

struct StepNames {
  const char* verb;
  const char* done;
  const char* record;
};

constexpr std::array<StepNames, 4> kSteps = {{
    {"generate", "generated", nullptr},
    {"fetch", "fetched", kFetchStep},
    {"parse", "parsed", kParseStep},
    {"updatedb", "applied", nullptr},
}};

const StepNames& NamesOf(SegmentStep step) { return kSteps[static_cast<size_t>(step)]; }

}  // namespace

const char* VerbOf(SegmentStep step) { return NamesOf(step).verb; }
const char* DoneWord(SegmentStep step) { return NamesOf(step).done; }
const char* RecordOf(SegmentStep step) { return NamesOf(step).record; }

}  // namespace trawl
