// Reads stored bodies by their places, in whichever segment. One thread; cheap where places ascend within a segment.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "arrow/status.h"
#include "formats/documents/receipt.h"
#include "formats/rows/content_row.h"
#include "formats/tables/orc.h"
#include "runtime/store/store.h"

namespace trawl {

class BodiesByPlace {
 public:
  // `store` outlives the object.
  explicit BodiesByPlace(Store* store) : store_(store) {}

  // Fills `body` and `body_digest` of the row alone. An error that names the place where there is no body of that digest;
  // the message says what to do.
  arrow::Status Read(const std::string& segment, const std::string& file, int64_t row, const std::string& body_digest,
                     ContentRow* body);

 private:
  // A segment's bodies, with the file open that was read last.
  struct Segment {
    std::vector<FileReceipt> files;
    std::string file;
    std::unique_ptr<OrcReader> reader;
    ColumnBatch batch;
  };
  arrow::Status Open(const std::string& segment, const std::string& file, Segment* open) const;
  arrow::Status Find(const std::string& segment, const std::string& file, int64_t row, Segment* open) const;

  Store* const store_;
  std::map<std::string, Segment> segments_;
};

}  // namespace trawl
