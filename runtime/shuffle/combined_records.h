// The sorted records of one partition, with those of equal keys combined. One thread. Used only by the shuffle.
//
// Where that left fewer records, a note follows the last of them which says how many less: trailers tell a reducer how
// many records were sent (runtime/shuffle/trailer.h).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "arrow/result.h"
#include "arrow/status.h"
#include "runtime/shuffle/combiner.h"
#include "runtime/spill/record_source.h"
#include "runtime/spill/spill_merge.h"

namespace trawl {

class CombinedRecords : public RecordSource, private CombinedValues {
 public:
  // The combiner outlives this object. Adds to `*combined` how many records less there are; null: nobody counts.
  CombinedRecords(std::unique_ptr<RecordSource> source, Combiner* combiner, int64_t* combined)
      : source_(std::move(source)), combiner_(combiner), combined_(combined) {}

  arrow::Result<bool> Next(PackedRecord* record) override;

 private:
  arrow::Status Give(std::string_view value) override;
  arrow::Status Advance();
  arrow::Status Fill();
  arrow::Status TakeNext();
  arrow::Status GoOn();
  arrow::Status EndKey();
  void GiveNote();
  bool is_in_key() const { return has_next_ && next_.key() == key_; }

  const std::unique_ptr<RecordSource> source_;
  Combiner* const combiner_;
  int64_t* const combined_;

  PackedRecord next_;  // of the source, not yet taken, where `has_next_`
  bool has_next_ = false;
  bool started_ = false;

  std::string given_;  // packed records that go out before anything else
  size_t given_at_ = 0;

  // The key that is being combined, where `combines_`.
  bool combines_ = false;
  std::string key_;
  size_t largest_ = 0;  // of the values taken
  int64_t taken_ = 0, given_back_ = 0;
  int64_t less_ = 0;  // records less than came, not yet noted
};

// Returns what wraps a source so (SpillMerge::wrap); empty where there is no combiner.
WrapRecords CombinesRecords(Combiner* combiner, int64_t* combined);

}  // namespace trawl
