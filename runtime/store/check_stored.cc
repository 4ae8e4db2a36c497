#include "runtime/store/check_stored.h"

#include <cstdint>
#include <map>

namespace trawl {

using arrow::Status;

Status CheckStored(Store* store, const std::string& folder, const std::vector<FileReceipt>& files,
                   const std::string& record, const std::string& missing) {
  ARROW_ASSIGN_OR_RAISE(const auto entries, store->List(folder, /*recursive=*/false));
  std::map<std::string, int64_t> sizes;
  for (const StoreEntry& entry : entries) sizes[entry.path] = entry.size_bytes;
  if (!record.empty() && !sizes.contains(record)) return Status::IOError(record, ": ", missing);
  const auto check = [&](const std::string& name, int64_t size_bytes) {
    const std::string path = folder + "/" + name;
    const auto found = sizes.find(path);
    if (found == sizes.end()) return Status::IOError(path, ": ", missing);
    if (found->second != size_bytes) {
      return Status::IOError(path, ": has ", found->second, " bytes, ", size_bytes, " were written");
    }
    return Status::OK();
  };
  for (const FileReceipt& file : files) {
    ARROW_RETURN_NOT_OK(check(file.name, file.seal.size_bytes));
    if (file.sidecar.size_bytes == 0) continue;
    ARROW_RETURN_NOT_OK(check(SidecarName(file.name), file.sidecar.size_bytes));
  }
  return Status::OK();
}

}  // namespace trawl
