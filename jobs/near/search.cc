#include "jobs/near/search.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <utility>

#include "formats/rows/some_columns.h"
#include "formats/url/key.h"
#include "jobs/near/rows.h"
#include "runtime/tables/known_rows.h"
#include "runtime/tables/merge_scan.h"
#include "runtime/tables/sidecar_search.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// Candidates and pairs in memory at once.
constexpr size_t kMostWaiting = 200'000;

// Measured, in nanoseconds: to look into one place of the sidecars; to read one row there; to read one key of all.
constexpr double kPlaceNs = 4'000;
constexpr double kRowNs = 1'000'000;
constexpr double kKeyNs = 300;

// The sum of the ways to choose up to `most` of `bits`.
double WaysUpTo(int most, int bits) {
  double sum = 0, ways = 1;
  for (int chosen = 0; chosen <= most; ++chosen) {
    sum += ways;
    ways = ways * (bits - chosen) / (chosen + 1);
  }
  return sum;
}

// For one fingerprint, and for each row at each place that is looked at: the number that pass by chance, since of the bits
// in the sidecar no more differ than the distance leaves after those of the quarter.
double PassingByChance(int distance) {
  double passing = 0;
  for (int quarter = 0; quarter < kQuarters; ++quarter) {
    for (const uint16_t flips : FlipsWithin(ReachOf(distance, quarter))) {
      passing += WaysUpTo(distance - std::popcount(flips), kSidecarFingerprintBits);
    }
  }
  return passing / static_cast<double>(int64_t{1} << kSidecarFingerprintBits);
}

// The key before all rows of a quarter's value, and the one after them.
struct PlaceKeys {
  explicit PlaceKeys(uint32_t value) {
    std::snprintf(from, sizeof from, "%u%04x)", value >> 16 & 3, value & 0xFFFF);
    std::snprintf(to, sizeof to, "%u%04x*", value >> 16 & 3, value & 0xFFFF);
  }
  char from[8], to[8];
};

uint32_t SidecarBitsOf(const SidecarEntry& entry) {
  return uint32_t{entry.depth} << 22 | uint32_t{entry.inlinks} << 6 | (entry.state & 63U);
}

}  // namespace

bool NearMatch::Beats(const NearMatch& other) const {
  if (distance != other.distance) return distance < other.distance;
  return order != other.order ? order < other.order : content < other.content;
}

NearSearch::NearSearch(std::shared_ptr<const Table> table, std::shared_ptr<const Table> moved, SlotRange slots,
                       int distance, const std::vector<uint64_t>& leaving, const StopToken& stop)
    : table_(std::move(table)),
      moved_(std::move(moved)),
      slots_(slots),
      distance_(distance),
      leaving_(leaving),
      stop_(stop) {}

Result<std::unordered_map<uint32_t, NearMatch>> NearSearch::Search(std::span<const uint64_t> wanted,
                                                                   std::span<const TextSketch> sketches) {
  wanted_ = wanted;
  sketches_ = sketches;
  best_.clear();
  told_apart_.clear();
  if (wanted.empty() || table_->runs().empty()) return std::move(best_);
  const bool by_places = way_ == Way::kCheaper ? PlacesAreCheaper(wanted.size()) : way_ == Way::kPlaces;
  ARROW_RETURN_NOT_OK(by_places ? LookAtPlaces() : ReadAll());
  ARROW_RETURN_NOT_OK(ReadPairs());
  for (auto& [number, crowd] : told_apart_) {
    if (crowd.size >= kMostToldApart) best_.try_emplace(number, std::move(crowd.best));
  }
  return std::move(best_);
}

bool NearSearch::IsLeaving(uint64_t digest) const {
  return std::binary_search(leaving_.begin(), leaving_.end(), digest);
}

bool NearSearch::PassesLook(uint32_t number, std::string_view sketch) const {
  return sketches_.empty() || MayBeCopies(sketches_[number], TextSketch::FromBytes(sketch));
}

bool NearSearch::PlacesAreCheaper(size_t wanted) const {
  const auto rows = static_cast<double>(table_->stored_rows());
  const double rows_a_place = kSidecarBlockRows + rows / (kQuarters << 16);
  const double places = static_cast<double>(ValuesLookedAt(distance_)) * static_cast<double>(table_->runs().size());
  const double one = places * kPlaceNs + PassingByChance(distance_) * rows_a_place * kRowNs;
  return static_cast<double>(wanted) * one < rows * kKeyNs;
}

Status NearSearch::LookAtPlaces() {
  const std::vector<Probe> probes = ProbesInOrder();
  for (size_t run = 0; run < table_->runs().size(); ++run) ARROW_RETURN_NOT_OK(LookIntoRun(run, probes));
  return ReadCandidates();
}

std::vector<NearSearch::Probe> NearSearch::ProbesInOrder() const {
  constexpr uint32_t kUnknown = kSlots;
  std::vector<uint32_t> slots(size_t{kQuarters} << 16, kUnknown);
  std::vector<Probe> probes;
  for (uint32_t number = 0; number < wanted_.size(); ++number) {
    for (int quarter = 0; quarter < kQuarters; ++quarter) {
      const uint16_t own = QuarterOf(wanted_[number], quarter);
      for (const uint16_t flips : FlipsWithin(ReachOf(distance_, quarter))) {
        const uint32_t value = static_cast<uint32_t>(quarter) << 16 | (own ^ flips);
        if (slots[value] == kUnknown) slots[value] = SlotOfKey(PlaceKeys(value).from);
        if (slots_.Contains(slots[value])) probes.push_back({slots[value], value, number, std::popcount(flips)});
      }
    }
  }
  std::sort(probes.begin(), probes.end(), [](const Probe& a, const Probe& b) {
    return std::tie(a.slot, a.value, a.number) < std::tie(b.slot, b.value, b.number);
  });
  return probes;
}

Status NearSearch::LookIntoRun(size_t run, const std::vector<Probe>& probes) {
  const auto& files = table_->runs()[run].record.files;
  for (size_t file = 0; file < files.size(); ++file) {
    ARROW_RETURN_NOT_OK(stop_.Check());
    const RowPlace first = {files[file].first_slot, files[file].first_key};
    const RowPlace last = {files[file].last_slot, files[file].last_key};
    const auto begin = std::partition_point(probes.begin(), probes.end(), [first](const Probe& probe) {
      return RowPlace{probe.slot, PlaceKeys(probe.value).to} < first;
    });
    const auto end = std::partition_point(begin, probes.end(), [last](const Probe& probe) {
      return !(last < RowPlace{probe.slot, PlaceKeys(probe.value).from});
    });
    if (begin != end) ARROW_RETURN_NOT_OK(LookIntoFile(run, file, {begin, end}));
  }
  return Status::OK();
}

Status NearSearch::LookIntoFile(size_t run, size_t file, std::span<const Probe> probes) {
  const Table::Run& of = table_->runs()[run];
  ARROW_ASSIGN_OR_RAISE(const auto sidecar, table_->OpenSidecar(of, of.record.files[file]));
  SidecarBlock block;
  int64_t loaded = -1, at = 0;
  // The quarters' rows of the block: their bits, and their places in it.
  std::array<uint32_t, kSidecarBlockRows> bits;
  std::array<int64_t, kSidecarBlockRows> rows;
  size_t count = 0;
  const int reach_of_first = ReachOf(distance_, 0);
  for (size_t begin = 0; begin < probes.size();) {
    size_t end = begin;
    while (end < probes.size() && probes[end].value == probes[begin].value) ++end;
    const int quarter = static_cast<int>(probes[begin].value >> 16);
    const PlaceKeys keys(probes[begin].value);
    const RowPlace from = {probes[begin].slot, keys.from}, to = {probes[begin].slot, keys.to};
    if (FirstPlaceOfBlock(*sidecar, at) < from) at = BlockHolding(*sidecar, at, from);
    for (int64_t number = at; number < sidecar->blocks(); ++number) {
      if (number > at && !(FirstPlaceOfBlock(*sidecar, number) < to)) break;
      if (number != loaded) {
        ARROW_RETURN_NOT_OK(sidecar->ReadBlock(number, &block));
        loaded = number;
        count = 0;
        for (int64_t row = 0; row < block.rows; ++row) {
          const SidecarEntry& entry = block.entries[static_cast<size_t>(row)];
          if ((entry.state & kQuarterState) == 0) continue;
          bits[count] = SidecarBitsOf(entry);
          rows[count++] = row;
        }
      }
      for (size_t probe = begin; probe < end; ++probe) {
        const uint64_t rest = RestOf(wanted_[probes[probe].number], quarter);
        const auto own = static_cast<uint32_t>(rest >> (48 - kSidecarFingerprintBits));
        const int most = distance_ - probes[probe].flips;
        for (size_t i = 0; i < count; ++i) {
          if (std::popcount(bits[i] ^ own) > most) continue;
          // The uppermost 16 bits that a sidecar has are those of quarter 0, unless this is it: a pair is taken once.
          if (quarter > 0 && std::popcount((bits[i] ^ own) >> (kSidecarFingerprintBits - 16)) <= reach_of_first)
            continue;
          candidates_.push_back({static_cast<uint32_t>(run), static_cast<uint32_t>(file), block.first_row + rows[i],
                                 probes[probe].number});
        }
      }
    }
    if (candidates_.size() >= kMostWaiting) ARROW_RETURN_NOT_OK(ReadCandidates());
    begin = end;
  }
  return Status::OK();
}

Status NearSearch::ReadCandidates() {
  std::sort(candidates_.begin(), candidates_.end(), [](const Candidate& a, const Candidate& b) {
    return std::tie(a.run, a.file, a.row) < std::tie(b.run, b.file, b.row);
  });
  KnownRowBatches batches(table_, Columns<FingerprintRow>({"key"}).Flags());
  for (const Candidate& candidate : std::exchange(candidates_, {})) {
    ARROW_ASSIGN_OR_RAISE(const ColumnBatch* const batch,
                          batches.Load({.run = candidate.run, .file = candidate.file, .row = candidate.row}));
    const auto place =
        QuarterPlaceOf(batch->columns[ColumnIndex<FingerprintRow>("key")].GetBytes(candidate.row - batch->first_row));
    if (!place) return Status::IOError("a row of ", table_->name(), " is no quarter, against what its sidecar says");
    const uint64_t own = wanted_[candidate.number];
    const int distance = std::popcount(place->fingerprint ^ own);
    if (distance > distance_ ||
        std::popcount(QuarterOf(place->fingerprint ^ own, place->quarter)) > ReachOf(distance_, place->quarter)) {
      continue;
    }
    if (IsFirstQuarter(place->fingerprint, own, place->quarter, distance_)) {
      AddPair(place->fingerprint, place->digest, candidate.number, distance);
    }
  }
  return pairs_.size() < kMostWaiting ? Status::OK() : ReadPairs();
}

Status NearSearch::ReadAll() {
  FingerprintIndex index(distance_);
  for (const uint64_t fingerprint : wanted_) index.Add(fingerprint);
  std::vector<uint8_t> nearest(wanted_.size(), static_cast<uint8_t>(distance_));
  const std::vector<bool> wanted = sketches_.empty()
                                       ? Columns<FingerprintRow>({"key", "removed"}).Flags()
                                       : Columns<FingerprintRow>({"key", "removed", "text_sketch"}).Flags();
  ARROW_ASSIGN_OR_RAISE(const auto scan, MergeScan::Open(table_, {.slots = slots_, .wanted = wanted}));
  RowSpan span;
  while (true) {
    ARROW_RETURN_NOT_OK(stop_.Check());
    ARROW_ASSIGN_OR_RAISE(const bool more, scan->Next(&span));
    if (!more) return Status::OK();
    const ColumnView& keys = span.batch->columns[ColumnIndex<FingerprintRow>("key")];
    const ColumnView& texts = span.batch->columns[ColumnIndex<FingerprintRow>("text_sketch")];
    for (int64_t i = span.begin; i < span.end; ++i) {
      const std::string_view key = keys.GetBytes(i);
      if (key.size() != kQuarterKeyBytes || key.front() != '0') continue;
      const auto place = QuarterPlaceOf(key);
      if (!place || IsLeaving(place->digest)) continue;
      index.ForEachNear(place->fingerprint, [&](uint32_t number, int distance) {
        if (distance > nearest[number]) return;
        const bool passes = sketches_.empty() || PassesLook(number, texts.GetBytes(i));
        if (!passes && distance > 0) return;
        if (passes) nearest[number] = static_cast<uint8_t>(distance);
        AddPair(place->fingerprint, place->digest, number, distance);
      });
    }
    if (pairs_.size() >= kMostWaiting) ARROW_RETURN_NOT_OK(ReadPairs());
  }
}

void NearSearch::AddPair(uint64_t fingerprint, uint64_t digest, uint32_t number, int distance) {
  if (IsLeaving(digest)) return;
  std::string key = QuarterKey(fingerprint, 0, digest);
  const uint32_t slot = SlotOfKey(key);
  pairs_.push_back({slot, std::move(key), number, distance});
}

Status NearSearch::ReadPairs() {
  std::sort(pairs_.begin(), pairs_.end(), [](const Pair& a, const Pair& b) {
    return RowPlace{a.slot, a.key} < RowPlace{b.slot, b.key};
  });
  KnownRows<FingerprintRow> rows(
      table_, Columns<FingerprintRow>({"key", "removed", "content", "page", "order", "text_sketch"}).Flags());
  FingerprintRow row;
  std::string key;
  bool is_there = false;
  std::vector<Found> found;
  for (const Pair& pair : std::exchange(pairs_, {})) {
    const auto known = best_.find(pair.number);
    if (known != best_.end() && known->second.distance < pair.distance) continue;
    if (pair.key != key) {
      ARROW_ASSIGN_OR_RAISE(is_there, rows.Find({pair.slot, pair.key}, &row));
      key = pair.key;
    }
    if (!is_there) continue;
    const bool is_told_apart = !PassesLook(pair.number, row.text_sketch);
    if (is_told_apart && pair.distance > 0) continue;
    found.push_back({pair.number, {pair.distance, row.content, row.page, row.order}, is_told_apart});
  }
  if (!moved_->runs().empty()) ARROW_RETURN_NOT_OK(ReadMoved(&found));
  for (auto& [number, match, is_told_apart] : found) {
    if (is_told_apart) {
      Crowd& crowd = told_apart_[number];
      if (++crowd.size == 1 || match.Beats(crowd.best)) crowd.best = std::move(match);
      continue;
    }
    const auto [known, is_first] = best_.try_emplace(number, match);
    if (!is_first && match.Beats(known->second)) known->second = std::move(match);
  }
  return Status::OK();
}

Status NearSearch::ReadMoved(std::vector<Found>* found) const {
  const auto place = [](const std::string& key) { return RowPlace{SlotOfKey(key), key}; };
  std::vector<std::pair<std::string, size_t>> keys;
  for (size_t i = 0; i < found->size(); ++i) keys.emplace_back(StandingKey((*found)[i].match.content), i);
  std::sort(keys.begin(), keys.end(), [&](const auto& a, const auto& b) { return place(a.first) < place(b.first); });
  KnownRows<FingerprintRow> rows(moved_, Columns<FingerprintRow>({"key", "removed", "page", "order"}).Flags());
  FingerprintRow row;
  for (const auto& [key, i] : keys) {
    ARROW_ASSIGN_OR_RAISE(const bool is_moved, rows.Find(place(key), &row));
    if (!is_moved) continue;
    (*found)[i].match.page = row.page;
    (*found)[i].match.order = row.order;
  }
  return Status::OK();
}

}  // namespace trawl
