#include "jobs/serve/readiness.h"

#include <algorithm>
#include <string>

#include "arrow/io/interfaces.h"
#include "runtime/root/layout.h"
#include "runtime/root/snapshot.h"
#include "runtime/store/status.h"

namespace trawl {

using arrow::Status;

namespace {

Status ReadSome(Store* store, const std::string& path) {
  constexpr int64_t kBytes = 256;
  const auto file = store->OpenUnverified(path);
  // Who took it away since it was listed has published a newer one.
  if (!file.ok()) return IsNotFound(file.status()) ? Status::OK() : file.status();
  char bytes[kBytes];
  ARROW_ASSIGN_OR_RAISE(const int64_t size, (*file)->GetSize());
  return (*file)->ReadAt(0, std::min(size, kBytes), bytes).status();
}

}  // namespace

Status Readiness::Probe(Store* store) {
  ARROW_ASSIGN_OR_RAISE(const int64_t number, PresentNumber(store));
  if (number < 0) return ReadPresent(store).status();
  ARROW_RETURN_NOT_OK(ReadSome(store, SnapshotPath(number)));
  if (number == number_ && state().ok()) return Status::OK();
  const Status read = ReadSnapshot(store, number).status();
  number_ = number;
  const std::lock_guard lock(mutex_);
  state_ = read;
  return Status::OK();
}

Status Readiness::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

}  // namespace trawl
