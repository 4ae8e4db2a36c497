// The folder of an archive: which NAMEs it has, and how far each is. A NAME's own documents lie in DIR/_trawl/NAME; what
// stands at the top (_archive.json, _SUCCESS) is made of them again whenever one of them changes. One thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "arrow/status.h"
#include "formats/documents/archive_begin.h"
#include "runtime/store/store.h"

namespace trawl {

// How a NAME ended.
struct ArchiveEnd {
  std::map<std::string, int64_t> counts;  // of all parts, as in ArchivePart
  std::vector<ArchiveFile> files;         // all that others read, sorted by path
  std::vector<FileReceipt> captures;      // in ArchivePaths::Captures
  std::vector<FileReceipt> originals;     // in ArchivePaths::Originals
};

// The counts of a kind, "records" or "skipped", without it in their names.
Json CountsOf(const ArchiveEnd& end, const std::string& kind);

struct KnownArchive {
  ArchiveBegin begin;
  std::optional<ArchiveEnd> end;  // nothing: it is not finished
};

class ArchiveFolder {
 public:
  // `to` outlives the object.
  static arrow::Result<ArchiveFolder> Read(Store* to);
  // UsageError where the folder is not empty and has no archive in it: what is there belongs to somebody else.
  arrow::Status CheckMayArchive() const;

  // IOError where an archive is there, but _trawl/ is gone from it: says what to do.
  arrow::Status CheckOwnFolder() const;

  // In the order of their names.
  const std::map<std::string, KnownArchive>& archives() const { return archives_; }
  const KnownArchive* Find(const std::string& name) const;

  // Begins a NAME that is not there. While any NAME is not finished, there is no _SUCCESS.
  arrow::Status Begin(const ArchiveBegin& begin);
  // REQUIRES: it was begun.
  arrow::Status End(const std::string& name, ArchiveEnd end);
  // Removes all that belongs to the NAME, its beginning last.
  arrow::Status Remove(const std::string& name);
  // Removes all but its beginning: it is unfinished, and nothing of it is made. REQUIRES: it was begun.
  arrow::Status Reset(const std::string& name);
  // Makes the documents at the top as they should be.
  arrow::Status WriteTop();
  // What is wrong with them; a sentence for each fault.
  arrow::Result<std::vector<std::string>> FaultsOfTop() const;

 private:
  explicit ArchiveFolder(Store* to) : to_(to) {}

  Store* to_;
  std::map<std::string, KnownArchive> archives_;
};

// The outcome of the first job, kept for an interrupted second one. Nothing where a file of it is gone.
arrow::Result<std::optional<std::vector<FileReceipt>>> ReadDecisions(Store* to, const std::string& name);
arrow::Status WriteDecisions(Store* to, const std::string& name, const std::vector<FileReceipt>& files);

// The parts that are there and whole: their files have the sizes that their receipts say. Removes the receipt and the
// files of the others.
arrow::Result<std::map<int, ArchivePart>> ReadWholeParts(Store* to, const std::string& name);

}  // namespace trawl
