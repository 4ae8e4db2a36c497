// A process as documents name it, so that another process on the same machine can tell whether it has ended
// (runtime/process/own_process.h).
#pragma once

#include <cstdint>
#include <string>

#include "arrow/result.h"
#include "formats/documents/json.h"

namespace trawl {

struct ProcessIdentity {
  std::string machine;  // the machine's current boot, and the space that counts its process ids
  int64_t pid = 0;
  int64_t started = 0;  // in ticks since the boot, because process ids are used again
  bool operator==(const ProcessIdentity&) const = default;
};

Json ToJson(const ProcessIdentity& process);
// From an object that has these members, and perhaps others.
arrow::Result<ProcessIdentity> ProcessFromJson(const Json& json);

}  // namespace trawl
