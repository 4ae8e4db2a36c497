#include "jobs/segment/choice.h"

#include <optional>

#include "jobs/segment/life.h"
#include "runtime/process/status_detail.h"
#include "runtime/root/layout.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// The verb that makes segments ready for the step: "trawl fetch".
std::string MakerOf(SegmentStep step) { return std::string("trawl ") + VerbOf(StepBefore(step)); }

SegmentChoice ChoiceOf(const Segment& segment) {
  return {.id = segment.id,
          .job = segment.job,
          .lists = segment.lists,
          .is_open = segment.is_open(),
          .until_ms = segment.until_ms};
}

Result<bool> IsDone(Store* store, const Segment& segment, SegmentStep step) {
  if (step == SegmentStep::kUpdatedb) return segment.has_ended(SegmentEnd::kApplied);
  return store->Exists(DatasetRecordPath(segment.id, RecordOf(step)));
}

// Whether the step before it is done.
Result<bool> IsReady(Store* store, const Segment& segment, SegmentStep step) {
  if (step == SegmentStep::kFetch) return true;
  return IsDone(store, segment, StepBefore(step));
}

Result<SegmentChoice> ChooseNamed(Store* store, const Manifest& manifest, SegmentStep step, const std::string& id) {
  const std::optional<Segment> segment = FindSegment(manifest, id);
  if (!segment) return UsageError("there is no segment '", id, "'; trawl segments list shows the segments");
  SegmentChoice choice = ChoiceOf(*segment);
  ARROW_ASSIGN_OR_RAISE(choice.is_done, IsDone(store, *segment, step));
  if (choice.is_done) return choice;
  const char* const done = DoneWord(step);
  if (segment->has_ended(SegmentEnd::kAbandoned)) {
    return UsageError("segment ", id, " is abandoned, so it cannot be ", done);
  }
  if (step == SegmentStep::kFetch && !segment->is_open()) {
    return UsageError("segment ", id, " is ", TextOf(*segment->end), " already, so it cannot be ", done);
  }
  ARROW_ASSIGN_OR_RAISE(const bool ready, IsReady(store, *segment, step));
  if (ready) return choice;
  return UsageError("segment ", id, " is not ready to be ", done, "; run  ", MakerOf(step), " --segment ", id,
                    "  first");
}

}  // namespace

const OptionGroup<SegmentOptions>& SegmentOptionGroup() {
  static const auto group =
      OptionGroup<SegmentOptions>("round", "Which segment")
          .String("segment", &SegmentOptions::segment,
                  "ID of the segment; else the oldest that is ready, a new one (generate), or all (readseg)", "SEGMENT")
          .Main();
  return group;
}

Result<SegmentChoice> ChooseSegment(Store* store, const Manifest& manifest, SegmentStep step, const std::string& id) {
  if (!id.empty()) return ChooseNamed(store, manifest, step, id);
  for (const Segment& segment : SegmentsOf(manifest)) {
    const bool may_be = segment.is_open() || (segment.has_ended(SegmentEnd::kExpired) && step != SegmentStep::kFetch);
    if (!may_be) continue;
    ARROW_ASSIGN_OR_RAISE(const bool done, IsDone(store, segment, step));
    if (done) continue;
    ARROW_ASSIGN_OR_RAISE(const bool ready, IsReady(store, segment, step));
    if (ready) return ChoiceOf(segment);
  }
  return SegmentChoice{};
}

Result<int> SayNoSegment(VerbContext& context, SegmentStep step) {
  ARROW_ASSIGN_OR_RAISE(const IdleOptions idle, context.Read(IdleOptionGroup()));
  ARROW_RETURN_NOT_OK(context.Summarize(
      {{"changed", false}, {"segment", nullptr}},
      std::string("no segment is ready to be ") + DoneWord(step) + "; run  " + MakerOf(step) + "  first\n"));
  return idle.idle_exit;
}

}  // namespace trawl
