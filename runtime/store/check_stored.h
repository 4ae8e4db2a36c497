// Checks that the files named by receipts exist with the size they were written with: all that can be known without
// reading them. Any thread.
#pragma once

#include <string>
#include <vector>

#include "arrow/status.h"
#include "formats/documents/receipt.h"
#include "runtime/store/store.h"

namespace trawl {

// Lists the folder once. Looks for data files and sidecars, and for `record`, the path of another file there (empty: no
// such file). The IOError names the first missing file, followed by `missing`: "is missing, though …".
arrow::Status CheckStored(Store* store, const std::string& folder, const std::vector<FileReceipt>& files,
                          const std::string& record, const std::string& missing);

}  // namespace trawl
