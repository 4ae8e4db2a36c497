#include "jobs/audit/used.h"

#include <sys/resource.h>

#include <algorithm>
#include <map>
#include <thread>

#include "runtime/process/own_process.h"

namespace trawl {

namespace {

constexpr int64_t kBlockBytes = 512;  // the unit of ru_inblock and ru_oublock

int64_t Milliseconds(const timeval& time) { return int64_t{time.tv_sec} * 1000 + time.tv_usec / 1000; }

int64_t NumberOf(const Json& fact, const char* name, size_t at) {
  const auto found = fact.find(name);
  const bool is_there =
      found != fact.end() && found->is_array() && found->size() == 2 && (*found)[at].is_number_integer();
  return is_there ? (*found)[at].get<int64_t>() : 0;
}

// The first and the last of the numbers that the tasks of a process reported.
struct Span {
  int64_t first = 0;
  int64_t last = 0;
  bool is_set = false;

  void Add(const Json& fact, const char* name) {
    const int64_t from = NumberOf(fact, name, 0), to = NumberOf(fact, name, 1);
    first = is_set ? std::min(first, from) : from;
    last = is_set ? std::max(last, to) : to;
    is_set = true;
  }
  int64_t length() const { return last - first; }
};

struct OneProcess {
  Span at_ms, cpu_ms, disk_read, disk_written;
  int64_t cores = 1;
};

double Ratio(double part, double whole) { return whole <= 0 ? 0 : part / whole; }

}  // namespace

ProcessUse ProcessUse::Now(const Clock& clock) {
  ProcessUse use = {.at_ms = clock.NowMs()};
  rusage usage = {};
  if (getrusage(RUSAGE_SELF, &usage) != 0) return use;
  use.cpu_ms = Milliseconds(usage.ru_utime) + Milliseconds(usage.ru_stime);
  use.disk_read = int64_t{usage.ru_inblock} * kBlockBytes;
  use.disk_written = int64_t{usage.ru_oublock} * kBlockBytes;
  return use;
}

Json UseFact(const ProcessUse& began, const ProcessUse& ended) {
  const ProcessIdentity process = OwnProcess();
  return {{"process", process.machine + " " + std::to_string(process.pid) + " " + std::to_string(process.started)},
          {"cores", std::max(1U, std::thread::hardware_concurrency())},
          {"at_ms", {began.at_ms, ended.at_ms}},
          {"cpu_ms", {began.cpu_ms, ended.cpu_ms}},
          {"disk_read", {began.disk_read, ended.disk_read}},
          {"disk_written", {began.disk_written, ended.disk_written}}};
}

Json SumUse(const std::vector<Json>& facts, int64_t wire_bytes) {
  std::map<std::string, OneProcess> processes;
  Span all;
  for (const Json& fact : facts) {
    if (!fact.is_object() || !HasMember(fact, "process")) continue;
    OneProcess& process = processes[DumpJson(fact["process"])];
    process.at_ms.Add(fact, "at_ms");
    process.cpu_ms.Add(fact, "cpu_ms");
    process.disk_read.Add(fact, "disk_read");
    process.disk_written.Add(fact, "disk_written");
    const auto cores = GetInt(fact, "cores");
    if (cores.ok()) process.cores = *cores;
    all.Add(fact, "at_ms");
  }
  double cpu_ms = 0, core_ms = 0;
  int64_t disk_read = 0, disk_written = 0;
  for (const auto& [name, process] : processes) {
    cpu_ms += static_cast<double>(process.cpu_ms.length());
    core_ms += static_cast<double>(process.at_ms.length()) * static_cast<double>(process.cores);
    disk_read += process.disk_read.length();
    disk_written += process.disk_written.length();
  }
  const double seconds = static_cast<double>(all.length()) / 1000;
  return {{"processes", processes.size()},
          {"seconds", seconds},
          {"cpu_seconds", cpu_ms / 1000},
          {"cpu_share", Ratio(cpu_ms, core_ms)},
          {"disk_read_bytes", disk_read},
          {"disk_written_bytes", disk_written},
          {"disk_bytes_per_second", Ratio(static_cast<double>(disk_read + disk_written), seconds)},
          {"wire_bytes_per_second", Ratio(static_cast<double>(wire_bytes), seconds)}};
}

}  // namespace trawl
