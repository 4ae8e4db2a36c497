#include "jobs/cdxindex/layout.h"

#include <cstdio>

#include "formats/documents/archive_begin.h"

namespace trawl {

namespace {

std::string FiveDigits(int number) {
  char text[16];
  std::snprintf(text, sizeof text, "%05d", number);
  return text;
}

}  // namespace

std::string ShardName(int shard) { return "cdx-" + FiveDigits(shard) + ".gz"; }

std::string TableFolder(const std::string& name) {
  const std::string subset = ArchivePaths(name).Columns("");
  return subset.substr(0, subset.rfind('/'));
}
std::string TablePart(const std::string& name, const std::string& subset, int part, const char* ending) {
  return ArchivePaths(name).Columns(subset) + "/part-" + FiveDigits(part) + "." + ending;
}

std::string ClusterFolder(const std::string& name) { return ArchivePaths(name).Own() + "/cluster"; }
std::string ClusterPart(const std::string& name, int shard) {
  return ClusterFolder(name) + "/part-" + FiveDigits(shard) + ".idx";
}
std::string IndexRecordPath(const std::string& name) { return ArchivePaths(name).Own() + "/index.json"; }

}  // namespace trawl
