// Decides the captures of one body after another: which is the original, and what the others are. One thread.
//
//  1. A capture whose page asks not to be kept is skipped; it is nobody's original.
//  2. The original is that of an earlier NAME, else the first capture whose body is stored: by segment, time and place.
//  3. Every other capture of the same body refers to the original; of an empty body none does.
//  4. Where revisits are not wanted, every capture has its body, from wherever it lies.
//  5. Where no capture knows a place of the body, that of the URL's present row counts, if it has this body. Only so many
//     are looked at; without a place the captures have no body and are not written.
//  6. An answer "not modified" refers to the original. Without one nothing is said of it, and it stands for itself.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arrow/result.h"
#include "arrow/status.h"
#include "formats/rows/content_row.h"
#include "formats/warc/names.h"
#include "jobs/archive/body_event.h"
#include "jobs/capture/decision_row.h"
#include "jobs/capture/stored_body.h"
#include "jobs/cdxindex/archive_options.h"
#include "jobs/segment/stored_bodies.h"
#include "runtime/job/task.h"
#include "runtime/tables/run_writer.h"
#include "runtime/tables/table.h"

namespace trawl {

class BodyDecisions {
 public:
  // Counts what it decides. All that is pointed to outlives the object.
  BodyDecisions(TaskContext* context, const ArchiveOptions& options, std::shared_ptr<const Table> urls,
                RunWriter<DecisionRow>* out);

  // `digest` is raw. REQUIRES: captures come by digest, then by rank, segment, time and place.
  arrow::Status Add(std::string_view digest, const BodyEvent& event);
  arrow::Status Finish() { return EndBody(); }

 private:
  struct Original {
    std::string id, url, digest;  // as its record has them; the digest is made when a revisit needs it
    int64_t began_ms = 0;
    BodyEvent body;  // where it lies
  };

  arrow::Status AddStored(const BodyEvent& event);
  arrow::Status AddNotFound(const BodyEvent& event);
  arrow::Status AddNotModified(const BodyEvent& event);
  arrow::Status EndBody();

  void TakeOriginal(const BodyEvent& event, std::string id, std::string digest);
  arrow::Status BeOriginal(const BodyEvent& event);
  // A revisit has its original's digest to the letter.
  arrow::Status KnowDigest();
  // Finds the body by the present row of the capture's URL.
  arrow::Result<bool> LookUp(BodyEvent* event);

  arrow::Status Put(const BodyEvent& event, DecisionRow row);
  arrow::Status PutNoBody(const BodyEvent& event);
  // The body is written, from `place`.
  arrow::Status PutFull(const BodyEvent& event, const BodyEvent& place);
  arrow::Status PutRevisit(const BodyEvent& event, Decision decision);

  TaskContext& context_;
  const WarcDigest algorithm_;
  const bool may_refer_;
  const std::shared_ptr<const Table> urls_;
  StoredBodies stored_;
  BodiesByPlace bodies_;
  RunWriter<DecisionRow>& out_;
  std::string digest_;  // of the present body, raw
  std::optional<Original> original_;
  std::vector<BodyEvent> waiting_;  // captures without a body, as long as none has one
  int lookups_ = 0;
  ContentRow body_;
};

}  // namespace trawl
