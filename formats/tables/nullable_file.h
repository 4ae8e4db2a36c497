// A file whose columns others defined, with missing values and types that the tables of a crawl do not have
// (formats/tables/columns.h). Written, never read. One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "arrow/io/type_fwd.h"
#include "arrow/result.h"
#include "arrow/status.h"

namespace trawl {

enum class NullableType : uint8_t { kText, kInt16, kInt32, kMillis };
enum class NullableFormat : uint8_t { kParquet, kOrc };

struct NullableColumn {
  const char* name;
  NullableType type;
  bool is_nullable;
};

class NullableFile {
 public:
  // Parquet has gzip, ORC zlib. `sink` outlives the file and is not closed; `name` is for messages.
  static arrow::Result<std::unique_ptr<NullableFile>> Make(std::shared_ptr<arrow::io::OutputStream> sink,
                                                           std::string name, const std::vector<NullableColumn>& columns,
                                                           NullableFormat format);
  ~NullableFile();

  // The values of a row, column after column. REQUIRES: a value of the column's type; kMillis is an int; null only where the column takes it.
  void Text(std::string_view value);
  void Int(int64_t value);
  void Null();
  // Null where it is empty.
  void TextOrNull(std::string_view value) { value.empty() ? Null() : Text(value); }

  // REQUIRES: each column has its value.
  arrow::Status EndRow();
  // Writes the footer. Fails when any EndRow failed.
  arrow::Status Close();

 private:
  struct State;
  explicit NullableFile(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace trawl
