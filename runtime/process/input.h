// Standard input as a stream that ends when the process is asked to stop, instead of waiting on for a line that never
// comes.
#pragma once

#include <istream>
#include <memory>
#include <ostream>

#include "runtime/process/stop.h"

namespace trawl {

// A buffered stream over a file descriptor that somebody else closes. Whenever it has to wait for more it flushes
// `flushed` first: whoever sends one line and waits for its answer gets it. Once stopped it is at its end; ask the
// token which end it is. A failed read sets badbit. One thread.
class InputStream : public std::istream {
 public:
  // `flushed` may be null, else it outlives this.
  InputStream(int fd, StopToken stop, std::ostream* flushed);
  ~InputStream() override;

 private:
  class Buffer;
  std::unique_ptr<Buffer> buffer_;
};

}  // namespace trawl
