// Standard output as a stream that knows whether its bytes were written: `trawl readdb dump | head` ends quietly, a
// full disk does not.
#pragma once

#include <memory>
#include <ostream>

#include "arrow/status.h"

namespace trawl {

// A buffered stream over a file descriptor that somebody else closes. After the first failed write it is bad() and
// drops everything. One thread. SIGPIPE must be ignored (runtime/process/stop.h).
class OutputStream : public std::ostream {
 public:
  explicit OutputStream(int fd);
  ~OutputStream() override;

  // Flushes. Returns OK, kOutputClosed (status_detail.h) where the reader has gone away, or IOError with the reason.
  arrow::Status Finish();

 private:
  class Buffer;
  std::unique_ptr<Buffer> buffer_;
};

// For loops that print much: returns kOutputClosed once `out` takes no more, whatever the reason; the command knows the
// reason.
arrow::Status CheckOutput(const std::ostream& out);

}  // namespace trawl
