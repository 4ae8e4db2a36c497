// The first job of generate: which due URLs could be fetched in a round, and how good they are.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "jobs/assign.h"
#include "jobs/generate_options.h"
#include "runtime/job.h"

namespace trawl {

// What the tasks of a select wrote, in the order of their parts.
struct Selection {
  struct Part {
    std::vector<FileReceipt> hosts;
    std::vector<FileReceipt> candidates;
  };
  std::string segment;
  std::vector<Json> slots;  // the parts of its plan
  std::vector<Part> parts;
  std::vector<HostOffer> offers;          // of all hosts, part by part
  std::vector<uint32_t> first_of_part;    // the number of a part's first host
  Counters counters;
  TimeMs next_due_ms = 0;  // when something will be due that is not yet; kNever: nothing
};

// Runs it on a snapshot; its files go to the segment of that id.
arrow::Result<Selection> Select(const JobEnvironment& environment, int64_t snapshot, const std::string& segment, int threads);

// Assigns what was selected.
arrow::Result<Assignment> AssignSelection(Store* store, const Selection& selection, const AssignOptions& options);

// Takes away its files, which nobody else needs.
arrow::Status RemoveSelection(Store* store, const Selection& selection);

}  // namespace trawl
