#include "jobs/segment/choice.h"

#include <algorithm>
#include <vector>

#include "formats/documents/step_record.h"
#include "runtime/process/status_detail.h"
#include "runtime/root/layout.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

struct StepWords {
  const char* done;    // "fetched"
  const char* step;    // whose record says that this step is done; null: the snapshot does
  const char* before;  // whose record must be there
  const char* make;    // how to come to such a segment
};

StepWords WordsOf(SegmentStep step) {
  switch (step) {
    case SegmentStep::kFetch:
      return {"fetched", kFetchStep, nullptr, "trawl generate"};
    case SegmentStep::kParse:
      return {"parsed", kParseStep, kFetchStep, "trawl fetch"};
    case SegmentStep::kUpdatedb:
      return {"applied", nullptr, kParseStep, "trawl parse"};
  }
  return {};
}

// A segment with what the manifest says of it.
struct Candidate {
  SegmentChoice choice;
  std::string how;  // of a closed one
};

std::vector<Candidate> CandidatesOf(const Manifest& manifest) {
  std::vector<Candidate> all;
  for (const ClosedSegment& closed : manifest.closed_segments) {
    all.push_back({{.id = closed.id, .job = closed.job, .lists = closed.lists}, closed.how});
  }
  for (const OpenSegment& open : manifest.open_segments) {
    all.push_back(
        {{.id = open.id, .job = open.job, .lists = open.lists, .is_open = true, .until_ms = open.until_ms}, ""});
  }
  return all;
}

Result<bool> HasStep(Store* store, const std::string& segment, const char* step) {
  return store->Exists(DatasetRecordPath(segment, step));
}

Result<bool> IsDone(Store* store, const Candidate& candidate, const StepWords& words) {
  if (words.step == nullptr) return candidate.how == "applied";
  return HasStep(store, candidate.choice.id, words.step);
}

Result<SegmentChoice> ChooseNamed(Store* store, const std::vector<Candidate>& all, const StepWords& words,
                                  const std::string& id) {
  const auto found = std::find_if(all.begin(), all.end(), [&id](const Candidate& c) { return c.choice.id == id; });
  if (found == all.end()) return UsageError("there is no segment '", id, "'; trawl segments list shows the segments");
  SegmentChoice choice = found->choice;
  ARROW_ASSIGN_OR_RAISE(choice.is_done, IsDone(store, *found, words));
  if (choice.is_done) return choice;
  if (found->how == "abandoned") return UsageError("segment ", id, " is abandoned, so it cannot be ", words.done);
  if (words.before == nullptr) {
    if (!choice.is_open)
      return UsageError("segment ", id, " is ", found->how, " already, so it cannot be ", words.done);
    return choice;
  }
  ARROW_ASSIGN_OR_RAISE(const bool ready, HasStep(store, id, words.before));
  if (!ready)
    return UsageError("segment ", id, " is not ready to be ", words.done, "; run  ", words.make, " --segment ", id,
                      "  first");
  return choice;
}

}  // namespace

const OptionGroup<SegmentOptions>& SegmentOptionGroup() {
  static const auto group =
      OptionGroup<SegmentOptions>("round", "Which segment")
          .String("segment", &SegmentOptions::segment,
                  "ID of the segment; without it the oldest that is ready (generate: a new ID; reading: all)", "ID")
          .Main();
  return group;
}

Result<SegmentChoice> ChooseSegment(Store* store, const Manifest& manifest, SegmentStep step, const std::string& id) {
  const StepWords words = WordsOf(step);
  const std::vector<Candidate> all = CandidatesOf(manifest);
  if (!id.empty()) return ChooseNamed(store, all, words, id);
  for (const Candidate& candidate : all) {
    const bool may_be = candidate.choice.is_open || (candidate.how == "expired" && words.before != nullptr);
    if (!may_be) continue;
    ARROW_ASSIGN_OR_RAISE(const bool done, IsDone(store, candidate, words));
    if (done) continue;
    bool ready = true;
    if (words.before != nullptr) {
      ARROW_ASSIGN_OR_RAISE(ready, HasStep(store, candidate.choice.id, words.before));
    }
    if (ready) return candidate.choice;
  }
  return SegmentChoice{};
}

Result<int> SayNoSegment(VerbContext& context, SegmentStep step) {
  const StepWords words = WordsOf(step);
  ARROW_ASSIGN_OR_RAISE(const IdleOptions idle, context.Read(IdleOptionGroup()));
  ARROW_RETURN_NOT_OK(
      context.Summarize({{"changed", false}, {"segment", nullptr}},
                        std::string("no segment is ready to be ") + words.done + "; run  " + words.make + "  first\n"));
  return idle.idle_exit;
}

}  // namespace trawl
