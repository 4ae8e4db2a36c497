#include "runtime/spill/merge.h"

#include <algorithm>
#include <utility>

namespace trawl {

using arrow::Result;
using arrow::Status;

MergedRecords::MergedRecords(std::vector<std::unique_ptr<RecordSource>> sources)
    : sources_(std::move(sources)), heads_(sources_.size()), losers_(sources_.size()) {}

bool MergedRecords::Less(size_t a, size_t b) const {
  const Head& x = heads_[a];
  const Head& y = heads_[b];
  if (x.at_end != y.at_end) return y.at_end;
  if (x.prefix != y.prefix) return x.prefix < y.prefix;
  if (const int order = x.record.key().compare(y.record.key()); order != 0) return order < 0;
  return a < b;
}

Status MergedRecords::Advance(size_t source) {
  Head& head = heads_[source];
  ARROW_ASSIGN_OR_RAISE(const bool more, sources_[source]->Next(&head.record));
  head.at_end = !more;
  if (more) head.prefix = KeyBytes(head.record.key(), 0);
  return Status::OK();
}

// Source i plays at the leaf i + n of a heap of n inner nodes. The first to reach a node waits there for its opponent.
Status MergedRecords::Start() {
  started_ = true;
  const size_t count = sources_.size();
  std::fill(losers_.begin(), losers_.end(), count);
  for (size_t source = 0; source < count; ++source) {
    ARROW_RETURN_NOT_OK(Advance(source));
  }
  for (size_t source = 0; source < count; ++source) {
    size_t winner = source;
    size_t node = (source + count) / 2;
    for (; node > 0 && losers_[node] != count; node /= 2) {
      if (Less(losers_[node], winner)) std::swap(losers_[node], winner);
    }
    losers_[node] = winner;
  }
  return Status::OK();
}

void MergedRecords::Replay(size_t source) {
  size_t winner = source;
  for (size_t node = (source + sources_.size()) / 2; node > 0; node /= 2) {
    if (Less(losers_[node], winner)) std::swap(losers_[node], winner);
  }
  losers_[0] = winner;
}

Result<bool> MergedRecords::Next(PackedRecord* record) {
  if (sources_.empty()) return false;
  if (!started_) {
    ARROW_RETURN_NOT_OK(Start());
  } else if (!heads_[losers_[0]].at_end) {
    ARROW_RETURN_NOT_OK(Advance(losers_[0]));
    Replay(losers_[0]);
  }
  const Head& winner = heads_[losers_[0]];
  if (winner.at_end) return false;
  *record = winner.record;
  return true;
}

Result<bool> IndexedRecords::Next(PackedRecord* record) {
  if (next_ == entries_.size()) return false;
  PrefetchRecord(entries_, next_);
  *record = UnpackRecord(entries_[next_++].record);
  return true;
}

std::span<const SortEntry> EntriesOfPartition(std::span<const SortEntry> entries, int partition) {
  const auto first = std::partition_point(
      entries.begin(), entries.end(), [partition](const SortEntry& entry) { return PartitionOf(entry) < partition; });
  const auto last = std::partition_point(
      first, entries.end(), [partition](const SortEntry& entry) { return PartitionOf(entry) <= partition; });
  return {first, last};
}

}  // namespace trawl
