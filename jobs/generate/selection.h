// What the first job of generate found, and the assignment of it. One thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/json.h"
#include "formats/documents/receipt.h"
#include "jobs/generate/assign.h"
#include "runtime/job/counters.h"
#include "runtime/process/clock.h"
#include "runtime/store/store.h"

namespace trawl {

// What the tasks of a select wrote, in the order of their parts.
struct Selection {
  struct Part {
    Json slots;  // the part of its plan
    std::vector<FileReceipt> hosts;
    std::vector<FileReceipt> candidates;
    uint32_t first_host = 0;  // the number of its first host among the offers
  };
  std::string segment;  // that its files lie in
  std::vector<Part> parts;
  std::vector<HostOffer> offers;  // of all hosts, part by part
  Counters counters;
  TimeMs next_due_ms = 0;  // when something will be due that is not yet; kNever: nothing
};

// Fills in the offers from the files of the parts.
arrow::Status ReadOffers(Store* store, Selection* selection);

// Assign over all candidates.
arrow::Result<Assignment> AssignSelection(Store* store, const Selection& selection, const AssignOptions& options);

// Takes away its files, which nobody else needs.
arrow::Status RemoveSelection(Store* store, const Selection& selection);

// Candidates as their rows have them.
void AppendCandidate(const Candidate& candidate, std::string* bytes);
inline constexpr size_t kCandidateBytes = 20;
// REQUIRES: so many bytes.
Candidate CandidateAt(const char* bytes);

}  // namespace trawl
