// The places of an archive's indexes, beside those of formats/documents/archive_begin.h. Pure; any thread.
#pragma once

#include <string>

namespace trawl {

// "cdx-00000.gz", in the folder ArchivePaths::Cdxj().
std::string ShardName(int shard);
// "cc-index/table/trawl/warc/crawl=NAME", and below it "subset=…/part-00000.parquet".
std::string TableFolder(const std::string& name);
std::string TablePart(const std::string& name, const std::string& subset, int part, const char* ending);

// "_trawl/NAME/cluster": what the shards know of their blocks.
std::string ClusterFolder(const std::string& name);
std::string ClusterPart(const std::string& name, int shard);
// "_trawl/NAME/index.json": what the indexes were made of, and their files.
std::string IndexRecordPath(const std::string& name);

}  // namespace trawl
