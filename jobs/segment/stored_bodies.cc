#include "jobs/segment/stored_bodies.h"

#include "formats/rows/content_row.h"
#include "runtime/root/layout.h"

namespace trawl {

using arrow::Result;

Result<bool> StoredBodies::HasBodyOf(const UrlRow& row) {
  if (row.body_file.empty() || !IsValidId(row.body_segment)) return false;
  return Has(row.body_segment, row.body_file);
}

Result<bool> StoredBodies::Has(const std::string& segment, const std::string& file) {
  const auto [known, is_new] = files_.try_emplace(segment);
  if (is_new) {
    ARROW_ASSIGN_OR_RAISE(const std::vector<StoreEntry> entries,
                          store_->List(DatasetFolder(segment, ContentRow::kTable), /*recursive=*/false));
    for (const StoreEntry& entry : entries) known->second.insert(entry.path.substr(entry.path.rfind('/') + 1));
  }
  return known->second.contains(file);
}

}  // namespace trawl
