#include "runtime/streaming/bundle.h"

#include <filesystem>
#include <vector>

#include "arrow/io/interfaces.h"
#include "formats/digests/digest.h"
#include "runtime/process/read_file.h"
#include "runtime/process/status_detail.h"
#include "runtime/root/layout.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

namespace stdfs = std::filesystem;

constexpr char kBundleName[] = "trawl.tar.gz";
constexpr int64_t kMaxBundleBytes = int64_t{1} << 30;

// Finds the archive of this binary: an archive older than the binary holds another one.
Result<std::string> FindBundle() {
  std::error_code error;
  const stdfs::path binary = stdfs::read_symlink("/proc/self/exe", error);
  const stdfs::path folder = binary.parent_path();
  for (const stdfs::path& candidate :
       {folder / kBundleName, folder.parent_path() / kBundleName, folder.parent_path().parent_path() / kBundleName}) {
    const auto packed = stdfs::last_write_time(candidate, error);
    if (error) continue;
    if (packed < stdfs::last_write_time(binary, error)) {
      return UsageError(candidate.string(),
                        " is older than this program; make a new one with scripts/bundle, or name another with ",
                        "--streaming.bundle");
    }
    return candidate.string();
  }
  return UsageError(
      "the nodes of the cluster need a bundle of program and libraries: make one with scripts/bundle and name it with ",
      "--streaming.bundle FILE");
}

Status Upload(const std::string& bytes, const std::string& path, Store* work) {
  ARROW_ASSIGN_OR_RAISE(const bool there, work->Exists(path));
  if (there) return Status::OK();
  ARROW_ASSIGN_OR_RAISE(const auto writer, work->OpenWriter(path));
  ARROW_RETURN_NOT_OK(writer->stream()->Write(bytes.data(), static_cast<int64_t>(bytes.size())));
  const Status committed = writer->Commit().status();
  return committed.IsAlreadyExists() ? Status::OK() : committed;
}

}  // namespace

std::string HadoopName(const Store& store, const std::string& path) {
  const std::string root = store.Describe();
  const std::string name = root.find("://") == std::string::npos ? "file://" + root : root;
  return name + "/" + path;
}

Result<std::string> ShipBundle(const std::string& wanted, Store* work) {
  if (wanted.find("://") != std::string::npos) return wanted;
  std::string file = wanted;
  if (file.empty()) {
    ARROW_ASSIGN_OR_RAISE(file, FindBundle());
  }
  const Result<std::string> bytes = ReadLocalFile(file, kMaxBundleBytes);
  if (!bytes.ok()) return UsageError("--streaming.bundle ", bytes.status().message());
  const std::string path = BundlePath(ToHex(Sha256Of(*bytes)).substr(0, 32));
  ARROW_RETURN_NOT_OK(Upload(*bytes, path, work));
  return HadoopName(*work, path);
}

}  // namespace trawl
