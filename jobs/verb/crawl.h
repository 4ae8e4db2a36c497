// The crawl that a verb works on: its store, its present or another snapshot, and the way to run jobs on it.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "arrow/result.h"
#include "formats/url/normal.h"
#include "jobs/verb/verb.h"
#include "runtime/job/job.h"
#include "runtime/job/runner.h"
#include "runtime/root/snapshot.h"
#include "runtime/store/store.h"

namespace trawl {

// Constants of a crawl, decided when it is made.
struct NewCrawlOptions {
  NormalForm normal_form = NormalForm::kStandard;
};
const OptionGroup<NewCrawlOptions>& NewCrawlOptionGroup();

// The store at --root.
arrow::Result<std::unique_ptr<Store>> OpenRoot(const VerbContext& context);

class Crawl {
 public:
  // Opens the crawl at --root and puts the settings of its present below the verb's options.
  static arrow::Result<std::unique_ptr<Crawl>> Open(VerbContext& context);
  // The same, but makes the crawl first where there is none.
  static arrow::Result<std::unique_ptr<Crawl>> OpenOrCreate(VerbContext& context);
  // Opens the snapshot that --snapshot names, for verbs that look.
  static arrow::Result<std::unique_ptr<Crawl>> OpenAt(VerbContext& context);

  Store* store() const { return store_.get(); }
  // The manifest as it was when the crawl was opened.
  const Snapshot& snapshot() const { return snapshot_; }
  const Manifest& manifest() const { return snapshot_.manifest; }
  NormalForm normal_form() const { return normal_form_; }

  // UsageError where the options ask for another --url_policy than the crawl was made with. REQUIRES: NewCrawlOptionGroup
  // is among the verb's groups.
  arrow::Status CheckConstants(const VerbContext& context) const;

  // Publishes a change of the manifest alone.
  arrow::Result<JobResult> Change(VerbContext& context, const std::string& verb,
                                  const std::function<arrow::Result<bool>(Manifest* next)>& change);

  // Runs a job with the verb's options. REQUIRES: JobOptionGroup is among the verb's groups.
  arrow::Result<JobResult> Run(VerbContext& context, const JobRequest& request);
  // Calls `work` with the environment of a job, for work that runs jobs of its own. `here`: they run on this machine,
  // whatever the options say.
  arrow::Status RunWith(VerbContext& context,
                        const std::function<arrow::Status(const JobEnvironment& environment)>& work, bool here = false);

 private:
  Crawl() = default;
  arrow::Status Start(VerbContext& context, int64_t number);
  JobEnvironment EnvironmentOf(VerbContext& context) const;

  std::unique_ptr<Store> store_;
  Snapshot snapshot_;
  NormalForm normal_form_ = NormalForm::kStandard;
};

}  // namespace trawl
