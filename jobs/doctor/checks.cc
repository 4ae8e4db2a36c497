#include "jobs/doctor/checks.h"

#include <gnu/libc-version.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "jobs/check/live_fetch.h"
#include "jobs/verb/version.h"
#include "runtime/streaming/runner.h"
#include "runtime/streaming/slots.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// Clocks of a cluster usually differ far less than this; politeness and leases can bear it.
constexpr int64_t kMostSkewMs = 5'000;
constexpr int64_t kLeastTempBytes = int64_t{1} << 30;

DoctorFinding Ill(const std::string& check, const std::string& found, const std::string& fix) {
  return {.check = check, .is_well = false, .found = found, .fix = fix};
}

// Kilobytes of a line "MemAvailable:   123 kB" in a file of /proc; -1 where there is none.
int64_t KilobytesOf(const char* path, const std::string& name) {
  std::ifstream file(path);
  std::string word;
  while (file >> word) {
    int64_t kilobytes = 0;
    if (word == name && file >> kilobytes) return kilobytes;
  }
  return -1;
}

}  // namespace

Json ToJson(const DoctorFinding& finding) {
  Json json = {{"check", finding.check}, {"well", finding.is_well}, {"found", finding.found}};
  if (!finding.fix.empty()) json["fix"] = finding.fix;
  return json;
}

Result<DoctorFinding> DoctorFindingFromJson(const Json& json) {
  DoctorFinding finding;
  ARROW_ASSIGN_OR_RAISE(finding.check, GetString(json, "check"));
  ARROW_ASSIGN_OR_RAISE(finding.is_well, GetBool(json, "well"));
  ARROW_ASSIGN_OR_RAISE(finding.found, GetString(json, "found"));
  if (HasMember(json, "fix")) {
    ARROW_ASSIGN_OR_RAISE(finding.fix, GetString(json, "fix"));
  }
  return finding;
}

DoctorFinding CheckStoreCreates(Store* store, const std::string& path) {
  constexpr char kCheck[] = "store";
  constexpr char kFix[] = "give the user that runs the tasks the right to write to the root";
  const auto first = store->CreateExclusive(path, "trawl doctor");
  if (!first.ok()) return Ill(kCheck, first.status().message(), kFix);
  const auto second = store->CreateExclusive(path, "trawl doctor again");
  const auto there = store->ReadWhole(path, 100);
  const Status removed = store->Remove(path);
  if (*first != CreateOutcome::kCreated || !second.ok() || *second != CreateOutcome::kExists || !there.ok() ||
      *there != "trawl doctor") {
    return Ill(kCheck, store->Describe() + ": a name could be created twice",
               "this store is not safe for Trawl (on S3 it must support If-None-Match); use another store");
  }
  if (!removed.ok()) return Ill(kCheck, removed.message(), kFix);
  return {.check = kCheck, .found = store->Describe() + ": written, read, created once"};
}

DoctorFinding CheckClock(TimeMs here_ms, TimeMs planned_ms, TimeMs latest_ms) {
  const int64_t behind_ms = planned_ms - here_ms;
  const int64_t ahead_ms = here_ms - latest_ms;
  if (behind_ms <= kMostSkewMs && ahead_ms <= kMostSkewMs) {
    return {.check = "clock", .found = "differs from the driver's by at most " + ReadableDuration(kMostSkewMs)};
  }
  const std::string found =
      behind_ms > 0 ? ReadableDuration(behind_ms) + " behind" : ReadableDuration(ahead_ms) + " ahead of";
  return Ill("clock", found + " the driver's", "set the clocks of all machines by NTP");
}

DoctorFinding CheckMemory(int64_t wanted_bytes) {
  const int64_t available = KilobytesOf("/proc/meminfo", "MemAvailable:") * 1024;
  const int64_t own = KilobytesOf("/proc/self/status", "VmHWM:") * 1024;
  std::string found =
      "this process took " + ReadableSize(own) + " and may use " + ReadableSize(wanted_bytes) + " for data";
  if (available >= 0) found += ", the machine has " + ReadableSize(available);
  if (available >= 0 && available < wanted_bytes) {
    return Ill("memory", found, "give each task less (--memory, --streaming.task_memory), or run fewer tasks at once");
  }
  return {.check = "memory", .found = found};
}

DoctorFinding CheckTempFolder(const std::string& folder) {
  struct statvfs about;
  if (access(folder.c_str(), W_OK) != 0 || statvfs(folder.c_str(), &about) != 0) {
    return Ill("temp", folder + " cannot be written to", "set TMPDIR or --temp_dir to a folder that can be written to");
  }
  const auto free_bytes = static_cast<int64_t>(about.f_bavail) * static_cast<int64_t>(about.f_frsize);
  const std::string found = folder + " has " + ReadableSize(free_bytes) + " free";
  if (free_bytes < kLeastTempBytes)
    return Ill("temp", found, "free space there, or name another folder with --temp_dir");
  return {.check = "temp", .found = found};
}

DoctorFinding CheckEgress(const std::string& url) {
  if (url.empty()) return {.check = "egress", .found = "not checked; --doctor.url URL checks it"};
  const Result<LiveFetch> fetch = FetchLive({.url = url, .max_body_bytes = 1 << 20});
  if (!fetch.ok())
    return Ill("egress", url + ": " + fetch.status().message(), "write a URL like https://www.example.com/");
  const HttpAnswer& answer = fetch->answer;
  if (answer.outcome == HttpOutcome::kAnswered) {
    return {.check = "egress", .found = url + ": answered " + std::to_string(answer.status)};
  }
  std::string found = url + ": " + std::string(HttpOutcomeName(answer.outcome));
  if (!answer.detail.empty()) found += ", " + answer.detail;
  const bool is_name = answer.outcome == HttpOutcome::kDnsFailed;
  return Ill("egress", found,
             is_name ? "the machine's name servers (/etc/resolv.conf) do not know this name; correct them, or give "
                       "--fetch.dns_servers"
                     : "allow this machine to connect to ports 80 and 443; Trawl uses no proxy");
}

DoctorFinding CheckCluster(const StreamingOptions& options) {
  StreamingOptions asks = options;
  asks.task_slots = 0;
  const Result<int> slots = TaskSlots(asks);
  if (!slots.ok()) {
    return Ill("cluster", slots.status().message(),
               "start YARN or correct HADOOP_CONF_DIR; without a cluster, give --runner local");
  }
  std::string found = "YARN runs about " + ReadableCount(*slots, "task") + " at once";
  if (options.task_slots > 0) found += ", --streaming.task_slots says " + ReadableCount(options.task_slots);
  const Status ready = CheckCanSubmit(options);
  if (!ready.ok()) found += "; large jobs run on this machine all the same: " + ready.message();
  if (ready.ok()) {
    const std::string why_client = WhySubmittedByClient(options);
    found += why_client.empty() ? "; jobs are submitted by REST" : "; Hadoop's client submits jobs: " + why_client;
  }
  return {.check = "cluster", .found = found};
}

DoctorFinding CheckProgram() {
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  return {.check = "program",
          .found = std::string("trawl ") + kVersion + " runs on " + host + ", glibc " + gnu_get_libc_version()};
}

}  // namespace trawl
