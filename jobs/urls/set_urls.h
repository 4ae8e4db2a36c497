// The door of jobs/urls: trawl urls set as a value, for the verb and for tests.
//
//   reads        lists of URLs; the urls and robots tables: single keys, or columns by ranges of slots
//   shuffles by  slot and key, where URLs are named; else by nothing
//   writes       urls: the rows that change
//                robots: the rows of robots.txt files that are asked for again, since they held such a URL back
//   counters     matched, changed, of which put_back; dropped, not_selected, not_known, bad; robots
#pragma once

#include "arrow/result.h"
#include "jobs/inject/seed_files.h"
#include "jobs/urls/url_setter.h"
#include "jobs/verb/job_options.h"
#include "runtime/job/job.h"

namespace trawl {

// The URLs that are named, one a line. With none, all that the selection has are meant.
struct NamedUrls {
  SeedParts parts;
  bool IsAny() const { return !parts.parts.empty(); }
};

JobSpec SetUrlsSpec();

// What the parts refer to must outlive the request. `inputs` as for InjectRequest.
struct SetUrlsParts {
  const NamedUrls& named;
  const UrlOrder& order;
  const JobOptions& job;
  int threads = 1;
  Store* inputs = nullptr;
};
JobRequest SetUrlsRequest(const SetUrlsParts& parts);

// Counts as the job would, and writes nothing. This is no job, so whoever may only read the crawl may ask for it.
arrow::Result<JobOutput> CountSetUrls(Store* store, const Manifest& snapshot, const NamedUrls& named,
                                      const UrlOrder& order, const ScoringOptions& scoring, TimeMs now_ms,
                                      const StopToken& stop);

}  // namespace trawl
