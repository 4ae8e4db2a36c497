// Which segments a NAME is to have, and what else stands in its beginning. One thread.
#pragma once

#include "arrow/result.h"
#include "formats/documents/archive_begin.h"
#include "jobs/archive/folder.h"
#include "jobs/cdxindex/archive_options.h"
#include "jobs/policy/fetch_options.h"
#include "jobs/signals/respect.h"
#include "runtime/root/snapshot.h"

namespace trawl {

struct ArchiveAsked {
  ArchiveOptions archive;
  FetchOptions fetch;
  RespectOptions respect;
};

// The options that decide an archive's bytes, as texts.
std::map<std::string, std::string> TextsOf(const ArchiveAsked& asked);
// "--archive.level 6, not 9": how two commands differ; empty: not at all.
std::string DifferenceOf(const std::map<std::string, std::string>& begun,
                         const std::map<std::string, std::string>& now);

// A name that can stand in paths, and in names of files.
arrow::Status CheckArchiveName(const std::string& name);

// Chooses the applied segments that were asked for. A segment of which another NAME of the folder has one of the subsets is
// not chosen; it is a UsageError where it was named. Without segments the result has none.
arrow::Result<ArchiveBegin> ChooseArchive(Store* store, const Snapshot& snapshot, const ArchiveFolder& folder,
                                          const ArchiveAsked& asked);

}  // namespace trawl
