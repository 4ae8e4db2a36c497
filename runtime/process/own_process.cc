#include "runtime/process/own_process.h"

#include <unistd.h>

#include <climits>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>

namespace trawl {

namespace {

struct ProcessState {
  char state = '?';
  int64_t started = 0;
};

// Returns nothing where there is no such process.
std::optional<ProcessState> StateOf(const std::string& pid) {
  std::ifstream file("/proc/" + pid + "/stat");
  std::string line;
  if (!std::getline(file, line)) return std::nullopt;
  // The second field is the program's name in brackets and may hold any character; the fields after it hold no bracket.
  const size_t name_end = line.rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream fields(line.substr(name_end + 1));
  constexpr int kFieldsBetween = 18;  // from the state, field 3, to the start time, field 22
  ProcessState process;
  std::string skipped;
  fields >> process.state;
  for (int i = 0; i < kFieldsBetween; ++i) fields >> skipped;
  fields >> process.started;
  if (!fields) return std::nullopt;
  return process;
}

// A machine without these files has no identity, and no process of it is known to be dead.
std::string Machine() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string boot;
  char space[PATH_MAX];
  const ssize_t size = readlink("/proc/self/ns/pid", space, sizeof space);
  if (!std::getline(file, boot) || size <= 0) return "";
  return boot + " " + std::string(space, static_cast<size_t>(size));
}

}  // namespace

std::string Environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

ProcessIdentity OwnProcess() {
  const std::optional<ProcessState> state = StateOf("self");
  return {.machine = Machine(), .pid = getpid(), .started = state ? state->started : 0};
}

bool IsOfThisMachine(const ProcessIdentity& process) {
  const std::string machine = Machine();
  return !machine.empty() && process.machine == machine && process.pid > 0;
}

bool IsKnownDead(const ProcessIdentity& process) {
  if (!IsOfThisMachine(process)) return false;
  const std::optional<ProcessState> state = StateOf(std::to_string(process.pid));
  // A zombie no longer runs.
  return !state || state->started != process.started || state->state == 'Z' || state->state == 'X';
}

}  // namespace trawl
