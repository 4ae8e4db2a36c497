// Searches the fingerprints table: for each of many fingerprints the nearest content that stands for near ones.
//
// For few, it looks into the sidecars of the places that near.h names, and reads only the rows that pass there: the cost
// follows the number of fingerprints, not the table. For many, or at large distances, it reads the keys of all rows. What
// is estimated to cost less is done; the answer is the same. One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "arrow/result.h"
#include "formats/digests/text_sketch.h"
#include "formats/rows/settle_rows.h"
#include "formats/url/slot_range.h"
#include "jobs/near/near.h"
#include "runtime/process/stop.h"
#include "runtime/tables/table.h"

namespace trawl {

// A content that stands for near ones.
struct NearMatch {
  int32_t distance = 0;
  std::string content;
  std::string page;
  std::string order;
  // Whether this one is to be preferred.
  bool Beats(const NearMatch& other) const;
};

class NearSearch {
 public:
  // Looks at the rows of these slots only. `moved`: standings that have another page or order than the table says.
  // `leaving`: beginnings of digests (rows.h) of contents that are no match, ascending; the caller owns it.
  NearSearch(std::shared_ptr<const Table> table, std::shared_ptr<const Table> moved, SlotRange slots, int distance,
             const std::vector<uint64_t>& leaving, const StopToken& stop);

  // The best match of each fingerprint that has one, by its number in `wanted`. `sketches`: of the same texts, which have to
  // pass MayBeCopies (formats/digests/text_sketch.h); empty: no second look is taken.
  arrow::Result<std::unordered_map<uint32_t, NearMatch>> Search(std::span<const uint64_t> wanted,
                                                                std::span<const TextSketch> sketches = {});

  // For tests: never read everything, or always.
  enum class Way { kCheaper, kPlaces, kAll };
  void Take(Way way) { way_ = way; }

 private:
  struct Probe {
    uint32_t slot;
    uint32_t value;  // number of the quarter, and 16 bits
    uint32_t number;
    int32_t flips;
  };
  struct Candidate {
    uint32_t run, file;
    int64_t row;
    uint32_t number;
  };
  // A pair that is within the distance; the key is that of the content's quarter 0.
  struct Pair {
    uint32_t slot;
    std::string key;
    uint32_t number;
    int32_t distance;
  };

  bool IsLeaving(uint64_t digest) const;
  bool PassesLook(uint32_t number, std::string_view sketch) const;
  bool PlacesAreCheaper(size_t wanted) const;
  arrow::Status LookAtPlaces();
  std::vector<Probe> ProbesInOrder() const;
  arrow::Status LookIntoRun(size_t run, const std::vector<Probe>& probes);
  arrow::Status LookIntoFile(size_t run, size_t file, std::span<const Probe> probes);
  arrow::Status ReadCandidates();
  arrow::Status ReadAll();
  void AddPair(uint64_t fingerprint, uint64_t digest, uint32_t number, int distance);
  arrow::Status ReadPairs();
  struct Found {
    uint32_t number;
    NearMatch match;
    bool is_told_apart;  // the fingerprints are equal, and the second look says no
  };
  arrow::Status ReadMoved(std::vector<Found>* found) const;

  const std::shared_ptr<const Table> table_;
  const std::shared_ptr<const Table> moved_;
  const SlotRange slots_;
  const int distance_;
  const std::vector<uint64_t>& leaving_;
  const StopToken& stop_;
  Way way_ = Way::kCheaper;

  std::span<const uint64_t> wanted_;
  std::span<const TextSketch> sketches_;
  std::vector<Candidate> candidates_;
  std::vector<Pair> pairs_;
  std::unordered_map<uint32_t, NearMatch> best_;
  struct Crowd {
    int32_t size = 0;
    NearMatch best;
  };
  std::unordered_map<uint32_t, Crowd> told_apart_;
};

}  // namespace trawl
