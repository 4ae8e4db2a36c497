#include "formats/documents/format_version.h"

namespace trawl {

arrow::Status CheckFormat(int64_t format, int64_t known) {
  if (format <= known) return arrow::Status::OK();
  return arrow::Status::Invalid("was written by a newer version (format ", format, ", this program knows ", known,
                                "): use a newer trawl");
}

}  // namespace trawl
