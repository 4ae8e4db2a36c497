#include "jobs/read/explain_rule.h"

#include "jobs/politeness/robots_standing.h"
#include "runtime/terminal/timestamp.h"
#include "runtime/terminal/units.h"

namespace trawl {

namespace {

constexpr char kNotParsed[] = "not parsed";

std::string Option(const char* name, int64_t value_ms) {
  return ReadableDuration(value_ms) + " (--refresh." + name + ")";
}

UrlEvent EventOfPage(const UrlRow& row) {
  if (row.reason.starts_with(kNotParsed)) return UrlEvent::kParseFailed;
  if (row.unchanged > 0) return UrlEvent::kFetchedUnchanged;
  return row.change_rate > 0 || row.fetches > 1 ? UrlEvent::kFetchedChanged : UrlEvent::kFetchedNew;
}

// The event that the row's own outcome was to NextState, by the same table.
UrlEvent EventOfOutcome(const UrlRow& row) {
  if (row.outcome == Outcome::kNone) return row.state == UrlState::kUnfetched ? UrlEvent::kLink : UrlEvent::kNone;
  if (row.outcome == Outcome::kFetched) return EventOfPage(row);
  if (row.state == UrlState::kGone && row.reason.starts_with(kNobodyThere)) return UrlEvent::kHostGone;
  FetchRow fetch;
  fetch.key = row.key;
  fetch.outcome = row.outcome;
  fetch.status = row.status;
  fetch.redirect_to = row.redirect_to;
  return EventOf(nullptr, {.key = row.key, .links = std::nullopt, .fetch = &fetch});
}

std::string FailureText(const UrlRow& row, const RefreshOptions& refresh) {
  if (row.state == UrlState::kGone) {
    return "gone after " + std::to_string(refresh.failing_rounds) +
           " rounds of failure in a row (--refresh.failing_rounds), tried again after " +
           Option("gone_interval", refresh.gone_interval_ms);
  }
  return "asked again after " + Option("retry_interval", refresh.retry_interval_ms) + ", gone after " +
         std::to_string(refresh.failing_rounds) + " such rounds in a row (--refresh.failing_rounds)";
}

}  // namespace

UrlEvent LastEventOf(const UrlRow& row, const FetchRow* last) {
  if (IsDropped(row)) return UrlEvent::kDropped;
  if (last == nullptr || last->fetched_ms == row.fetched_ms) return EventOfOutcome(row);
  const UrlEvent event = EventOf(&row, {.key = row.key, .links = std::nullopt, .fetch = last});
  const bool left_row_alone =
      event == UrlEvent::kLate || event == UrlEvent::kBlameless || event == UrlEvent::kNotReached;
  return left_row_alone ? event : EventOfOutcome(row);
}

std::string RuleText(UrlEvent event, const UrlRow& row, const RefreshOptions& refresh) {
  const auto rule = [event](int number, const std::string& text) {
    return std::string(TextOf(event)) + " (rule " + std::to_string(number) + "): " + text;
  };
  const std::string interval = "asked again after " + ReadableDuration(WaitOf(row));
  const std::string later = "tried again after " + Option("gone_interval", refresh.gone_interval_ms);
  if (row.due_set_ms > 0 && event != UrlEvent::kDropped) {
    return "rule 16: the operator set the due time, " + FormatTimestamp(row.due_set_ms);
  }
  switch (event) {
    case UrlEvent::kNone:
      return "";
    case UrlEvent::kReread:
      return rule(19, "its stored body was read again; state and due time stay as they were");
    case UrlEvent::kDropped:
      return "rule 15: dropped by the operator; only trawl urls set URL --undrop brings it back";
    case UrlEvent::kLink:
      return row.is_seed ? "a seed: due at once" : rule(1, "unfetched, due at once");
    case UrlEvent::kNotReached:
      return rule(4, "the round did not reach it, so the row stays as it was, and no try is lost");
    case UrlEvent::kBlameless:
      return rule(4, "our own machine failed, so the row stays as it was, and no try is lost");
    case UrlEvent::kLate:
      return rule(4, "the last segment's outcome is older than what the row knows, so the row stays as it was");
    case UrlEvent::kThrottled:
      return rule(5, "the host asked for fewer requests; the state stays, no try is lost, due when it said");
    case UrlEvent::kRobotsDeferred:
      return rule(6, "the state stays, no try is lost; robots.txt is asked for again after 1 h, doubling up to 24 h");
    case UrlEvent::kRobotsDenied:
      return rule(7, "robots.txt is checked again after " + Option("denied_interval", refresh.denied_interval_ms));
    case UrlEvent::kFetchedNew:
    case UrlEvent::kFetchedChanged:
    case UrlEvent::kFetchedUnchanged:
    case UrlEvent::kParseFailed:
      return rule(8, interval);
    case UrlEvent::kNotModified:
      return rule(9, interval);
    case UrlEvent::kRedirectTemporary:
      return rule(10, interval + ", like a page whose content is the target");
    case UrlEvent::kRedirectPermanent:
      return rule(10, interval + " (--refresh.max_interval)");
    case UrlEvent::kRedirectToItself:
      return rule(10, "to itself or in a circle; " + later);
    case UrlEvent::kNotFound:
    case UrlEvent::kFailed:
      return rule(11, FailureText(row, refresh));
    case UrlEvent::kHostGone:
      return rule(14, "nobody was there in " + std::to_string(refresh.failing_rounds) +
                          " rounds in a row (--refresh.failing_rounds), so all URLs of its host are gone; " + later +
                          ", or at once when its host answers");
    case UrlEvent::kHostBack:
      return rule(14, "its host answers again: due at once");
    case UrlEvent::kGoneForGood:
      return rule(12, "never asked again");
    case UrlEvent::kClientError:
    case UrlEvent::kTlsFailed:
      return rule(12, "gone at once, " + later);
    case UrlEvent::kRefusedByLimit:
    case UrlEvent::kRefusedByAddress:
    case UrlEvent::kRefusedByType:
      return rule(13, later);
  }
  return "";
}

}  // namespace trawl
