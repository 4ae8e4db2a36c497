// Standard input as a stream that ends when the process is asked to stop, instead of waiting for a line that never
// comes.
#pragma once

#include <istream>
#include <memory>
#include <ostream>

#include "runtime/process/stop.h"

namespace trawl {

// A buffered stream over a file descriptor that somebody else closes. Before it waits for more input it flushes
// `flushed`, so that a user who sends one line and waits for its answer gets it. Once stopped it is at its end; the
// token tells whether the input ended or was stopped. A failed read sets badbit. One thread.
class InputStream : public std::istream {
 public:
  // `flushed` may be null; otherwise it outlives this stream.
  InputStream(int fd, StopToken stop, std::ostream* flushed);
  ~InputStream() override;

 private:
  class Buffer;
  std::unique_ptr<Buffer> buffer_;
};

}  // namespace trawl
