// What an archive of one NAME is to be, written down before its first record: all that decides the bytes of its files.
// docs/storage.md shows one. Pure; any thread.
//
//   DIR/_archive.json                 the beginnings of all NAMEs of the folder, and which of them are finished
//   DIR/_trawl/NAME/begin.json        the beginning of one
//   DIR/_trawl/NAME/bodies.json       the outcome of the first job
//   DIR/_trawl/NAME/part-00000.json   the files of one part of the second job (ArchivePart)
//   DIR/_trawl/NAME/end.json          the end: counts, and the digest of every file
//   DIR/_SUCCESS                      the ends of all NAMEs; absent while any is unfinished
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/json.h"
#include "formats/documents/receipt.h"

namespace trawl {

// A segment that is archived.
struct ArchiveSegment {
  std::string id;
  int64_t begin_ms = 0;  // when its lists were made: the date of warcinfo records
  int64_t end_ms = 0;    // when all its answers were there
  bool operator==(const ArchiveSegment&) const = default;
};

struct ArchiveBegin {
  std::string name;
  int64_t snapshot = 0;
  std::string seal;                      // of the snapshot's manifest
  int64_t as_of_ms = 0;                  // when the snapshot was published: the time by which pages are judged
  std::string version;                   // of the program
  std::vector<ArchiveSegment> segments;  // in the order in which they were applied
  std::vector<std::string> earlier;      // NAMEs whose records revisits may point to, all finished
  std::string operator_contact;
  std::string user_agent;
  std::string robots;  // "obey (RFC 9309)"
  // What was asked for, by the options' names: equal for the same command.
  std::map<std::string, std::string> asked;
  bool operator==(const ArchiveBegin&) const = default;
};

Json ToJson(const ArchiveBegin& begin);
arrow::Result<ArchiveBegin> ArchiveBeginFromJson(const Json& json);

// A file for readers, below DIR.
struct ArchiveFile {
  std::string path;
  int64_t size_bytes = 0;
  std::string sha256;   // in hex
  int64_t records = 0;  // of a WARC file, warcinfo included; lines or rows of an index
  bool operator==(const ArchiveFile&) const = default;
};

Json ToJson(const ArchiveFile& file);
arrow::Result<ArchiveFile> ArchiveFileFromJson(const Json& json);

// What the task of one part wrote.
struct ArchivePart {
  int number = 0;
  std::vector<ArchiveFile> files;  // WARC and WET files
  // Files of CaptureRow and OriginalRow in the folders of ArchivePaths; not sorted.
  std::vector<FileReceipt> captures;
  std::vector<FileReceipt> originals;
  // "records.response", "captures.warc", "skipped.noarchive", "bytes.warc", …
  std::map<std::string, int64_t> counts;
  bool operator==(const ArchivePart&) const = default;
};

Json ToJson(const ArchivePart& part);
arrow::Result<ArchivePart> ArchivePartFromJson(const Json& json);

// The paths of one NAME below DIR. `name` outlives the object.
class ArchivePaths {
 public:
  explicit ArchivePaths(const std::string& name) : name_(name) {}

  static std::string Folder() { return "_trawl"; }
  std::string Own() const { return Folder() + "/" + name_; }
  std::string Begin() const { return Own() + "/begin.json"; }
  std::string Bodies() const { return Own() + "/bodies.json"; }
  std::string Part(int number) const;
  std::string End() const { return Own() + "/end.json"; }
  std::string Captures() const { return Own() + "/captures"; }
  std::string Originals() const { return Own() + "/originals"; }
  std::string Revisits() const { return Own() + "/revisits"; }

  // "crawl-data/NAME"
  std::string Data() const { return "crawl-data/" + name_; }
  // The file `number` of a part; `subset` may be "wet".
  std::string WarcFile(const ArchiveSegment& segment, const std::string& subset, int part, int number) const;
  // "crawl-data/NAME/warc.paths.gz"
  std::string PathsFile(const std::string& what) const { return Data() + "/" + what + ".paths.gz"; }
  // "cc-index/collections/NAME/indexes"
  std::string Cdxj() const { return "cc-index/collections/" + name_ + "/indexes"; }
  // "cc-index/table/trawl/warc/crawl=NAME/subset=warc"
  std::string Columns(const std::string& subset) const {
    return "cc-index/table/trawl/warc/crawl=" + name_ + "/subset=" + subset;
  }

 private:
  const std::string& name_;
};

// "20260101120000"
std::string Timestamp14(int64_t time_ms);

}  // namespace trawl
