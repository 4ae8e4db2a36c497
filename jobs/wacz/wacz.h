// The door of jobs/wacz: a share of a finished archive as one file that viewers open (WACZ 1.1.1): its records, copied, with
// an index and a list of pages. One thread.
//
//   archive/NAME-00000.warc.gz   indexes/index.cdx.gz   indexes/index.idx   pages/pages.jsonl
//   datapackage.json             datapackage-digest.json
//
// The same archive and prefix give the same bytes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "jobs/wacz/selection.h"
#include "runtime/process/stop.h"
#include "runtime/store/store.h"

namespace trawl {

struct WaczWish {
  Store* from = nullptr;  // the archive's folder
  CapturesOfName name;
  std::vector<CapturesOfName> earlier;  // names to whose records its revisits may refer
  std::string prefix;                   // see HasPrefix
  std::string file;                     // a path, or a place that OpenStore takes
  bool overwrite = false;
  std::string libhdfs;   // see StoreOptions
  std::string software;  // "trawl/0.2.0"
  StopToken stop;
};

struct WaczMade {
  int64_t captures = 0;    // in the index, originals included
  int64_t originals = 0;   // that revisits need, from outside the prefix
  int64_t unresolved = 0;  // revisits whose original is not in the archive
  int64_t pages = 0;
  int64_t bytes = 0;
};

// Each record is checked while it is copied: an IOError, and no file, where one is damaged. UsageError where no capture begins with the prefix, or where the file is there and may not be overwritten.
arrow::Result<WaczMade> MakeWacz(const WaczWish& wish);

}  // namespace trawl
