#include "jobs/cdxindex/capture_files.h"

#include <algorithm>
#include <utility>

#include "arrow/io/interfaces.h"
#include "formats/rows/row_codec.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// Blocks whose keys are looked at, over all files. Each costs a store a few requests.
constexpr int64_t kSampledBlocks = 1000;
// Keys taken from the beginning of a block.
constexpr int64_t kKeysABlock = 1024;

Status SampleBlock(OrcReader* reader, int64_t row, std::vector<std::string>* keys) {
  ARROW_RETURN_NOT_OK(reader->Scan(row, Columns<CaptureRow>({"key"}).Flags(), kKeysABlock));
  ColumnBatch batch;
  ARROW_ASSIGN_OR_RAISE(const bool more, reader->Next(&batch));
  CaptureRow capture;
  for (int64_t i = 0; more && i < batch.rows; ++i) {
    ReadFromBatch(batch, i, &capture);
    keys->push_back(capture.key);
  }
  return Status::OK();
}

// Reads every n-th block of all files, so that about kSampledBlocks are read.
Result<std::vector<std::string>> SampleKeys(Store* store, const std::string& folder,
                                            const std::vector<FileReceipt>& files) {
  const auto blocks_of = [](const FileReceipt& file) { return (file.rows + kOrcStride - 1) / kOrcStride; };
  int64_t blocks = 0;
  for (const FileReceipt& file : files) blocks += blocks_of(file);
  const int64_t step = std::max<int64_t>(1, blocks / kSampledBlocks);
  std::vector<std::string> keys;
  int64_t next = 0;  // the next block to read, counted from the first one of the file
  for (const FileReceipt& file : files) {
    const int64_t within = blocks_of(file);
    if (next < within) {
      ARROW_ASSIGN_OR_RAISE(const auto reader, OpenCaptures(store, folder, file));
      for (; next < within; next += step) ARROW_RETURN_NOT_OK(SampleBlock(reader.get(), next * kOrcStride, &keys));
    }
    next -= within;
  }
  return keys;
}

}  // namespace

Result<std::unique_ptr<OrcReader>> OpenCaptures(Store* store, const std::string& folder, const FileReceipt& file) {
  const std::string path = folder + "/" + file.name;
  ARROW_ASSIGN_OR_RAISE(auto bytes, store->OpenVerified(path, file.seal));
  ARROW_ASSIGN_OR_RAISE(auto reader, OrcReader::Open(std::move(bytes), path, ColumnsOf<CaptureRow>()));
  if (reader->rows() != file.rows) {
    return Status::IOError(path, ": has ", reader->rows(), " rows, its receipt says ", file.rows);
  }
  return reader;
}

Result<std::vector<std::string>> SplitKeys(Store* store, const std::string& folder,
                                           const std::vector<FileReceipt>& files, int64_t ranges) {
  std::vector<std::string> splits;
  if (ranges <= 1) return splits;
  ARROW_ASSIGN_OR_RAISE(std::vector<std::string> keys, SampleKeys(store, folder, files));
  std::sort(keys.begin(), keys.end());
  const auto ranges_asked = static_cast<size_t>(ranges);
  for (size_t range = 1; range < ranges_asked && !keys.empty(); ++range) {
    const std::string& key = keys[range * keys.size() / ranges_asked];
    // The first range keeps the first key, and each other one begins with a key of its own.
    if (key > (splits.empty() ? keys.front() : splits.back())) splits.push_back(key);
  }
  return splits;
}

int RangeOfKey(const std::vector<std::string>& splits, std::string_view key) {
  const auto after = std::upper_bound(splits.begin(), splits.end(), key);
  return static_cast<int>(after - splits.begin());
}

}  // namespace trawl
