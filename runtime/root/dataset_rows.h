// Reads single rows of a segment's dataset, by file and number. Cheap where numbers ascend within a file. One thread.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arrow/result.h"
#include "runtime/root/segment_data.h"

namespace trawl {

// The numbers of a key's rows in a file of a dataset, in ascending order.
template <typename Row>
arrow::Result<std::vector<int64_t>> RowNumbersOfKey(Store* store, const std::string& segment,
                                                    const std::string& dataset, const FileReceipt& file,
                                                    const std::string& key) {
  std::vector<int64_t> numbers;
  int64_t number = 0;
  const auto look = [&](const Row& row) {
    if (row.key == key) numbers.push_back(number);
    ++number;
    return arrow::Status::OK();
  };
  ARROW_RETURN_NOT_OK(ForEachDatasetRow<Row>(store, segment, dataset, file, look,
                                             {.columns = {"key"}, .batch_rows = kNarrowBatchRows}));
  return numbers;
}

template <typename Row>
class DatasetRows {
 public:
  DatasetRows(Store* store, std::string segment, std::string dataset, const std::vector<FileReceipt>& files,
              int64_t batch_rows)
      : store_(store), segment_(std::move(segment)), dataset_(std::move(dataset)), batch_rows_(batch_rows) {
    for (const FileReceipt& file : files) files_[file.name] = file;
  }

  // IndexError where the dataset has no such file or row.
  arrow::Status Read(const std::string& file, int64_t number, Row* row) {
    if (reader_ == nullptr || file != file_) ARROW_RETURN_NOT_OK(Open(file));
    if (number < batch_.first_row || number >= batch_.first_row + batch_.rows + kOrcStride) {
      ARROW_RETURN_NOT_OK(reader_->Scan(number, {}, batch_rows_));
      batch_ = {};
    }
    while (number >= batch_.first_row + batch_.rows) {
      ARROW_ASSIGN_OR_RAISE(const bool more, reader_->Next(&batch_));
      if (!more) {
        reader_.reset();
        return arrow::Status::IndexError(segment_, ": ", dataset_, " file ", file, " has no row ", number);
      }
    }
    ReadFromBatch(batch_, number - batch_.first_row, row);
    return arrow::Status::OK();
  }

 private:
  arrow::Status Open(const std::string& file) {
    const auto found = files_.find(file);
    if (found == files_.end()) return arrow::Status::IndexError(segment_, ": ", dataset_, " has no file ", file);
    reader_.reset();
    ARROW_ASSIGN_OR_RAISE(reader_, OpenDatasetFile(store_, segment_, dataset_, found->second, ColumnsOf<Row>()));
    file_ = file;
    batch_ = {};
    return reader_->Scan(0, {}, batch_rows_);
  }

  Store* store_;
  std::string segment_, dataset_;
  int64_t batch_rows_;
  std::map<std::string, FileReceipt> files_;
  std::string file_;
  std::unique_ptr<OrcReader> reader_;
  ColumnBatch batch_;
};

}  // namespace trawl
