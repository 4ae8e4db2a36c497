#include "jobs/politeness/verdict.h"

#include <algorithm>
#include <optional>

#include "formats/http/fields.h"
#include "formats/http/media_type.h"
#include "formats/http/raw_headers.h"
#include "formats/rows/times.h"

namespace trawl {

namespace {

Truncation TruncationOf(BodyEnd end) {
  switch (end) {
    case BodyEnd::kSize:
      return Truncation::kSize;
    case BodyEnd::kRatio:
      return Truncation::kRatio;
    case BodyEnd::kTime:
      return Truncation::kTime;
    case BodyEnd::kIncomplete:
      return Truncation::kIncomplete;
    case BodyEnd::kCodingIncomplete:
      return Truncation::kCoding;
    case BodyEnd::kComplete:
    case BodyEnd::kDecodeError:
      break;
  }
  return Truncation::kNone;
}

// The outcome of a request without a status.
Outcome OutcomeWithoutStatus(HttpOutcome outcome) {
  switch (outcome) {
    case HttpOutcome::kTimeout:
      return Outcome::kTimeout;
    case HttpOutcome::kTooSlow:
      return Outcome::kTooSlow;
    case HttpOutcome::kConnectFailed:
      return Outcome::kConnectFailed;
    case HttpOutcome::kDnsFailed:
      return Outcome::kDnsFailed;
    case HttpOutcome::kTlsFailed:
      return Outcome::kTlsFailed;
    case HttpOutcome::kConnectionReset:
      return Outcome::kConnectionReset;
    case HttpOutcome::kHeaderLimit:
      return Outcome::kHeaderLimit;
    case HttpOutcome::kAddressRefused:
      return Outcome::kAddressRefused;
    case HttpOutcome::kSchemeRefused:
      return Outcome::kSchemeRefused;
    case HttpOutcome::kDecodeError:
      return Outcome::kDecodeError;
    case HttpOutcome::kTypeRefused:
      return Outcome::kTypeRefused;
    case HttpOutcome::kAnswered:
    case HttpOutcome::kProtocolError:
    case HttpOutcome::kCancelled:
      break;
  }
  return Outcome::kProtocolError;
}

bool IsNetworkFailure(HttpOutcome outcome) {
  return outcome == HttpOutcome::kTimeout || outcome == HttpOutcome::kTooSlow ||
         outcome == HttpOutcome::kConnectFailed || outcome == HttpOutcome::kDnsFailed ||
         outcome == HttpOutcome::kConnectionReset;
}

// What to type where the operator wants such answers.
const char* OptionAgainst(HttpOutcome outcome) {
  if (outcome == HttpOutcome::kAddressRefused) return " (allowed with --fetch.allow_private)";
  return outcome == HttpOutcome::kHeaderLimit ? " (--fetch.max_headers, --fetch.max_header_fields)" : "";
}

// Whether the server is to blame. If not, it works as it should, whatever it answered.
bool IsServersFault(HttpOutcome outcome) {
  return IsNetworkFailure(outcome) || outcome == HttpOutcome::kTlsFailed || outcome == HttpOutcome::kProtocolError ||
         outcome == HttpOutcome::kHeaderLimit;
}

bool IsThrottle(const HttpAnswer& answer) {
  if (answer.status == 408 || answer.status == 425 || answer.status == 429) return true;
  return answer.status == 503 && RetryAfterOf(answer, 0) >= 0;
}

void JudgeStatus(const HttpAnswer& answer, bool conditional, PageVerdict* verdict) {
  const int status = answer.status;
  if (status == 304) {
    verdict->outcome = conditional ? Outcome::kNotModified : Outcome::kProtocolError;
    if (!conditional) verdict->reason = "304 without validators to compare";
  } else if (status >= 200 && status < 300 && status != 206) {
    verdict->outcome = Outcome::kFetched;
    verdict->truncated = TruncationOf(answer.end);
    verdict->reason = answer.end == BodyEnd::kComplete ? "" : answer.detail;
  } else if (status == 206) {
    verdict->outcome = Outcome::kProtocolError;
    verdict->reason = "206 without a range asked for";
  } else if (status >= 300 && status < 400) {
    verdict->outcome = IsRedirect(answer) ? Outcome::kRedirect : Outcome::kRedirectRefused;
    if (verdict->outcome == Outcome::kRedirectRefused) verdict->reason = "no redirect that can be followed";
  } else if (status == 410) {
    verdict->outcome = Outcome::kGone;
  } else if (status >= 400 && status < 500) {
    verdict->outcome = Outcome::kClientError;
  } else if (status >= 500 && status < 600) {
    verdict->outcome = Outcome::kServerError;
  } else {
    verdict->outcome = Outcome::kProtocolError;
    verdict->reason = "a status that HTTP does not have";
  }
}

}  // namespace

bool MayPass(Outcome outcome) {
  return outcome == Outcome::kServerError || outcome == Outcome::kTimeout || outcome == Outcome::kTooSlow ||
         outcome == Outcome::kConnectFailed || outcome == Outcome::kDnsFailed || outcome == Outcome::kConnectionReset;
}

bool IsRedirect(const HttpAnswer& answer) {
  if (answer.outcome != HttpOutcome::kAnswered || answer.location.empty()) return false;
  return answer.status == 301 || answer.status == 302 || answer.status == 303 || answer.status == 307 ||
         answer.status == 308;
}

int64_t RetryAfterOf(const HttpAnswer& answer, int64_t now_ms) {
  constexpr int64_t kShortestMs = 1'000, kLongestMs = kDayMs;
  const std::optional<int64_t> asked_ms = RetryAfterMsOf(ParseRawHeaders(answer.raw_headers), now_ms);
  return asked_ms ? std::clamp(*asked_ms, kShortestMs, kLongestMs) : -1;
}

HostSign SignOf(const HttpAnswer& answer) {
  if (answer.own_fault || answer.stale_connection || answer.outcome == HttpOutcome::kCancelled)
    return HostSign::kBlameless;
  if (IsServersFault(answer.outcome)) return HostSign::kFailed;
  if (answer.outcome != HttpOutcome::kAnswered) return answer.sent ? HostSign::kAnswered : HostSign::kBlameless;
  if (IsThrottle(answer)) return HostSign::kThrottled;
  return answer.status >= 500 && answer.status < 600 ? HostSign::kFailed : HostSign::kAnswered;
}

PageVerdict JudgePage(const HttpAnswer& answer, bool conditional, int64_t now_ms) {
  PageVerdict verdict;
  verdict.sign = SignOf(answer);
  if (answer.outcome != HttpOutcome::kAnswered) {
    verdict.outcome = OutcomeWithoutStatus(answer.outcome);
    verdict.reason = answer.detail + OptionAgainst(answer.outcome);
    if (answer.tls_fault != TlsFault::kNone) {
      verdict.reason =
          std::string(TlsFaultName(answer.tls_fault)) + (verdict.reason.empty() ? "" : ": ") + verdict.reason;
    }
    return verdict;
  }
  if (verdict.sign == HostSign::kThrottled) {
    verdict.outcome = Outcome::kThrottled;
    verdict.retry_after_ms = RetryAfterOf(answer, now_ms);
    return verdict;
  }
  JudgeStatus(answer, conditional, &verdict);
  return verdict;
}

bool IsWantedType(UrlKind kind, std::string_view content_type) {
  const std::optional<MediaType> type = ParseMediaType(content_type);
  if (!type) return true;
  const std::string_view essence = type->essence;
  if (essence.starts_with("text/") || essence.ends_with("+xml") || essence.ends_with("/xml")) return true;
  if (kind == UrlKind::kPage || kind == UrlKind::kProbe) return false;
  if (essence == "application/json" || essence == "application/feed+json") return true;
  return essence == "application/gzip" || essence == "application/x-gzip" || essence == "application/octet-stream";
}

}  // namespace trawl
