// Whether the store answers, and whether the present of the crawl can be read: two things. Damage in the present is no reason
// to call the store away, for whoever asks for what is damaged gets an answer of its own.
#pragma once

#include <cstdint>
#include <mutex>

#include "arrow/status.h"
#include "runtime/store/store.h"

namespace trawl {

class Readiness {
 public:
  // Lists the snapshots and reads the beginning of the newest, for a NameNode may answer while no DataNode does. Reads a new
  // present whole, until that was possible. Fails where the store does. One thread at a time.
  arrow::Status Probe(Store* store);
  // OK, or why the present cannot be read. Any thread.
  arrow::Status state() const;

 private:
  int64_t number_ = -1;  // of Probe alone
  mutable std::mutex mutex_;
  arrow::Status state_;
};

}  // namespace trawl
