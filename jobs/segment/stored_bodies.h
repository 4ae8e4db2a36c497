// Knows which content files are still there, since gc removes old ones (--bodies_older_than) and rows of the urls table
// may still name them. One thread.
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

  // Whether the row names a body whose file is still there. Lists each segment's folder once.
  arrow::Result<bool> HasBodyOf(const UrlRow& row);
  // Whether the segment still has this file of bodies.
  arrow::Result<bool> Has(const std::string& segment, const std::string& file);

 private:
  Store* const store_;
  std::unordered_map<std::string, std::unordered_set<std::string>> files_;  // by segment
};

}  // namespace trawl
