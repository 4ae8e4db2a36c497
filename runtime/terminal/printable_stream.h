// What goes to a terminal, made harmless on its way (Printable in runtime/terminal/text.h). One thread.
#pragma once

#include <memory>
#include <ostream>

namespace trawl {

// Hands the text on to another stream at once, but for the first bytes of a character whose others are still to come.
// Line ends CR LF become LF.
class PrintableStream : public std::ostream {
 public:
  // `to` must outlive it.
  explicit PrintableStream(std::ostream& to);
  ~PrintableStream() override;

 private:
  class Buffer;
  std::unique_ptr<Buffer> buffer_;
};

}  // namespace trawl
