// A process as documents name it, so that another on the same machine can tell whether it is gone
// (runtime/process/own_process.h).
#pragma once

#include <cstdint>
#include <string>

#include "arrow/result.h"
#include "formats/documents/json.h"

namespace trawl {

struct ProcessIdentity {
  std::string machine;  // this boot of it, and the space that its process ids are counted in
  int64_t pid = 0;
  int64_t started = 0;  // in ticks since the boot: process ids are used again
  bool operator==(const ProcessIdentity&) const = default;
};

Json ToJson(const ProcessIdentity& process);
// From an object that has its members, among others or alone.
arrow::Result<ProcessIdentity> ProcessFromJson(const Json& json);

}  // namespace trawl
