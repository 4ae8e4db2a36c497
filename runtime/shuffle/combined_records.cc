#include "runtime/shuffle/combined_records.h"

#include <algorithm>

#include "runtime/shuffle/trailer.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

Result<bool> CombinedRecords::Next(PackedRecord* record) {
  if (!started_) ARROW_RETURN_NOT_OK(Advance());
  started_ = true;
  while (given_at_ == given_.size()) {
    given_.clear();
    given_at_ = 0;
    if (!combines_ && !has_next_ && less_ == 0) return false;
    ARROW_RETURN_NOT_OK(Fill());
  }
  *record = UnpackRecord(given_.data() + given_at_);
  given_at_ += record->size();
  return true;
}

Status CombinedRecords::Fill() {
  if (combines_) return GoOn();
  const bool is_over = !has_next_ || next_.key() >= kTrailerKey;
  if (is_over && less_ > 0) {
    GiveNote();
    return Status::OK();
  }
  return TakeNext();
}

Status CombinedRecords::Advance() {
  ARROW_ASSIGN_OR_RAISE(has_next_, source_->Next(&next_));
  return Status::OK();
}

// Most keys have one record, which is copied: it must not go away when the record after it is read.
Status CombinedRecords::TakeNext() {
  given_.assign(next_.bytes());
  const PackedRecord taken = UnpackRecord(given_.data());
  ARROW_RETURN_NOT_OK(Advance());
  if (!has_next_ || next_.key() != taken.key() || taken.key() >= kTrailerKey) return Status::OK();
  const std::string first = std::move(given_);
  given_.clear();
  const PackedRecord record = UnpackRecord(first.data());
  key_.assign(record.key());
  combines_ = true;
  taken_ = 1;
  given_back_ = 0;
  largest_ = record.value_size;
  combiner_->Begin(key_);
  return combiner_->Add(record.value(), *this);
}

Status CombinedRecords::GoOn() {
  while (given_.empty() && is_in_key()) {
    ++taken_;
    largest_ = std::max<size_t>(largest_, next_.value_size);
    ARROW_RETURN_NOT_OK(combiner_->Add(next_.value(), *this));
    ARROW_RETURN_NOT_OK(Advance());
  }
  return given_.empty() ? EndKey() : Status::OK();
}

Status CombinedRecords::EndKey() {
  ARROW_RETURN_NOT_OK(combiner_->Finish(*this));
  combines_ = false;
  if (given_back_ > taken_) {
    return Status::Invalid("a combiner made ", given_back_, " records of ", taken_);
  }
  less_ += taken_ - given_back_;
  if (combined_ != nullptr) *combined_ += taken_ - given_back_;
  return Status::OK();
}

Status CombinedRecords::Give(std::string_view value) {
  if (value.size() > std::max(largest_, kMostCombinedBytes)) {
    return Status::CapacityError("a combiner made a value of ", value.size(), " bytes: at most ", kMostCombinedBytes);
  }
  ++given_back_;
  const size_t at = given_.size();
  given_.resize(at + PackedSize(key_, value));
  PackRecord(key_, value, given_.data() + at);
  return Status::OK();
}

WrapRecords CombinesRecords(Combiner* combiner, int64_t* combined) {
  if (combiner == nullptr) return {};
  return [combiner, combined](std::unique_ptr<RecordSource> source) -> std::unique_ptr<RecordSource> {
    return std::make_unique<CombinedRecords>(std::move(source), combiner, combined);
  };
}

void CombinedRecords::GiveNote() {
  const std::string note = CombinedNote(static_cast<uint64_t>(less_));
  given_.resize(PackedSize(kTrailerKey, note));
  PackRecord(kTrailerKey, note, given_.data());
  less_ = 0;
}

}  // namespace trawl
