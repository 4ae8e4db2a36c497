// The candidates that the first job of generate found, and their assignment to lists. One thread.
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

// The files that the tasks of the first job wrote, in the order of their parts.
struct Selection {
  struct Part {
    Json slots;  // the part of its plan
    std::vector<FileReceipt> hosts;
    std::vector<FileReceipt> candidates;
    uint32_t first_host = 0;  // the number of its first host among the offers
  };
  std::string segment;  // whose folder has the files
  std::vector<Part> parts;
  std::vector<HostOffer> offers;  // offers of all hosts, part by part
  Counters counters;
  TimeMs next_due_ms = 0;  // when the next URL will be due; kNever: no URL
};

// Fills in the offers from the files of the parts.
arrow::Status ReadOffers(Store* store, Selection* selection);

// Runs Assign on all candidates.
arrow::Result<Assignment> AssignSelection(Store* store, const Selection& selection, const AssignOptions& options);

// Removes its files, which nobody else needs.
arrow::Status RemoveSelection(Store* store, const Selection& selection);

// How a CandidatesRow stores candidates.
void AppendCandidate(const Candidate& candidate, std::string* bytes);
inline constexpr size_t kCandidateBytes = 20;
// REQUIRES: `bytes` has kCandidateBytes.
Candidate CandidateAt(const char* bytes);

}  // namespace trawl
