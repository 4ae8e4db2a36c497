// Sorted records, one after the other: what merges read and are.
#pragma once

#include "arrow/result.h"
#include "runtime/spill/packed_record.h"

namespace trawl {

class RecordSource {
 public:
  virtual ~RecordSource() = default;
  // The next record, valid until the next call; false at the end.
  virtual arrow::Result<bool> Next(PackedRecord* record) = 0;
};

}  // namespace trawl
