// Our columns as Arrow's, for the writers of files.
#pragma once

#include <memory>
#include <vector>

#include "arrow/type_fwd.h"
#include "formats/tables/columns.h"

namespace trawl {

std::shared_ptr<arrow::DataType> ArrowTypeOf(ColumnType type);
std::shared_ptr<arrow::Schema> ArrowSchemaOf(const std::vector<ColumnSpec>& columns);

// The batch's rows as Arrow's, over the same memory. Valid until the batch is changed.
std::shared_ptr<arrow::RecordBatch> BorrowBatch(const std::shared_ptr<arrow::Schema>& schema,
                                                const BatchBuilder& batch);

}  // namespace trawl
