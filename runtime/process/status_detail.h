// Tells the caller of a verb how a failed Status is to be understood. The code that fails knows the kind; the command
// turns it into an exit code.
//
// A Status without a kind is an ordinary failure. Arrow's codes alone would not do: a damaged manifest and an option
// that makes no sense are both Invalid. All functions are pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "arrow/status.h"

namespace trawl {

enum class StatusKind {
  kUsage,         // the command line makes no sense; the message says what to type instead
  kConflict,      // another job published first, each time we tried
  kStopped,       // asked to stop; all finished work stands and the same command continues
  kOutputClosed,  // the reader of standard output has gone away (`trawl … | head`)
};

// Returns a failed Status of this kind. kStopped comes with Arrow's code Cancelled, kOutputClosed with IOError, the
// others with Invalid.
arrow::Status StatusOfKind(StatusKind kind, std::string message);

// Returns the kind, which also survives Status::WithMessage; nothing for OK and for ordinary failures.
std::optional<StatusKind> KindOf(const arrow::Status& status);

template <typename... Args>
arrow::Status UsageError(Args&&... args) {
  return StatusOfKind(StatusKind::kUsage, arrow::Status::Invalid(std::forward<Args>(args)...).message());
}
template <typename... Args>
arrow::Status ConflictError(Args&&... args) {
  return StatusOfKind(StatusKind::kConflict, arrow::Status::Invalid(std::forward<Args>(args)...).message());
}
// Its message is "stopped; run the same command again to go on".
arrow::Status StoppedError();

}  // namespace trawl
