#include "runtime/shuffle/shuffle.h"

#include <algorithm>
#include <system_error>
#include <thread>
#include <utility>

#include "runtime/shuffle/combined_records.h"
#include "runtime/shuffle/grouping_stream.h"
#include "runtime/shuffle/map_slot.h"
#include "runtime/spill/merge.h"
#include "runtime/spill/spill_merge.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

ShuffleMapOutput::~ShuffleMapOutput() {
  if (slot_ == nullptr) return;
  slot_->Abort();
  shuffle_->EndMap(slot_, 0, 0);
}

Status ShuffleMapOutput::Check(int partition, std::string_view key, std::string_view value) const {
  const int partitions = shuffle_->options_.shape.partitions;
  if (partition < 0 || partition >= partitions) {
    return Status::Invalid("a record for partition ", partition, " of ", partitions);
  }
  if (key.size() > kMaxShuffleKeyBytes) {
    return Status::CapacityError("a key of ", key.size(), " bytes: at most ", kMaxShuffleKeyBytes, " can be shuffled");
  }
  const size_t limit = shuffle_->memory_.max_record_bytes;
  if (value.size() > limit || PackedSize(key, value) > limit) {
    return Status::CapacityError("a record of ", key.size() + value.size(), " bytes: with ",
                                 shuffle_->options_.memory_bytes, " bytes of shuffle memory for ",
                                 shuffle_->options_.shape.map_slots, " map and ", shuffle_->options_.shape.reduce_slots,
                                 " reduce tasks at once, at most ", limit, " can be shuffled");
  }
  const std::atomic<bool>* stop = shuffle_->options_.stop;
  if (stop != nullptr && stop->load(std::memory_order_relaxed)) return Status::Cancelled("the map task was stopped");
  return Status::OK();
}

Status ShuffleMapOutput::Emit(int partition, std::string_view key, std::string_view value) {
  if (slot_ == nullptr) return Status::Invalid("a record after the map output was committed");
  ARROW_RETURN_NOT_OK(failure_);
  failure_ = Check(partition, key, value);
  if (failure_.ok()) failure_ = slot_->Add(partition, key, value);
  ++records_;
  bytes_ += static_cast<int64_t>(key.size() + value.size());
  return failure_;
}

Status ShuffleMapOutput::Commit() {
  if (slot_ == nullptr) return Status::Invalid("a map output is committed twice");
  ARROW_RETURN_NOT_OK(failure_);
  slot_->Commit();
  shuffle_->EndMap(std::exchange(slot_, nullptr), records_, bytes_);
  return Status::OK();
}

// A partition being read: its sources, and the slot it takes.
class Shuffle::PartitionStream : public GroupingStream {
 public:
  PartitionStream(Shuffle* shuffle, std::unique_ptr<BlockReader::Decoder> decoder)
      : shuffle_(shuffle), decoder_(std::move(decoder)) {
    const ShuffleOptions& options = shuffle->options_;
    if (options.combines_reading && options.combiner) combiner_ = options.combiner();
  }
  ~PartitionStream() override {
    records_.reset();
    const std::lock_guard lock(shuffle_->mutex_);
    --shuffle_->open_partitions_;
  }

  Status Open(int partition) {
    std::vector<std::unique_ptr<RecordSource>> sources;
    for (const auto& slot : shuffle_->slots_) {
      const auto entries = EntriesOfPartition(slot->resident(), partition);
      if (!entries.empty()) sources.push_back(std::make_unique<IndexedRecords>(entries));
    }
    const size_t block_bytes = shuffle_->memory_.format.block_bytes;
    for (const SpillSegment& segment : shuffle_->segments_) {
      ARROW_ASSIGN_OR_RAISE(auto reader, SpillSegmentReader::Open(segment, partition, block_bytes, decoder_.get()));
      sources.push_back(std::move(reader));
    }
    records_ = std::make_unique<MergedRecords>(std::move(sources));
    if (combiner_ != nullptr) {
      records_ = std::make_unique<CombinedRecords>(std::move(records_), combiner_.get(), nullptr);
    }
    return Status::OK();
  }

 private:
  Result<bool> NextRecord(std::string_view* record_key, std::string_view* value) override {
    const std::atomic<bool>* stop = shuffle_->options_.stop;
    if (stop != nullptr && stop->load(std::memory_order_relaxed))
      return Status::Cancelled("the reduce task was stopped");
    PackedRecord record;
    ARROW_ASSIGN_OR_RAISE(const bool more, records_->Next(&record));
    if (!more) return false;
    *record_key = record.key();
    *value = record.value();
    return true;
  }

  Shuffle* const shuffle_;
  const std::unique_ptr<BlockReader::Decoder> decoder_;
  std::unique_ptr<Combiner> combiner_;  // null: records come as they are
  std::unique_ptr<RecordSource> records_;
};

Result<std::unique_ptr<Shuffle>> Shuffle::Make(const ShuffleOptions& options) {
  const ShuffleShape& shape = options.shape;
  if (shape.partitions < 1 || shape.partitions > kMaxPartitions || shape.map_slots < 1 || shape.reduce_slots < 1) {
    return Status::Invalid("a shuffle of ", shape.partitions, " partitions, ", shape.map_slots, " map and ",
                           shape.reduce_slots, " reduce slots: each must be at least 1, partitions at most ",
                           kMaxPartitions);
  }
  ARROW_ASSIGN_OR_RAISE(const ShuffleMemory memory, DivideMemory(shape, options.memory_bytes));
  return std::unique_ptr<Shuffle>(new Shuffle(options, memory));
}

Shuffle::Shuffle(const ShuffleOptions& options, const ShuffleMemory& memory) : options_(options), memory_(memory) {
  for (int slot = 0; slot < options_.shape.map_slots; ++slot) {
    slots_.push_back(std::make_unique<MapSlot>(&memory_, options_.temp_folder, options_.stop, &options_.combiner));
    free_slots_.push_back(slots_.back().get());
  }
}

Shuffle::~Shuffle() = default;

Result<std::unique_ptr<ShuffleMapOutput>> Shuffle::StartMap() {
  const std::lock_guard lock(mutex_);
  if (sealed_) return Status::Invalid("a map attempt begins after the shuffle was sealed");
  if (free_slots_.empty()) return Status::Invalid("more than ", options_.shape.map_slots, " map attempts at once");
  MapSlot* slot = free_slots_.back();
  free_slots_.pop_back();
  return std::unique_ptr<ShuffleMapOutput>(new ShuffleMapOutput(this, slot));
}

void Shuffle::EndMap(MapSlot* slot, int64_t records, int64_t bytes) {
  const std::lock_guard lock(mutex_);
  free_slots_.push_back(slot);
  records_ += records;
  bytes_ += bytes;
}

size_t Shuffle::resident_bytes() const {
  size_t bytes = 0;
  for (const auto& slot : slots_) bytes += slot->resident_bytes();
  return bytes;
}

void Shuffle::SortAll() {
  std::vector<std::jthread> sorters;
  for (const auto& slot : slots_) {
    try {
      sorters.emplace_back([&slot] { slot->SortRest(); });
    } catch (const std::system_error&) {
      slot->SortRest();  // no thread can be started
    }
  }
}

// Where anything was spilled, reading needs memory: the records left in sort buffers may have half.
Status Shuffle::SpillWhatCrowds() {
  const bool any_spilled =
      std::any_of(slots_.begin(), slots_.end(), [](const auto& slot) { return !slot->segments().empty(); });
  while (any_spilled && resident_bytes() > memory_.total_bytes / 2) {
    const auto largest = std::max_element(slots_.begin(), slots_.end(), [](const auto& a, const auto& b) {
      return a->resident_bytes() < b->resident_bytes();
    });
    ARROW_RETURN_NOT_OK((*largest)->SpillRest());
  }
  return Status::OK();
}

Status Shuffle::MergeTooMany() {
  SpillFile* file = nullptr;
  for (const auto& slot : slots_) {
    segments_.insert(segments_.end(), slot->segments().begin(), slot->segments().end());
    if (slot->file() != nullptr) file = slot->file();
  }
  const size_t target = memory_.ReadingBytes(resident_bytes(), options_.shape.reduce_slots);
  if (ReadingBytes(segments_, memory_.format) <= target) return Status::OK();
  ARROW_ASSIGN_OR_RAISE(const auto writer, SpillSegmentWriter::Make(memory_.format));
  const auto combiner = options_.combiner ? options_.combiner() : nullptr;
  const SpillMerge merge{memory_.format, memory_.seal_merge_bytes,
                         file,           writer.get(),
                         options_.stop,  CombinesRecords(combiner.get(), &seal_combined_)};
  ARROW_ASSIGN_OR_RAISE(seal_merges_, ShrinkSegments(merge, target, &segments_));
  return Status::OK();
}

Status Shuffle::Seal() {
  {
    const std::lock_guard lock(mutex_);
    if (sealed_ || free_slots_.size() != slots_.size()) {
      return Status::Invalid("a shuffle is sealed twice or while a map attempt is at work");
    }
    sealed_ = true;
  }
  SortAll();
  ARROW_RETURN_NOT_OK(SpillWhatCrowds());
  return MergeTooMany();
}

Result<std::unique_ptr<GroupStream>> Shuffle::OpenPartition(int partition) {
  if (partition < 0 || partition >= options_.shape.partitions) {
    return Status::Invalid("partition ", partition, " of ", options_.shape.partitions, " is opened");
  }
  ARROW_ASSIGN_OR_RAISE(auto decoder, BlockReader::Decoder::Make(memory_.format.codec, memory_.format.block_bytes));
  {
    const std::lock_guard lock(mutex_);
    if (!sealed_) return Status::Invalid("a partition is opened before the shuffle is sealed");
    if (open_partitions_ == options_.shape.reduce_slots) {
      return Status::Invalid("more than ", options_.shape.reduce_slots, " partitions are open at once");
    }
    ++open_partitions_;
  }
  auto stream = std::make_unique<PartitionStream>(this, std::move(decoder));
  ARROW_RETURN_NOT_OK(stream->Open(partition));
  return stream;
}

ShuffleStats Shuffle::stats() const {
  const std::lock_guard lock(mutex_);
  ShuffleStats stats{.records = records_, .bytes = bytes_, .combined = seal_combined_, .merges = seal_merges_};
  for (const auto& slot : slots_) {
    stats.spills += slot->spills();
    stats.spilled_bytes += slot->spilled_bytes();
    stats.merges += slot->merges();
    stats.combined += slot->combined();
  }
  return stats;
}

}  // namespace trawl
