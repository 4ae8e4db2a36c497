// The steps of a segment, in their order, and what each is called. Pure; any thread.
#pragma once

namespace trawl {

enum class SegmentStep { kGenerate, kFetch, kParse, kUpdatedb };

// The verb that does the step: "updatedb".
const char* VerbOf(SegmentStep step);
// A segment's state once the step is done: "applied".
const char* DoneWord(SegmentStep step);
// The step whose record says that this step is done, as it is stored: kFetchStep. Null for the two steps that a
// manifest tells of: a segment that it names is generated, and applied where it says so.
const char* RecordOf(SegmentStep step);

// REQUIRES: not kGenerate.
constexpr SegmentStep StepBefore(SegmentStep step) { return static_cast<SegmentStep>(static_cast<int>(step) - 1); }

}  // namespace trawl
