#include "jobs/updatedb/url_event.h"

#include <array>

namespace trawl {

namespace {

bool IsPermanent(int32_t status) { return status == 301 || status == 308; }

// Whether the content differs from the previous body's. Cleaned pages are compared where both are known, since a page that
// shows a clock or a token never has the same bytes twice.
bool HasChanged(const UrlRow& row, const FetchRow& fetch, const ParseRow* parse) {
  if (fetch.body_digest == row.body_digest) return false;
  const bool comparable = parse != nullptr && !parse->failed && parse->parser == row.parser &&
                          !parse->content_digest.empty() && !row.content_digest.empty();
  return !comparable || parse->content_digest != row.content_digest;
}

UrlEvent EventOfBody(const UrlRow* row, const UrlNews& news) {
  if (news.parse != nullptr && news.parse->failed) return UrlEvent::kParseFailed;
  if (row == nullptr || row->body_digest.empty()) return UrlEvent::kFetchedNew;
  return HasChanged(*row, *news.fetch, news.parse) ? UrlEvent::kFetchedChanged : UrlEvent::kFetchedUnchanged;
}

UrlEvent EventOfStatus(int32_t status) {
  if (status == 404) return UrlEvent::kNotFound;
  return status == 410 ? UrlEvent::kGoneForGood : UrlEvent::kClientError;
}

// Whether the operator put the URL back, or said when to ask for it, after this answer that brought nothing of the page.
bool IsOverruled(const UrlRow& row, const FetchRow& fetch) {
  const bool has_content = fetch.outcome == Outcome::kFetched || fetch.outcome == Outcome::kNotModified ||
                           fetch.outcome == Outcome::kRedirect;
  return row.due_set_ms > 0 && fetch.fetched_ms <= row.due_set_ms && !has_content;
}

}  // namespace

const char* TextOf(UrlEvent event) {
  static constexpr std::array<const char*, kUrlEvents> kTexts = {"nothing",
                                                                 "new link",
                                                                 "fetched, new",
                                                                 "fetched, changed",
                                                                 "fetched, unchanged",
                                                                 "304 not modified",
                                                                 "fetched, not parsed",
                                                                 "redirect, temporary",
                                                                 "redirect, permanent",
                                                                 "redirect to itself",
                                                                 "404 not found",
                                                                 "410 gone",
                                                                 "other 4xx",
                                                                 "network error or 5xx",
                                                                 "TLS fault",
                                                                 "throttled",
                                                                 "robots denied",
                                                                 "robots deferred",
                                                                 "refused by a limit",
                                                                 "refused by address",
                                                                 "refused by type",
                                                                 "not reached",
                                                                 "blameless",
                                                                 "late outcome",
                                                                 "dropped",
                                                                 "host gone",
                                                                 "host back",
                                                                 "read again"};
  return kTexts[static_cast<size_t>(event)];
}

UrlEvent EventOf(const UrlRow* row, const UrlNews& news) {
  if (row != nullptr && IsDropped(*row)) return UrlEvent::kDropped;
  if (news.fetch == nullptr && news.reread != nullptr) {
    // Meanwhile a newer body may have come, which was read, too.
    const bool is_late = row == nullptr || row->body_file.empty() || row->body_digest != news.parse->body_digest;
    return is_late ? UrlEvent::kLate : UrlEvent::kReread;
  }
  if (news.fetch == nullptr) return news.links ? UrlEvent::kLink : UrlEvent::kNone;
  const FetchRow& fetch = *news.fetch;
  if (row != nullptr && row->fetched_ms > 0 && fetch.fetched_ms <= row->fetched_ms) return UrlEvent::kLate;
  if (row != nullptr && IsOverruled(*row, fetch)) return UrlEvent::kLate;
  if (fetch.blameless) return UrlEvent::kBlameless;
  switch (fetch.outcome) {
    case Outcome::kNone:
    case Outcome::kBreakerOpen:
    case Outcome::kNotReached:
    case Outcome::kDropped:
      return UrlEvent::kNotReached;
    case Outcome::kFetched:
      return EventOfBody(row, news);
    case Outcome::kNotModified:
      return UrlEvent::kNotModified;
    case Outcome::kRedirect:
    case Outcome::kRedirectRefused:
      if (fetch.redirect_to == fetch.key) return UrlEvent::kRedirectToItself;
      return IsPermanent(fetch.status) ? UrlEvent::kRedirectPermanent : UrlEvent::kRedirectTemporary;
    case Outcome::kRedirectLoop:
      return UrlEvent::kRedirectToItself;
    case Outcome::kGone:
    case Outcome::kClientError:
      return EventOfStatus(fetch.status);
    case Outcome::kThrottled:
      return UrlEvent::kThrottled;
    case Outcome::kRobotsDenied:
      return UrlEvent::kRobotsDenied;
    case Outcome::kRobotsDeferred:
      return UrlEvent::kRobotsDeferred;
    case Outcome::kAddressRefused:
    case Outcome::kSchemeRefused:
      return UrlEvent::kRefusedByAddress;
    case Outcome::kTypeRefused:
      return UrlEvent::kRefusedByType;
    case Outcome::kHeaderLimit:
    case Outcome::kRedirectLimit:
      return UrlEvent::kRefusedByLimit;
    case Outcome::kTlsFailed:
      return UrlEvent::kTlsFailed;
    case Outcome::kServerError:
    case Outcome::kTooSlow:
    case Outcome::kTimeout:
    case Outcome::kDnsFailed:
    case Outcome::kConnectFailed:
    case Outcome::kConnectionReset:
    case Outcome::kProtocolError:
    case Outcome::kDecodeError:
      return UrlEvent::kFailed;
  }
  // An outcome that only a newer program knows: nobody's fault.
  return UrlEvent::kNotReached;
}

}  // namespace trawl
