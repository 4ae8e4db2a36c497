// A door of jobs/cdxindex: writes a file of an archive that others read, and takes its SHA-256 on the way. One thread.
//
// Such a file has a name that does not depend on the attempt that wrote it, and its bytes depend on the plan alone. So
// where an attempt finds the file of an earlier one, that file stays: it has the same bytes. No attempt removes anything,
// for it may run late, after others have named the file; the driver removes what is not its own before the tasks begin,
// and looks at the sizes when they have ended.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "arrow/io/type_fwd.h"
#include "arrow/result.h"
#include "arrow/status.h"
#include "formats/documents/archive_begin.h"
#include "runtime/store/store.h"

namespace trawl {

class ArchiveFileWriter {
 public:
  // Where the file is there already, the writer only counts and digests. `store` outlives the writer.
  static arrow::Result<std::unique_ptr<ArchiveFileWriter>> Open(Store* store, const std::string& path);
  ~ArchiveFileWriter();

  // For libraries that want a stream; lives as long as the writer.
  std::shared_ptr<arrow::io::OutputStream> stream() const;
  arrow::Status Write(std::string_view bytes);
  // The number of bytes written so far: the offset of what comes next.
  int64_t bytes() const;

  // Gives the file its name. `records` is for what is known of it.
  arrow::Result<ArchiveFile> Commit(int64_t records);

 private:
  struct State;
  explicit ArchiveFileWriter(std::unique_ptr<State> state);
  const std::unique_ptr<State> state_;
};

}  // namespace trawl
