#include "runtime/bundle/bundle.h"

#include <unistd.h>

#include <chrono>
#include <filesystem>

#include "formats/digests/digest.h"
#include "runtime/process/child_process.h"
#include "runtime/process/own_process.h"
#include "runtime/process/status_detail.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

namespace stdfs = std::filesystem;

constexpr char kBundleName[] = "trawl.tar.gz";
constexpr int kFoldersAbove = 3;              // in which a program's bundle, or its checkout, is looked for
constexpr std::chrono::hours kKept{30 * 24};  // a bundle in the cache, since it was last used

// The folder of the program and the folders above it.
std::vector<stdfs::path> FoldersOf(const stdfs::path& binary) {
  std::vector<stdfs::path> folders;
  stdfs::path folder = binary.parent_path();
  for (int i = 0; i < kFoldersAbove; ++i, folder = folder.parent_path()) folders.push_back(folder);
  return folders;
}

// An archive that is older than the program holds another one.
std::string BundleBeside(const stdfs::path& binary) {
  std::error_code error;
  const auto built = stdfs::last_write_time(binary, error);
  for (const stdfs::path& folder : FoldersOf(binary)) {
    const auto packed = stdfs::last_write_time(folder / kBundleName, error);
    if (!error && packed >= built) return folder / kBundleName;
  }
  return "";
}

// Tells one build of a program from another.
std::string IdOf(const stdfs::path& binary) {
  std::error_code error;
  const auto size = stdfs::file_size(binary, error);
  const auto built = stdfs::last_write_time(binary, error).time_since_epoch().count();
  return ToHex(Hash64(binary.string() + "\n" + std::to_string(size) + "\n" + std::to_string(built)));
}

// The command that packs the program into `output`; empty where there is nothing to do it with.
std::vector<std::string> PackCommand(const stdfs::path& binary, const std::string& output) {
  std::error_code error;
  const stdfs::path unpacked = binary.parent_path().parent_path();
  if (binary.parent_path().filename() == "bin" && stdfs::exists(unpacked / "bundle.txt", error) &&
      stdfs::is_directory(unpacked / "lib", error)) {
    std::vector<std::string> command = {"tar",
                                        "--create",
                                        "--directory=" + unpacked.string(),
                                        "--file=" + output,
                                        "--use-compress-program=gzip -n",
                                        "--sort=name",
                                        "--mtime=@0",
                                        "--owner=0",
                                        "--group=0",
                                        "--numeric-owner",
                                        "--format=gnu",
                                        "bin",
                                        "bundle.txt",
                                        "lib"};
    if (stdfs::is_directory(unpacked / "licences", error)) command.push_back("licences");
    return command;
  }
  for (const stdfs::path& folder : FoldersOf(binary)) {
    const stdfs::path script = folder / "scripts" / "bundle";
    if (access(script.c_str(), X_OK) == 0) return {script, "--binary", binary, "--output", output};
  }
  return {};
}

Status MakeBundle(const stdfs::path& binary, const stdfs::path& made) {
  std::error_code error;
  stdfs::create_directories(made.parent_path(), error);
  const std::string begun = made.string() + "." + std::to_string(getpid());
  const std::vector<std::string> command = PackCommand(binary, begun);
  if (command.empty()) {
    return UsageError(
        "the nodes of the cluster need a bundle of program and libraries, and none is beside this program: make one "
        "with ",
        "scripts/bundle, and put it beside the program as trawl.tar.gz or name it with --streaming.bundle FILE");
  }
  const Result<ChildResult> packed = RunChild({.command = command});
  if (packed.ok() && packed->exit_code == 0) stdfs::rename(begun, made, error);
  if (packed.ok() && packed->exit_code == 0 && !error) return Status::OK();
  const std::string reason = !packed.ok()             ? packed.status().message()
                             : packed->exit_code != 0 ? packed->err.substr(0, 500)
                                                      : error.message();
  stdfs::remove(begun, error);
  return UsageError("no bundle of this program could be made in ", made.parent_path().string(), " (", command.front(),
                    ": ", reason, "); name one with --streaming.bundle FILE");
}

// Each build of the program leaves a bundle. Its time is that of its last use.
void ForgetUnused(const stdfs::path& cache) {
  const auto oldest = stdfs::file_time_type::clock::now() - kKept;
  std::error_code error;
  for (const stdfs::directory_entry& bundle : stdfs::directory_iterator(cache, error)) {
    const auto used = bundle.last_write_time(error);
    if (!error && used < oldest) stdfs::remove(bundle.path(), error);
  }
}

}  // namespace

BundlePlaces OwnBundlePlaces() {
  std::error_code error;
  BundlePlaces places = {.binary = stdfs::read_symlink("/proc/self/exe", error), .cache = Environment("TRAWL_CACHE")};
  if (places.cache.empty() && !Environment("HOME").empty()) places.cache = Environment("HOME") + "/.cache/trawl";
  if (!places.cache.empty()) places.cache += "/bundles";
  return places;
}

Result<std::string> FindOrMakeBundle(const BundlePlaces& places) {
  const std::string beside = BundleBeside(places.binary);
  if (!beside.empty()) return beside;
  if (places.cache.empty()) {
    return UsageError(
        "the nodes of the cluster need a bundle of program and libraries, and there is no folder to keep one ",
        "in (TRAWL_CACHE, HOME): make one with scripts/bundle and name it with --streaming.bundle FILE");
  }
  const stdfs::path made = stdfs::path(places.cache) / (IdOf(places.binary) + ".tar.gz");
  std::error_code error;
  if (!stdfs::exists(made, error)) ARROW_RETURN_NOT_OK(MakeBundle(places.binary, made));
  stdfs::last_write_time(made, stdfs::file_time_type::clock::now(), error);
  ForgetUnused(places.cache);
  return made.string();
}

}  // namespace trawl
