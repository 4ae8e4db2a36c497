// The door of formats/answers: what HTTP requests of a client say, and what is answered to them. Here: a request's target, its path
// and its query, and the fields of a form. Pure; any thread.
//
// Only the origin form (RFC 9112 section 3.2.1): "/path?query". Queries and forms are application/x-www-form-urlencoded as in
// the WHATWG URL Standard, but a percent sign without two digits and text that is not UTF-8 are refused, never repaired.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arrow/result.h"

namespace trawl {

// In the order in which they were sent.
using NamedValues = std::vector<std::pair<std::string, std::string>>;

struct RequestTarget {
  std::string_view path;              // as it was sent
  std::vector<std::string> segments;  // of the path, decoded: "/a/b%2Fc" has "a" and "b/c"; "/" has one that is empty
  NamedValues query;
};

inline constexpr size_t kMostTargetBytes = 8192;
inline constexpr size_t kMostNamedValues = 256;

// Invalid, with the reason in words, where it is no target of that form. The result points into `target`.
arrow::Result<RequestTarget> ParseTarget(std::string_view target);

// A query or the body of a form.
arrow::Result<NamedValues> ParseForm(std::string_view text);

// The text of a path's segment or of a query's value, as ParseTarget reads it back.
std::string PercentEncoded(std::string_view text);
// "limit=5&cursor=abc", as ParseForm reads it back.
std::string FormOf(const NamedValues& values);

}  // namespace trawl
