// The seeds that a command line names, opened: URLs, files, standard input. One thread.
#pragma once

#include <memory>
#include <vector>

#include "arrow/result.h"
#include "arrow/status.h"
#include "jobs/inject/seed_files.h"
#include "jobs/verb/verb.h"

namespace trawl {

// A copy of an input that can be read only once.
class SpooledInput;

// Opened before there is a crawl to put them into, so that a misspelt name leaves no crawl behind. Standard input and
// pipes are copied to files without names, which last as long as this, so that a job may read them again.
class OpenSeeds {
 public:
  // Opens the verb's arguments. UsageError for one that is neither a URL with a scheme nor a file,
  // and where there is none. Of an archive (`from`) only files are read, of this machine or, by a URI, of a store.
  static arrow::Result<OpenSeeds> Open(VerbContext& context, SeedsFrom from = SeedsFrom::kList);
  OpenSeeds(OpenSeeds&&) noexcept;
  ~OpenSeeds();

  const SeedParts& parts() const { return parts_; }

 private:
  OpenSeeds();
  arrow::Status Spool(VerbContext& context, SeedSources* sources);

  SeedParts parts_;
  std::vector<std::unique_ptr<SpooledInput>> spooled_;
};

}  // namespace trawl
