// A door of jobs/cdxindex: what trawl archive writes, and how. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/options/options.h"
#include "runtime/process/clock.h"

namespace trawl {

// How records name blocks and payloads.
enum class ArchiveDigest : int8_t { kSha1 = 0, kSha256 = 1 };

// Whether a body that the archive has already is written once more.
enum class RevisitPolicy : int8_t { kRefer = 0, kFull = 1 };

// The names of subsets, as folders and options have them.
inline constexpr char kWarcSubset[] = "warc";
inline constexpr char kDiagnosticsSubset[] = "crawldiagnostics";
inline constexpr char kRobotsSubset[] = "robotstxt";
inline constexpr const char* kArchiveSubsets[] = {kWarcSubset, kDiagnosticsSubset, kRobotsSubset};

struct ArchiveOptions {
  std::string name;
  std::vector<std::string> segments;  // empty: all that are applied
  TimeMs since = kNoTime;             // the segments whose lists were made at that time or later
  std::vector<std::string> subsets = {kWarcSubset, kDiagnosticsSubset, kRobotsSubset};
  ArchiveDigest digest = ArchiveDigest::kSha1;
  int32_t level = 6;  // of gzip
  int64_t warc_size = 1'000'000'000;
  RevisitPolicy revisits = RevisitPolicy::kRefer;
  bool text = false;                                     // WET files, too
  std::vector<std::string> index = {"cdxj", "parquet"};  // "cdxj", "parquet" or "orc"; "none" alone
  int32_t block_lines = 3000;
  bool verify = false;
  std::string wacz;    // a file to make, of what is finished
  std::string prefix;  // of the URLs that go into it
  bool overwrite = false;

  bool HasSubset(const char* subset) const;
  bool HasIndex(const char* index_format) const;
};
const OptionGroup<ArchiveOptions>& ArchiveOptionGroup();

}  // namespace trawl
