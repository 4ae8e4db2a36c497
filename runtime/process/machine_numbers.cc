#include "runtime/process/machine_numbers.h"

#include <dirent.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <string>

namespace trawl {

namespace {

// The fields of /proc/self/stat after the name of the program, which may hold anything: [0] is the state.
struct SelfStat {
  int64_t threads = 0;
  int64_t started_ticks = 0;
  int64_t virtual_bytes = 0;
  int64_t resident_pages = 0;
};

SelfStat ReadSelfStat() {
  constexpr int kThreads = 17, kStarted = 19, kVirtual = 20, kResident = 21;
  std::ifstream file("/proc/self/stat");
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::istringstream fields(text.substr(text.rfind(')') == std::string::npos ? 0 : text.rfind(')') + 1));
  SelfStat stat;
  std::string field;
  for (int i = 0; fields >> field && i <= kResident; ++i) {
    const int64_t number = std::strtoll(field.c_str(), nullptr, 10);
    if (i == kThreads) stat.threads = number;
    if (i == kStarted) stat.started_ticks = number;
    if (i == kVirtual) stat.virtual_bytes = number;
    if (i == kResident) stat.resident_pages = number;
  }
  return stat;
}

// When the machine was started, in seconds since 1970.
double BootTime() {
  std::ifstream file("/proc/stat");
  std::string name;
  while (file >> name) {
    double seconds = 0;
    if (name == "btime" && file >> seconds) return seconds;
    std::getline(file, name);
  }
  return 0;
}

int64_t OpenFiles() {
  DIR* const folder = opendir("/proc/self/fd");
  if (folder == nullptr) return 0;
  int64_t files = -3;  // ".", ".." and the folder itself
  while (readdir(folder) != nullptr) ++files;
  closedir(folder);
  return files;
}

double SecondsOf(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

}  // namespace

ProcessNumbers ProcessNumbers::Now() {
  ProcessNumbers numbers;
  rusage used = {};
  getrusage(RUSAGE_SELF, &used);
  numbers.cpu_seconds = SecondsOf(used.ru_utime) + SecondsOf(used.ru_stime);
  const SelfStat stat = ReadSelfStat();
  numbers.threads = stat.threads;
  numbers.virtual_bytes = stat.virtual_bytes;
  numbers.resident_bytes = stat.resident_pages * sysconf(_SC_PAGESIZE);
  const double ticks = static_cast<double>(sysconf(_SC_CLK_TCK));
  static const double booted = BootTime();
  numbers.started_s = booted + static_cast<double>(stat.started_ticks) / ticks;
  numbers.open_files = OpenFiles();
  rlimit files = {};
  if (getrlimit(RLIMIT_NOFILE, &files) == 0) numbers.most_files = static_cast<int64_t>(files.rlim_cur);
  return numbers;
}

std::optional<int64_t> FreeBytesOf(const std::string& folder) {
  struct statvfs about = {};
  if (statvfs(folder.c_str(), &about) != 0) return std::nullopt;
  return static_cast<int64_t>(about.f_bavail) * static_cast<int64_t>(about.f_frsize);
}

}  // namespace trawl
