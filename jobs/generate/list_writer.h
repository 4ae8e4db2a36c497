// The reduce side of generate's second job: writes a list, whose rows come domain by domain and host by host. One
// thread.
#pragma once

#include <cstdint>
#include <string_view>

#include "arrow/status.h"
#include "formats/documents/json.h"
#include "formats/rows/held_row.h"
#include "formats/rows/host_row.h"
#include "formats/rows/robots_row.h"
#include "formats/rows/url_row.h"
#include "jobs/generate/list_keys.h"
#include "runtime/job/task.h"

namespace trawl {

class ListWriter {
 public:
  // `by_domain`: one request at a time for a domain, so that what its hosts take adds up.
  ListWriter(TaskContext& context, bool by_domain, RowFileOptions files);

  arrow::Status Take(std::string_view key, std::string_view bytes);

  // `facts` is what the plan says of the list; what was written is added, and all of it becomes the task's facts.
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
  // The domain and the host under way.
  HeldRow domain_;
  HostPace pace_;
  int64_t host_pages_ = 0;
  int64_t expected_ms_ = 0;  // of the domain that takes longest
  // Used again for every row.
  HostRow host_;
  RobotsRow robots_row_;
  UrlRow url_row_;
};

}  // namespace trawl
