#include "formats/documents/process_identity.h"

namespace trawl {

Json ToJson(const ProcessIdentity& process) {
  return {{"machine", process.machine}, {"pid", process.pid}, {"started", process.started}};
}

arrow::Result<ProcessIdentity> ProcessFromJson(const Json& json) {
  ProcessIdentity process;
  ARROW_ASSIGN_OR_RAISE(process.machine, GetString(json, "machine"));
  ARROW_ASSIGN_OR_RAISE(process.pid, GetInt(json, "pid"));
  ARROW_ASSIGN_OR_RAISE(process.started, GetInt(json, "started"));
  return process;
}

}  // namespace trawl
