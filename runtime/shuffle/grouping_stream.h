// Turns sorted records from any source into the groups that a reducer reads.
#pragma once

#include <string>
#include <string_view>

#include "runtime/shuffle/record_stream.h"

namespace trawl {

class GroupingStream : public GroupStream {
 public:
  arrow::Result<bool> NextGroup() final;
  std::string_view key() const final { return key_; }
  arrow::Result<bool> NextValue(std::string_view* value) final;

 protected:
  // Reads the next record, valid until the next call; false at the end, after which it is not called again. key() is
  // still the key of the record before.
  virtual arrow::Result<bool> NextRecord(std::string_view* key, std::string_view* value) = 0;

 private:
  arrow::Result<bool> Fill();

  std::string key_;
  // Read but not handed out, where `has_record_`.
  std::string_view next_key_;
  std::string_view next_value_;
  bool has_record_ = false;
  bool in_group_ = false;  // the group may have more values
  bool at_end_ = false;
};

}  // namespace trawl
