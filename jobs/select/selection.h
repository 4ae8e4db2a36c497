// The door of jobs/select: the candidates that the first job of generate found, and their assignment to lists. One thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/json.h"
#include "formats/documents/receipt.h"
#include "jobs/select/assign.h"
#include "jobs/select/domain_limits.h"
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
  std::string job;      // that wrote the files; empty where the crawl has no URLs
  std::string segment;  // whose folder has the files
  std::vector<Part> parts;
  std::vector<HostOffer> offers;  // offers of all hosts, part by part
  DomainLimitTable domains;
  std::vector<FileReceipt> domain_files;  // what the tasks read of it
  Counters counters;
  // When the first of the URLs that were left out for that reason will not be held any more, by the counter's name; kNever:
  // not by itself.
  std::map<std::string, TimeMs> left_out_until_ms;
  TimeMs next_due_ms = 0;  // when the next URL will be due; kNever: no URL
};

// Fills in the offers from the files of the parts.
arrow::Status ReadOffers(Store* store, Selection* selection);

// Runs Assign on all candidates.
arrow::Result<Assignment> AssignSelection(Store* store, const Selection& selection, const AssignOptions& options);

// Removes its files, and what its job left, which nobody else needs.
arrow::Status RemoveSelection(Store* store, const Selection& selection);

// How a CandidatesRow stores candidates.
void AppendCandidate(const Candidate& candidate, std::string* bytes);
inline constexpr size_t kCandidateBytes = 20;
// REQUIRES: `bytes` has kCandidateBytes.
Candidate CandidateAt(const char* bytes);

}  // namespace trawl
