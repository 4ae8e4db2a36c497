#include "jobs/rounds/linked_stop.h"

#include <poll.h>

#include <utility>

namespace trawl {

using arrow::Result;

Result<std::unique_ptr<LinkedStop>> LinkedStop::Make(StopToken outer) {
  ARROW_ASSIGN_OR_RAISE(StopSource source, StopSource::Make());
  return std::unique_ptr<LinkedStop>(new LinkedStop(std::move(outer), std::move(source)));
}

LinkedStop::LinkedStop(StopToken outer, StopSource source) : outer_(std::move(outer)), source_(std::move(source)) {
  thread_ = std::thread([this] {
    // poll leaves out an outer token that never stops: its descriptor is -1.
    pollfd waited[] = {{outer_.wait_fd(), POLLIN, 0}, {source_.token().wait_fd(), POLLIN, 0}};
    while (!outer_.stopped() && !source_.token().stopped()) (void)poll(waited, 2, -1);
    source_.Stop();
  });
}

LinkedStop::~LinkedStop() {
  source_.Stop();
  thread_.join();
}

}  // namespace trawl
