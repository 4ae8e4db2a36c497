// Which content files are still there: gc takes old ones (--bodies_older_than), and what a row says of its body is
// worth no more than the file. One thread.
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>

#include "arrow/result.h"
#include "formats/rows/url_row.h"
#include "runtime/store/store.h"

namespace trawl {

class StoredBodies {
 public:
  // `store` must outlive it.
  explicit StoredBodies(Store* store) : store_(store) {}

  // Takes from the row where its body lies, if that is gone: then it is asked for without validators, and whatever
  // comes is stored. Lists each segment's folder once.
  arrow::Status ForgetIfGone(UrlRow* row);

 private:
  arrow::Result<bool> Has(const std::string& segment, const std::string& file);

  Store* const store_;
  std::unordered_map<std::string, std::unordered_set<std::string>> files_;  // by segment
};

}  // namespace trawl
