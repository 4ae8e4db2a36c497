// Keeps account of the blocks that came to a partition: each exactly once, all of one attempt of their map task.
//
// Blocks of a map task usually come in their order, but those that begin with the same key come in any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>

#include "arrow/status.h"
#include "formats/hadoop/record_block.h"

namespace trawl {

class BlockLedger {
 public:
  explicit BlockLedger(size_t map_tasks) : map_tasks_(map_tasks) {}

  // IOError for a block that came before, that belongs to another attempt than the blocks before it, or to a map task
  // that the job does not have.
  arrow::Status Add(const RecordBlockHead& head);
  // Call it at the end. IOError where a block is missing of a map task that sent any: the message names the first.
  arrow::Status Finish() const;

 private:
  struct Sent {
    uint32_t attempt = 0;
    uint32_t next = 0;             // all blocks below it are here
    std::set<uint32_t> later;      // those above it that are here, too
    std::optional<uint32_t> last;  // the number of the last block, once that is here
  };

  const size_t map_tasks_;
  std::map<uint32_t, Sent> sent_;  // by map task
};

}  // namespace trawl
