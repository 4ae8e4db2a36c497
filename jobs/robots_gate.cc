#include "jobs/robots_gate.h"

#include <algorithm>
#include <utility>

#include "jobs/fetch_outcome.h"
#include "runtime/timestamp.h"

namespace trawl {

namespace {

constexpr int64_t kHourMs = 3'600'000;
constexpr int64_t kLongestDeferMs = 24 * kHourMs;
constexpr int kHistoryLines = 10;

void Note(const std::string& decision, int64_t now_ms, RobotsRow* row) {
  row->history += FormatTimestamp(now_ms) + " " + TextOf(row->outcome) + " " + std::to_string(row->status) + " " + decision +
                  "\n";
  while (std::count(row->history.begin(), row->history.end(), '\n') > kHistoryLines) {
    row->history.erase(0, row->history.find('\n') + 1);
  }
}

}  // namespace

void RobotsGate::Add(RobotsRow row) {
  Origin& origin = origins_[row.key];
  if (origin.row.key.empty() || origin.row.fetched_ms <= row.fetched_ms) origin = {std::move(row), std::nullopt};
}

// -- answers -------------------------------------------------------------------------------------------------------------

void RobotsGate::Take(const std::string& key, const RobotsAnswer& answer, int64_t now_ms) {
  Origin& origin = origins_[key];
  const HttpAnswer& http = answer.http;
  const PageVerdict verdict = JudgePage(http, /*conditional=*/false, now_ms);
  RobotsRow& row = origin.row;
  row.key = key;
  row.removed = false;
  row.outcome = verdict.outcome;
  row.status = http.status;
  row.fetched_ms = now_ms;
  row.redirect_to = answer.redirects > 0 ? answer.last_url : "";
  changed_.insert(key);

  const bool answered = http.outcome == HttpOutcome::kAnswered;
  const std::string status = "status " + std::to_string(http.status);
  if (!answered) return TakeUnreachable(TextOf(verdict.outcome) + (verdict.reason.empty() ? "" : ", ") + verdict.reason, now_ms, &origin);
  if (answer.redirects_end_nowhere) return TakeNone("robots.txt redirects too often or to nowhere", now_ms, &origin);
  if (http.status == 429 || http.status >= 500) return TakeUnreachable(status, now_ms, &origin);
  if (http.status < 200 || http.status >= 300) return TakeNone("robots.txt: " + status, now_ms, &origin);
  if (http.end != BodyEnd::kComplete && http.end != BodyEnd::kSize) {
    return TakeUnreachable("its body is cut off", now_ms, &origin);
  }
  TakeGood(answer, now_ms, &origin);
}

void RobotsGate::TakeGood(const RobotsAnswer& answer, int64_t now_ms, Origin* origin) const {
  origin->row.text = answer.http.body;
  origin->row.text_ms = now_ms;
  origin->row.failures = 0;
  origin->row.due_ms = now_ms + options_.ttl_ms;
  origin->rules.reset();
  Note("rules", now_ms, &origin->row);
}

void RobotsGate::TakeNone(std::string reason, int64_t now_ms, Origin* origin) const {
  origin->row.text.clear();
  origin->row.text_ms = now_ms;
  origin->row.failures = 0;
  origin->row.due_ms = now_ms + options_.ttl_ms;
  origin->rules.reset();
  Note("allowed, " + reason, now_ms, &origin->row);
}

void RobotsGate::TakeUnreachable(std::string reason, int64_t now_ms, Origin* origin) const {
  RobotsRow& row = origin->row;
  const int doublings = std::min(row.failures, 10);
  row.failures = doublings + 1;
  row.due_ms = now_ms + std::min(kHourMs << doublings, kLongestDeferMs);
  if (row.text_ms != 0 && row.text_ms + options_.keep_ms <= now_ms) {
    row.text.clear();
    row.text_ms = 0;
  }
  origin->rules.reset();
  Note((row.text_ms != 0 ? "the last good copy serves, " : "deferred, ") + reason, now_ms, &row);
}

// -- decisions -----------------------------------------------------------------------------------------------------------

const RobotsRules& RobotsGate::RulesOf(Origin& origin) const {
  if (!origin.rules) origin.rules = RobotsRules::Parse(origin.row.text, agent_);
  return *origin.rules;
}

RobotsDecision RobotsGate::Check(std::string_view key, std::string_view path_and_query, int64_t now_ms) {
  const auto found = origins_.find(key);
  if (found == origins_.end() || found->second.row.due_ms <= now_ms) return {};
  return Judge(found->second, path_and_query);
}

RobotsDecision RobotsGate::Judge(Origin& origin, std::string_view path_and_query) const {
  using Kind = RobotsDecision::Kind;
  const RobotsRow& row = origin.row;
  if (row.text_ms == 0) {
    const std::string reason = "robots.txt cannot be reached: " + TextOf(row.outcome) +
                               (row.status == 0 ? "" : ", status " + std::to_string(row.status));
    if (options_.on_unreachable == OnUnreachableRobots::kAllow) return {Kind::kAllowed, 0, reason, true};
    return {Kind::kDeferred, 0, reason + "; asked again from " + FormatTimestamp(row.due_ms)};
  }
  if (row.text.empty()) return {Kind::kAllowed, 0, "no rules"};
  const RobotsRules::Verdict verdict = RulesOf(origin).Check(path_and_query);
  return {verdict.allowed ? Kind::kAllowed : Kind::kDenied, static_cast<int32_t>(verdict.line), std::string(verdict.text)};
}

std::optional<int64_t> RobotsGate::CrawlDelayMs(std::string_view key) {
  const auto found = origins_.find(key);
  if (found == origins_.end() || found->second.row.text.empty()) return std::nullopt;
  return RulesOf(found->second).crawl_delay_ms();
}

std::vector<RobotsRow> RobotsGate::TakeChanged() {
  std::vector<RobotsRow> rows;
  for (const std::string& key : changed_) rows.push_back(origins_.find(key)->second.row);
  changed_.clear();
  return rows;
}

}  // namespace trawl
