#include "jobs/cdxindex/archive_options.h"

#include <algorithm>
#include <iterator>

#include "arrow/status.h"
#include "runtime/process/status_detail.h"

namespace trawl {

using arrow::Status;

namespace {

bool Has(const std::vector<std::string>& words, const char* word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

Status CheckSubsets(const ArchiveOptions& options) {
  for (const std::string& subset : options.subsets) {
    if (std::find(std::begin(kArchiveSubsets), std::end(kArchiveSubsets), subset) == std::end(kArchiveSubsets)) {
      return UsageError("--subsets: '", subset.substr(0, 80), "' is none of warc, crawldiagnostics, robotstxt");
    }
  }
  return options.subsets.empty() ? UsageError("--subsets is empty; name one of warc, crawldiagnostics, robotstxt")
                                 : Status::OK();
}

Status CheckIndex(const ArchiveOptions& options) {
  for (const std::string& index : options.index) {
    if (index != "cdxj" && index != "parquet" && index != "orc" && index != "none") {
      return UsageError("--index: '", index.substr(0, 80), "' is none of cdxj, parquet, orc, none");
    }
  }
  if (Has(options.index, "parquet") && Has(options.index, "orc")) {
    return UsageError("--index: the columns are written as parquet or as orc, not as both");
  }
  return Has(options.index, "none") && options.index.size() > 1 ? UsageError("--index none stands alone")
                                                                : Status::OK();
}

}  // namespace

bool ArchiveOptions::HasSubset(const char* subset) const { return Has(subsets, subset); }
bool ArchiveOptions::HasIndex(const char* index_format) const { return Has(index, index_format); }

const OptionGroup<ArchiveOptions>& ArchiveOptionGroup() {
  static const auto group =
      OptionGroup<ArchiveOptions>("archive", "What is archived, and how it is written")
          .String("name", &ArchiveOptions::name, "name of this part of the archive", "NAME")
          .List("segments", &ArchiveOptions::segments, "only these; without it, all that are applied", "SEGMENT")
          .Time("since", &ArchiveOptions::since, "only segments whose lists were made since")
          .List("subsets", &ArchiveOptions::subsets, "which answers", "SUBSET")
          .Bool("text", &ArchiveOptions::text, "the text of pages as well, in WET files")
          .List("index", &ArchiveOptions::index, "cdxj, and parquet or orc; or none", "FORMAT")
          .Bool("verify", &ArchiveOptions::verify, "read all that is in DIR, and check it")
          .String("wacz", &ArchiveOptions::wacz, "make this file of finished records", "FILE")
          .String("prefix", &ArchiveOptions::prefix, "of --wacz: how the URLs begin", "URL")
          .Bool("overwrite", &ArchiveOptions::overwrite, "begin NAME anew, even a finished one")
          .AllMain()
          .Choice("revisits", &ArchiveOptions::revisits,
                  "what becomes of a body that the archive has already: a record that refers to it, or the body again",
                  {{"auto", RevisitPolicy::kRefer}, {"never", RevisitPolicy::kFull}})
          .Choice("digest", &ArchiveOptions::digest, "how records name blocks and payloads",
                  {{"sha1", ArchiveDigest::kSha1}, {"sha256", ArchiveDigest::kSha256}})
          .Int("level", &ArchiveOptions::level, "how hard gzip tries; other levels make other files", Between(1, 12))
          .Size("warc_size", &ArchiveOptions::warc_size, "a file ends with the capture that reaches this size",
                {.min = 1 << 20, .max = 2'000'000'000})
          .Int("block_lines", &ArchiveOptions::block_lines, "lines of the CDXJ index that are compressed together",
               Between(1, 100'000))
          .Must(CheckSubsets)
          .Must(CheckIndex);
  return group;
}

}  // namespace trawl
