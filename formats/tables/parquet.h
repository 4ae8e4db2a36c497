// Parquet files, which Trawl writes for others and never reads. This is the only door to libparquet.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "arrow/io/type_fwd.h"
#include "arrow/result.h"
#include "arrow/status.h"
#include "formats/tables/columns.h"

namespace trawl {

class ParquetWriter {
 public:
  // `sink` outlives the writer and is not closed; `name` is for messages.
  static arrow::Result<std::unique_ptr<ParquetWriter>> Make(std::shared_ptr<arrow::io::OutputStream> sink,
                                                            std::string name, const std::vector<ColumnSpec>& columns);
  ~ParquetWriter();

  arrow::Status Write(const BatchBuilder& batch);
  // Writes the footer. Fails when any Write failed.
  arrow::Status Close();

 private:
  struct State;
  explicit ParquetWriter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace trawl
