// Which files of a finished NAME are not there as they were written, by names and sizes alone: nothing is read. One thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "arrow/result.h"
#include "arrow/status.h"
#include "jobs/archive/folder.h"
#include "runtime/store/store.h"

namespace trawl {

enum class FilesNeeded {
  kAll,
  kOriginals,  // what a revisit of another NAME needs: WARC files, and the rows of originals
};

// A sentence for each: "crawl-data/…warc.gz: is missing".
arrow::Result<std::vector<std::string>> LackingFiles(Store* to, const std::string& name, const ArchiveEnd& end,
                                                     FilesNeeded needed);

// "3 files of N1 are not as they were written; the first is …".
std::string LackText(const std::string& name, const std::vector<std::string>& lacking);

// The command on a NAME of the folder, as somebody types it: "trawl archive ./warcs --name N1 --overwrite". `more` may be
// empty.
std::string ArchiveCommand(const std::string& directory, const std::string& name, std::string_view more);

bool IsWarcFile(const std::string& path);

// Says what to do where the disk is full; another status stays as it is.
arrow::Status WithAdviceOnSpace(const arrow::Status& status);

}  // namespace trawl
