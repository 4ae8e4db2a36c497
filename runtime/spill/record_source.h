// Sorted records, one after the other: merges read such sources and are such sources.
#pragma once

#include "arrow/result.h"
#include "runtime/spill/packed_record.h"

namespace trawl {

class RecordSource {
 public:
  virtual ~RecordSource() = default;
  // Returns the next record, valid until the next call; false at the end.
  virtual arrow::Result<bool> Next(PackedRecord* record) = 0;
};

}  // namespace trawl
