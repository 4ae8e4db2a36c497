// Standard error for a verb whose root was typed: the commands that its lines name get that root. One thread.
#pragma once

#include <memory>
#include <ostream>
#include <string>

namespace trawl {

// Hands whole lines on, and at a flush what there is (WithRoot in jobs/policy/advice.h).
class RootedStream : public std::ostream {
 public:
  // `to` must outlive it.
  RootedStream(std::ostream& to, std::string root);
  ~RootedStream() override;

 private:
  class Buffer;
  std::unique_ptr<Buffer> buffer_;
};

}  // namespace trawl
