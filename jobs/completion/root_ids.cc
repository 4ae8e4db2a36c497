#include "jobs/completion/root_ids.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <functional>
#include <system_error>

#include "runtime/options/file.h"
#include "runtime/options/global.h"
#include "runtime/process/read_file.h"
#include "runtime/root/layout.h"

namespace trawl {

namespace {

namespace fs = std::filesystem;

constexpr size_t kMostIds = 1'000;
constexpr char kLocalScheme[] = "file://";
// A store of bodies lies among the segments, and is none (docs/storage.md).
constexpr char kBodiesStore[] = "bodies-";

std::string ValueOf(const std::vector<std::string>& environment, const std::string& name) {
  for (const std::string& line : environment) {
    if (line.starts_with(name + "=")) return line.substr(name.size() + 1);
  }
  return "";
}

// A shell would have replaced ~/ by the home folder, had the line been run.
fs::path LocalPath(const std::string& text, const std::vector<std::string>& environment) {
  std::error_code error;
  if (!text.starts_with("~/") || fs::exists(text, error)) return text;
  return ValueOf(environment, "HOME") + text.substr(1);
}

std::string RootInFile(const fs::path& file, const OptionGroups& known) {
  constexpr int64_t kMaxBytes = 1 << 20;
  const auto text = ReadRegularFile(file.string(), kMaxBytes);
  if (!text.ok()) return "";
  const auto assignments = ParseOptionFile(*text, file.string(), known);
  if (!assignments.ok()) return "";
  for (const OptionAssignment& assignment : *assignments) {
    if (assignment.name == "root") return assignment.text;
  }
  return "";
}

std::string RootOf(const TypedCrawl& crawl, const std::vector<std::string>& environment, const OptionGroups& known) {
  if (crawl.root) return *crawl.root;
  if (const std::string root = ValueOf(environment, EnvironmentName("root")); !root.empty()) return root;
  const std::string config = crawl.config ? *crawl.config : ValueOf(environment, EnvironmentName("config"));
  if (!config.empty()) {
    if (std::string root = RootInFile(LocalPath(config, environment), known); !root.empty()) return root;
  }
  return GlobalOptions().root;
}

// 00000042.json is 42. Empty for other names.
std::string SnapshotNumber(const std::string& name) {
  constexpr std::string_view kEnd = ".json";
  int64_t number = 0;
  const std::string digits = name.substr(0, name.size() - std::min(name.size(), kEnd.size()));
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool is_number = error == std::errc() && end == digits.data() + digits.size() && number >= 0;
  return is_number && SnapshotPath(number) == std::string(kSnapshotsFolder) + "/" + name ? std::to_string(number) : "";
}

// Empty for a name that no command would take.
std::string IdOf(ValueKind kind, const std::string& name) {
  if (kind == ValueKind::kSnapshot) return SnapshotNumber(name);
  const bool is_id = IsValidId(name) && name.front() != '-' && !name.starts_with(kBodiesStore);
  return is_id ? name : "";
}

const char* FolderOf(ValueKind kind) {
  if (kind == ValueKind::kSnapshot) return kSnapshotsFolder;
  return kind == ValueKind::kJob ? kJobsFolder : kSegmentsFolder;
}

}  // namespace

std::vector<std::string> IdsOfRoot(ValueKind kind, const TypedCrawl& crawl, const std::vector<std::string>& environment,
                                   const OptionGroups& known) {
  std::string root = RootOf(crawl, environment, known);
  if (root.starts_with(kLocalScheme)) root.erase(0, sizeof kLocalScheme - 1);
  if (root.empty() || root.find("://") != std::string::npos) return {};
  std::vector<std::string> ids;
  std::error_code error;
  for (fs::directory_iterator at(LocalPath(root, environment) / FolderOf(kind), error), end; !error && at != end;
       at.increment(error)) {
    if (std::string id = IdOf(kind, at->path().filename().string()); !id.empty()) ids.push_back(std::move(id));
  }
  // Numbers of fewer digits are smaller; ids begin with their time.
  const auto is_newer = [kind](const std::string& a, const std::string& b) {
    return kind == ValueKind::kSnapshot && a.size() != b.size() ? a.size() > b.size() : a > b;
  };
  const size_t kept = std::min(ids.size(), kMostIds);
  std::partial_sort(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(kept), ids.end(), is_newer);
  ids.resize(kept);
  return ids;
}

}  // namespace trawl
