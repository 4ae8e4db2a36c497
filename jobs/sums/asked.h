// Which outcomes of a fetch are requests, and which of these are errors: one rule for the minutes of a round, for what runs now,
// and for the line of a fetch. Pure; any thread.
//
//  1. A URL that was settled without a request (denied or put off by robots.txt, refused by its address or scheme, stopped by the
//     breaker, not reached) is neither a request nor an error.
//  2. A sitemap that was only guessed and is not there is neither, too.
//  3. Every other outcome is one request. It is an error unless it was fetched, not modified or redirected.
#pragma once

#include <cstdint>
#include <string_view>

#include "formats/documents/json.h"

namespace trawl {

// By the name of the outcome, as the counters `outcome.<name>` have it.
bool IsRequest(std::string_view outcome);
bool IsSuccess(std::string_view outcome);

// No counter of a part comes near it, and sums of many stay far below the limits of int64: a document may say anything.
inline constexpr int64_t kMostOfCounter = int64_t{1} << 48;
// The counter's value from 0 to kMostOfCounter; 0 where there is no such number.
int64_t BoundedCounter(const Json& counters, const char* name);

struct AskedSums {
  int64_t asked = 0;
  int64_t succeeded = 0;  // of them
  int64_t errors() const { return asked - succeeded; }

  // From the counters `outcome.<name>` of a part.
  static AskedSums FromCounters(const Json& counters);
  void Add(std::string_view outcome, int64_t count);
};

}  // namespace trawl
