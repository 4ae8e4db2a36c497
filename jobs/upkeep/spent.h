// What nobody reads any more of a segment that is applied. The upkeep after each round removes it from the two segments
// that were applied last, and gc from those that were missed. One thread.
#pragma once

#include <cstdint>
#include <string>

#include "arrow/result.h"
#include "formats/documents/step_record.h"
#include "runtime/process/clock.h"
#include "runtime/store/store.h"

namespace trawl {

// What decides it for the lists of a segment.
struct ListsFacts {
  bool has_one_list = false;      // and a short one
  bool has_all_outcomes = false;  // a row for each URL of its lists
};
bool HasOneShortList(const StepRecord& lists);
bool HasAllOutcomes(const StepRecord& fetched);

// Whether nobody reads the dataset of an applied segment: the hosts and robots of its lists and the hosts of its fetch,
// which are in the tables; `held` where there is one short list; and the lists where every URL of theirs has an outcome.
bool IsSpent(const std::string& dataset, const ListsFacts& facts);

// Whether nobody looks at the report of the job once the next round has come: what it did stands in its snapshot, or in
// the report of the job that it belongs to.
bool IsPassing(const std::string& job);

struct Removed {
  int64_t files = 0;
  int64_t bytes = 0;
};

// Removes what the lists of the last applied segment do not need, and the other spent files of the one before it with the
// reports of its four jobs, of which the document of the round has what people look at, and of passing jobs since. Leaves all to gc while a job
// runs that may read them. `real_ms` is the time by the machine's clock.
arrow::Result<Removed> RemoveSpent(Store* store, TimeMs real_ms);

}  // namespace trawl
