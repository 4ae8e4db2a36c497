// The streams between map and reduce, whichever runner carries them: start here when writing a mapper or a reducer.
//
// A mapper sends records to a RecordSink; a reducer reads a GroupStream: the records of its partition by key, in the
// order of the keys' unsigned bytes. The values of one key come in no promised order. Each object belongs to one
// thread.
#pragma once

#include <string_view>

#include "arrow/result.h"
#include "arrow/status.h"

namespace trawl {

class RecordSink {
 public:
  virtual ~RecordSink() = default;
  // Sends one record to a partition, 0 … partitions − 1. Key and value are copied before it returns. After a failure
  // the sink takes nothing more.
  virtual arrow::Status Emit(int partition, std::string_view key, std::string_view value) = 0;
};

// The sink of a map task in a job without partitions: it accepts no record.
class NoRecordSink : public RecordSink {
 public:
  arrow::Status Emit(int, std::string_view, std::string_view) override {
    return arrow::Status::Invalid("a job without partitions sent a record");
  }
};

class GroupStream {
 public:
  virtual ~GroupStream() = default;
  // Goes to the next key, past the unread values of the current one. Returns false at the end, and from then on.
  virtual arrow::Result<bool> NextGroup() = 0;
  // The current key; valid until NextGroup is called again. REQUIRES: NextGroup returned true.
  virtual std::string_view key() const = 0;
  // Reads the next value of the current key; false when there is no more. `*value` is valid until the next call.
  virtual arrow::Result<bool> NextValue(std::string_view* value) = 0;
};

}  // namespace trawl
