// The outcome of a request, and the reason why a kept body is not whole. Numbers are for ever: a number never gets
// another meaning.
#pragma once

#include <cstdint>
#include <string>

namespace trawl {

// The outcome of a request.
enum class Outcome : int8_t {
  kNone = 0,
  kFetched = 1,
  kNotModified = 2,
  kRedirect = 3,
  kRedirectLoop = 4,
  kRedirectLimit = 5,
  kRedirectRefused = 6,
  kGone = 7,
  kClientError = 8,
  kThrottled = 9,
  kServerError = 10,
  kRobotsDenied = 11,
  kRobotsDeferred = 12,
  kAddressRefused = 13,
  kSchemeRefused = 14,
  kTypeRefused = 15,
  kHeaderLimit = 16,
  kTooSlow = 17,
  kTimeout = 18,
  kDnsFailed = 19,
  kConnectFailed = 20,
  kTlsFailed = 21,
  kConnectionReset = 22,
  kProtocolError = 23,
  kDecodeError = 24,
  kBreakerOpen = 25,
  kNotReached = 26,
  kDropped = 27,  // not asked for: the operator does not want it
};

// The reason why a kept body is not whole.
enum class Truncation : int8_t { kNone = 0, kSize = 1, kRatio = 2, kTime = 3, kIncomplete = 4, kCoding = 5 };

// "not_modified", "size"; the empty text for 0, and "unknown-77" for a number that this program does not know.
std::string TextOf(Outcome outcome);
std::string TextOf(Truncation truncation);

}  // namespace trawl
