// Problem details of HTTP answers (RFC 9457), as application/problem+json. Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "formats/documents/json.h"

namespace trawl {

inline constexpr char kProblemType[] = "application/problem+json";

// What is wrong with one member of the request: `pointer` is a JSON pointer into the body, as a fragment ("#/urls/3"), or
// names a parameter ("?limit").
struct ProblemField {
  std::string pointer;
  std::string detail;
  bool operator==(const ProblemField&) const = default;
};

struct Problem {
  int status = 500;
  std::string detail = {};
  std::vector<ProblemField> fields = {};
  // After how many seconds the client may try again; 0: nothing is said.
  int retry_after_s = 0;
  // Methods that the path has, for 405.
  std::vector<std::string> allow = {};
  bool operator==(const Problem&) const = default;
};

// The usual title of a status: "Not found".
const char* ProblemTitle(int status);
// The last part of its type: "not-found".
std::string ProblemName(int status);
// The statuses that have a title of their own.
const std::vector<int>& ProblemStatuses();
// {"type": "/problems/not-found", "title", "status", "detail", "errors": [{"pointer", "detail"}]}
Json ToJson(const Problem& problem);

}  // namespace trawl
