// Sorted records as the groups that a reducer reads.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "runtime/record_source.h"
#include "runtime/record_stream.h"

namespace trawl {

class GroupedRecords : public GroupStream {
 public:
  // `stop`, where given, outlives it; once it is set, reading is Cancelled.
  GroupedRecords(std::unique_ptr<RecordSource> records, const std::atomic<bool>* stop)
      : records_(std::move(records)), stop_(stop) {}

  arrow::Result<bool> NextGroup() override;
  std::string_view key() const override { return key_; }
  arrow::Result<bool> NextValue(std::string_view* value) override;

 private:
  // Reads a record to `record_` where none is waiting there; false at the end.
  arrow::Result<bool> Fill();

  const std::unique_ptr<RecordSource> records_;
  const std::atomic<bool>* const stop_;
  std::string key_;
  PackedRecord record_;
  bool has_record_ = false;  // `record_` has been read but not handed out
  bool in_group_ = false;    // the group may have more values
  bool at_end_ = false;
};

}  // namespace trawl
