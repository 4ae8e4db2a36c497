// The rooms that answer requests, put together over one crawl: jobs/api, jobs/writes, jobs/web, jobs/metrics.
#pragma once

#include <memory>

#include "arrow/result.h"
#include "jobs/api/api.h"
#include "jobs/metrics/metrics.h"
#include "jobs/metrics/served.h"
#include "jobs/serve/front.h"
#include "jobs/serve/readiness.h"
#include "jobs/serve/store_watch.h"
#include "jobs/verb/serve_options.h"
#include "jobs/verb/verb.h"
#include "jobs/web/web.h"
#include "jobs/writes/writes.h"

namespace trawl {

class Rooms {
 public:
  // Opens the crawl at --root. `writes`: whether changes are taken. `context` outlives it.
  static arrow::Result<std::unique_ptr<Rooms>> Open(VerbContext& context, const ServeOptions& options, bool writes);

  ~Rooms();

  FrontRooms ForFront();
  // Ends all threads; orders that were taken are carried out first, for some seconds. False where one is stuck in a store
  // that does not answer: then the process must end without destroying this.
  bool Stop();

 private:
  class ApiSource;  // what pages ask
  Rooms() = default;
  ServerAnswer Metrics(const ServerRequest& request, const arrow::Result<Snapshot>& present, const StopToken& stop);
  WebContext ForWeb(const Visitor& visitor);

  VerbContext* context_ = nullptr;
  std::string name_;  // of the crawl
  TimeMs pinned_ms_ = 0;
  std::unique_ptr<Store> store_;
  std::unique_ptr<Writes> writes_;
  std::unique_ptr<Api> api_;
  std::unique_ptr<ApiSource> source_;
  std::unique_ptr<CrawlMetrics> metrics_;
  ServedRequests served_;
  std::shared_ptr<Readiness> readiness_;
  std::unique_ptr<StoreWatch> watch_;
};

}  // namespace trawl
