#include "jobs/cdxindex/cluster.h"

#include <charconv>
#include <string_view>

#include "jobs/cdxindex/archive_file.h"
#include "jobs/cdxindex/layout.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// Of a shard with blocks of a single line.
constexpr int64_t kMaxPartBytes = int64_t{8} << 30;

bool ReadNumber(std::string_view text, int64_t* number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *number);
  return error == std::errc() && end == text.data() + text.size();
}

// Reads a line of AppendBlock, without its line feed.
bool ReadBlock(std::string_view line, ZipNumBlock* block) {
  const size_t offset = line.find('\t');
  const size_t length = offset == std::string_view::npos ? offset : line.find('\t', offset + 1);
  if (length == std::string_view::npos) return false;
  block->first.assign(line.substr(0, offset));
  return ReadNumber(line.substr(offset + 1, length - offset - 1), &block->offset) &&
         ReadNumber(line.substr(length + 1), &block->length);
}

// Appends the lines of a shard's blocks to cluster.idx; `*blocks` counts those of all shards.
Status AddShard(Store* to, const std::string& name, int shard, int64_t* blocks, ArchiveFileWriter* file) {
  const std::string path = ClusterPart(name, shard);
  ARROW_ASSIGN_OR_RAISE(const std::string text, to->ReadWhole(path, kMaxPartBytes));
  const std::string part = ShardName(shard);
  std::string lines;
  ZipNumBlock block;
  for (std::string_view left = text; !left.empty();) {
    const size_t end = left.find('\n');
    if (end == std::string_view::npos || !ReadBlock(left.substr(0, end), &block)) {
      return Status::IOError(path, ": is damaged");
    }
    AppendClusterLine(block, part, ++*blocks, &lines);
    left.remove_prefix(end + 1);
  }
  return file->Write(lines);
}

}  // namespace

void AppendBlock(const ZipNumBlock& block, std::string* out) {
  *out += block.first + "\t" + std::to_string(block.offset) + "\t" + std::to_string(block.length) + "\n";
}

Result<std::vector<ArchiveFile>> WriteCluster(Store* to, const std::string& name, const std::vector<int>& shards) {
  const std::string folder = ArchivePaths(name).Cdxj() + "/";
  std::vector<ArchiveFile> files;
  ARROW_ASSIGN_OR_RAISE(const auto cluster, ArchiveFileWriter::Open(to, folder + "cluster.idx"));
  std::string places;
  int64_t blocks = 0;
  for (const int shard : shards) {
    ARROW_RETURN_NOT_OK(AddShard(to, name, shard, &blocks, cluster.get()));
    places += ShardName(shard) + "\t" + ShardName(shard) + "\n";
  }
  ARROW_ASSIGN_OR_RAISE(files.emplace_back(), cluster->Commit(blocks));
  ARROW_ASSIGN_OR_RAISE(const auto loc, ArchiveFileWriter::Open(to, folder + "cluster.loc"));
  ARROW_RETURN_NOT_OK(loc->Write(places));
  ARROW_ASSIGN_OR_RAISE(files.emplace_back(), loc->Commit(static_cast<int64_t>(shards.size())));
  return files;
}

}  // namespace trawl
