// The reduce side of generate's second job: writes a list, whose rows are sorted by domain and host. One thread.
#pragma once

#include <cstdint>
#include <string_view>

#include "arrow/status.h"
#include "formats/documents/json.h"
#include "formats/rows/candidate_row.h"
#include "formats/rows/host_row.h"
#include "formats/rows/robots_row.h"
#include "formats/rows/url_row.h"
#include "jobs/generate/list_keys.h"
#include "runtime/job/task.h"

namespace trawl {

class ListWriter {
 public:
  // `by_domain`: a domain gets one request at a time, so that the times of its hosts add up.
  ListWriter(TaskContext& context, bool by_domain, RowFileOptions files);

  arrow::Status Take(std::string_view key, std::string_view bytes);

  // `facts` are the plan's facts of the list. They become the task's facts, together with what was written.
  arrow::Status Finish(Json facts);

 private:
  arrow::Status TakeHost(std::string_view bytes);
  void EndHost();
  arrow::Status EndDomain();

  TaskContext& context_;
  const bool by_domain_;
  RunWriter<UrlRow>* const urls_;
  RunWriter<HostRow>* const hosts_;
  RunWriter<RobotsRow>* const robots_;
  RunWriter<HeldRow>* const held_;
  // The current domain and host.
  HeldRow domain_;
  HostPace pace_;
  int64_t host_pages_ = 0;
  int64_t probes_ = 0;       // which count as no pages
  int64_t expected_ms_ = 0;  // time of the domain that takes longest
  // Reused for every row.
  HostRow host_;
  RobotsRow robots_row_;
  UrlRow url_row_;
};

}  // namespace trawl
