// ORC files. This is the only door to Arrow's ORC adapter.
//
// Callers never see the adapter's mistakes: a Close that reports success after a failed Write, a Close that throws, an
// empty file without a footer, a Seek that fails for rows without an entry in the row index. Every error names the
// file. A writer or reader belongs to one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "arrow/io/type_fwd.h"
#include "arrow/result.h"
#include "arrow/status.h"
#include "formats/tables/columns.h"

namespace trawl {

// Rows between two entries of the row index; a scan starts at a multiple of it.
inline constexpr int64_t kOrcStride = 8192;

struct OrcWriteOptions {
  // The memory that a stripe may take before it is written.
  int64_t stripe_bytes = 16 << 20;
  int64_t block_bytes = 256 << 10;
  bool is_compressed = true;
};

class OrcWriter {
 public:
  // `sink` outlives the writer; `name` is for messages. The sink is not closed.
  static arrow::Result<std::unique_ptr<OrcWriter>> Make(arrow::io::OutputStream* sink, std::string name,
                                                        const std::vector<ColumnSpec>& columns,
                                                        OrcWriteOptions options);
  ~OrcWriter();

  arrow::Status Write(const BatchBuilder& batch);
  // Writes the footer. Fails when any Write failed.
  arrow::Status Close();

 private:
  struct State;
  explicit OrcWriter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

class OrcReader {
 public:
  // Reads the footer. `columns` are the table's. A column that the file lacks is absent; a column of another type is an
  // error.
  static arrow::Result<std::unique_ptr<OrcReader>> Open(std::shared_ptr<arrow::io::RandomAccessFile> file,
                                                        std::string name, std::vector<ColumnSpec> columns);
  ~OrcReader();

  int64_t rows() const;

  // Goes to the last multiple of kOrcStride at or before `row`. From there it reads the columns whose flag in `wanted`
  // is set, in batches of up to `batch_rows`. `wanted` has one flag per column of the table; empty means all. May be
  // called again.
  arrow::Status Scan(int64_t row, const std::vector<bool>& wanted, int64_t batch_rows);

  // The next batch of the scan; false at the end. The batch does not depend on the reader.
  arrow::Result<bool> Next(ColumnBatch* batch);

 private:
  struct State;
  explicit OrcReader(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace trawl
