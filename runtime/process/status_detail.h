// What a failed Status means to whoever started the verb. The code that fails knows; the driver turns it into an exit
// code.
//
// A Status without a kind is an ordinary failure. Arrow's codes alone would not do: a manifest that is damaged and an
// option that makes no sense are both Invalid. Thread-safe: all are pure.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "arrow/status.h"

namespace trawl {

enum class StatusKind {
  kUsage,         // what was typed makes no sense; the message says what to type instead
  kConflict,      // another job published first, again and again
  kStopped,       // asked to stop; everything finished so far stands and the same command goes on
  kOutputClosed,  // whoever read standard output has gone away (`trawl … | head`)
};

// A failed Status of this kind. kStopped comes with Arrow's code Cancelled, kOutputClosed with IOError, the others with
// Invalid.
arrow::Status StatusOfKind(StatusKind kind, std::string message);

// The kind, which also survives Status::WithMessage; nothing for OK and for ordinary failures.
std::optional<StatusKind> KindOf(const arrow::Status& status);

template <typename... Args>
arrow::Status UsageError(Args&&... args) {
  return StatusOfKind(StatusKind::kUsage, arrow::Status::Invalid(std::forward<Args>(args)...).message());
}
template <typename... Args>
arrow::Status ConflictError(Args&&... args) {
  return StatusOfKind(StatusKind::kConflict, arrow::Status::Invalid(std::forward<Args>(args)...).message());
}
// "stopped; run the same command again to go on".
arrow::Status StoppedError();

}  // namespace trawl
