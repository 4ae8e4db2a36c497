// Watches on a thread of its own whether the store answers, so that nobody else has to wait for one that does not.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "arrow/status.h"
#include "runtime/process/clock.h"

namespace trawl {

class StoreWatch {
 public:
  struct Rhythm {
    int64_t every_ms = 2'000;
    int64_t patience_ms = 5'000;  // a probe that takes longer means that the store is away
  };
  // `probe` reads something small from the store; it may hang, and then outlives the watch. The first probe counts as
  // successful until it has failed or taken too long. `clock` outlives the watch and a probe that hangs.
  StoreWatch(std::function<arrow::Status()> probe, const Clock& clock, Rhythm rhythm);
  ~StoreWatch();
  StoreWatch(const StoreWatch&) = delete;
  StoreWatch& operator=(const StoreWatch&) = delete;

  // OK, or why the store counts as away: the failure of the last probe, or that it does not answer. Never waits. Any
  // thread.
  arrow::Status State() const;
  // Ends the thread. False where its probe hangs.
  bool Stop();

 private:
  struct Shared;
  static void Watch(const std::shared_ptr<Shared>& shared);
  const std::shared_ptr<Shared> shared_;
};

}  // namespace trawl
