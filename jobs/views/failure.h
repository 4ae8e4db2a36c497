// A failed Status that knows which HTTP status it is, and how any other failure is told to a client. Pure; any thread.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "arrow/status.h"
#include "formats/answers/problem.h"

namespace trawl {

// A failure with the problem that the client gets.
arrow::Status ProblemStatus(Problem problem);
// The usual ones.
arrow::Status BadRequest(std::string detail, std::vector<ProblemField> fields = {});     // 400
arrow::Status Unknown(std::string detail);                                               // 404
arrow::Status Gone(std::string detail);                                                  // 410
arrow::Status Conflict(std::string detail);                                              // 409
arrow::Status Unprocessable(std::string detail, std::vector<ProblemField> fields = {});  // 422
arrow::Status StoreAway(std::string detail);                                             // 503 with Retry-After

// Whether the failure says itself which problem it is.
bool HasProblem(const arrow::Status& status);

// The problem of any failure: its own where it has one; else by its kind. A usage error is 400, a conflict 409, a stopped
// request 503, and anything else 500 with the message, which names the damaged file.
Problem ProblemOf(const arrow::Status& status);

}  // namespace trawl
