#include "runtime/streaming/bundle.h"

#include "arrow/io/interfaces.h"
#include "formats/digests/digest.h"
#include "runtime/bundle/bundle.h"
#include "runtime/process/read_file.h"
#include "runtime/process/status_detail.h"
#include "runtime/root/layout.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr int64_t kMaxBundleBytes = int64_t{1} << 30;

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

Result<std::string> LocalBundle(const std::string& wanted) {
  return wanted.empty() ? FindOrMakeBundle(OwnBundlePlaces()) : wanted;
}

Result<std::string> ShipBundle(const std::string& wanted, Store* work) {
  if (wanted.find("://") != std::string::npos) return wanted;
  ARROW_ASSIGN_OR_RAISE(const std::string file, LocalBundle(wanted));
  const Result<std::string> bytes = ReadLocalFile(file, kMaxBundleBytes);
  if (!bytes.ok()) return UsageError("--streaming.bundle ", bytes.status().message());
  const std::string path = BundlePath(ToHex(Sha256Of(*bytes)).substr(0, 32));
  ARROW_RETURN_NOT_OK(Upload(*bytes, path, work));
  return HadoopName(*work, path);
}

}  // namespace trawl
