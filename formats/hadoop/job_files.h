// The files of a MapReduce job that its client leaves for the application master: job.split, job.splitmetainfo, job.xml.
//
//   job.split           "SPL", version (4 bytes, big-endian); for each split: name of its class, name of its file, offset
//                       and length (8 bytes each, big-endian)
//   job.splitmetainfo   "META-SPL", version, number of splits; for each: number of hosts (always 0 here), where it begins
//                       in job.split, length of its data
//   job.xml             the settings, as in Hadoop's *-site.xml
//
// Names have their size before them. That size, and the numbers of job.splitmetainfo, are Hadoop's variable numbers:
// -112 … 127 in one byte; above it a byte -112 - n, and then n bytes, big-endian. For a split of "hdfs://h/c", 0 … 3:
//
//   53 50 4C · 00 00 00 01 · 22 "org.apache.hadoop.mapred.FileSplit" · 0A "hdfs://h/c" · 00 … 00 · 00 … 03
//   4D 45 54 41 2D 53 50 4C · 01 · 01 · 00 07 03
//
// Pure; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "arrow/result.h"

namespace trawl {

struct FileSplit {
  int64_t begin = 0;
  int64_t size_bytes = 0;
  bool operator==(const FileSplit&) const = default;
};

// Returns a split for each line of a text, as NLineInputFormat cuts it and the client orders it: larger ones first, else as
// they come. A split begins one byte early and ends one byte early, because its reader goes on to the end of a line that
// begins in it.
std::vector<FileSplit> LineSplits(std::string_view text);

struct SplitFiles {
  std::string splits;     // job.split
  std::string meta_info;  // job.splitmetainfo
};
// `file` is the whole name of the file that they are parts of.
SplitFiles SplitFilesOf(const std::string& file, const std::vector<FileSplit>& splits);

struct JobSetting {
  std::string name;
  std::string value;
  std::string source;
  bool is_final = false;
};
// Returns job.xml. Of settings of one name the last one counts. Invalid for characters that XML cannot hold.
arrow::Result<std::string> JobXml(const std::vector<JobSetting>& settings);

}  // namespace trawl
