// Whether the files that receipts speak of are there, as large as they were written: what can be known without reading
// them. Any thread.
#pragma once

#include <string>
#include <vector>

#include "arrow/status.h"
#include "formats/documents/receipt.h"
#include "runtime/store/store.h"

namespace trawl {

// One listing of the folder. Data files and sidecars are looked for, and `record`, the path of another file there
// (empty for none). The IOError names the first that is not there, followed by `missing`: "is missing, though …".
arrow::Status CheckStored(Store* store, const std::string& folder, const std::vector<FileReceipt>& files,
                          const std::string& record, const std::string& missing);

}  // namespace trawl
