#include "jobs/politeness/robots_standing.h"

#include <algorithm>

#include "formats/rows/times.h"

namespace trawl {

namespace {

constexpr int64_t kFirstDeferralMs = kHourMs;
constexpr int64_t kLongestDeferralMs = kDayMs;

}  // namespace

bool RulesServe(const RobotsRow& row, int64_t keep_ms, int64_t now_ms) {
  return row.text_ms != 0 && (row.failures == 0 || row.text_ms + keep_ms > now_ms);
}

std::string_view WhyOfRobots(const RobotsRow& row) {
  std::string_view line = row.history;
  if (line.ends_with('\n')) line.remove_suffix(1);
  line.remove_prefix(line.rfind('\n') + 1);
  const size_t comma = line.find(", ");
  return comma == std::string_view::npos ? std::string_view() : line.substr(comma + 2);
}

Outcome OutcomeOfDead(const RobotsRow& row) {
  return row.outcome == Outcome::kDnsFailed ? Outcome::kDnsFailed : Outcome::kConnectFailed;
}

std::string ReasonOfDead(const RobotsRow& row) {
  const std::string_view why = WhyOfRobots(row);
  const size_t comma = why.find(", ");  // "dns_failed, no such name"
  return std::string(kNobodyThere) +
         " to ask for robots.txt: " + std::string(comma == std::string_view::npos ? why : why.substr(comma + 2));
}

std::string HoldTextOf(const RobotsRow& row) {
  if (row.is_dead) return ReasonOfDead(row) + "; one URL of its host is tried again then, for all";
  return "its robots.txt could not be had: " + std::string(WhyOfRobots(row)) + "; it is fetched again then";
}

void HostWait::Add(const RobotsRow& row, const RobotsOptions& options, int64_t now_ms) {
  const int64_t until_ms = DeferredUntil(row, options, now_ms);
  if (until_ms == 0) is_free_ = true;
  if (is_free_ || (until_ms_ > 0 && until_ms_ <= until_ms)) return;
  until_ms_ = until_ms;
  is_dead_ = row.is_dead;
  text_ = HoldTextOf(row);
}

int64_t DeferredUntil(const RobotsRow& row, const RobotsOptions& options, int64_t now_ms) {
  if (row.is_dead) return row.due_ms > now_ms ? row.due_ms : 0;
  if (RulesServe(row, options.keep_ms, now_ms) || options.on_unreachable == OnUnreachableRobots::kAllow ||
      row.due_ms <= now_ms)
    return 0;
  const bool is_refused = row.outcome == Outcome::kAddressRefused && row.redirect_to.empty();
  return is_refused ? 0 : row.due_ms;
}

int64_t RobotsDeferralMs(int32_t failures) {
  const int doublings = std::clamp(failures - 1, 0, 10);
  return std::min(kFirstDeferralMs << doublings, kLongestDeferralMs);
}

}  // namespace trawl
