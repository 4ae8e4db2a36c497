#include "jobs/politeness/robots_gate.h"

#include <algorithm>
#include <utility>

#include "formats/rows/times.h"
#include "formats/text/utf8.h"
#include "jobs/politeness/robots_standing.h"
#include "jobs/politeness/verdict.h"
#include "runtime/terminal/timestamp.h"

namespace trawl {

namespace {

// More are not counted: the deferral has long been at its longest.
constexpr int32_t kMostFailures = 11;
constexpr int kHistoryLines = 10;

void Note(const std::string& decision, int64_t now_ms, RobotsRow* row) {
  row->history +=
      FormatTimestamp(now_ms) + " " + TextOf(row->outcome) + " " + std::to_string(row->status) + " " + decision + "\n";
  while (std::count(row->history.begin(), row->history.end(), '\n') > kHistoryLines) {
    row->history.erase(0, row->history.find('\n') + 1);
  }
}

}  // namespace

RobotsCapture CaptureOf(const HttpAnswer& http, const std::string& url, Truncation truncated, int64_t now_ms) {
  if (!http.sent) return {};
  RobotsCapture capture;
  capture.url = url;
  capture.began_ms = now_ms - http.timings.total_ms;
  if (http.has_address) capture.address = http.address.ToString();
  capture.http_version = http.http_version;
  capture.tls_version = http.tls_version;
  capture.request_headers = http.raw_request;
  capture.response_headers = http.raw_headers;
  capture.kept_codings = RepairedUtf8(http.kept_codings);
  capture.wire_bytes = http.wire_bytes;
  capture.truncated = truncated;
  return capture;
}

void RobotsGate::Add(RobotsRow row) {
  Origin& origin = origins_[row.key];
  if (!origin.row.key.empty() && origin.row.fetched_ms > row.fetched_ms) return;
  text_bytes_ += static_cast<int64_t>(row.text.size()) - static_cast<int64_t>(origin.row.text.size());
  origin = {std::move(row), std::nullopt, false, std::nullopt};
  if (text_bytes_ > kMostTextBytes) ForgetTexts();
}

void RobotsGate::SetText(std::string text, Origin* origin) {
  text_bytes_ += static_cast<int64_t>(text.size()) - static_cast<int64_t>(origin->row.text.size());
  origin->row.text = std::move(text);
  origin->rules.reset();
  origin->is_forgotten = false;
  origin->crawl_delay_ms.reset();
  if (text_bytes_ > kMostTextBytes) ForgetTexts();
}

// Drops down to a half, so that this is rare. Texts that are not written to a part yet stay.
void RobotsGate::ForgetTexts() {
  for (auto& [key, origin] : origins_) {
    if (text_bytes_ <= kMostTextBytes / 2) return;
    if (origin.row.text.empty() || changed_.contains(key)) continue;
    text_bytes_ -= static_cast<int64_t>(origin.row.text.size());
    origin.row.text = std::string();
    origin.row.text_ms = 0;
    origin.rules.reset();
    origin.is_forgotten = true;
  }
}

// -- answers ----------------------------------------------------------------------------------------------------------

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
  // A host that takes no connection may only be late: where robots.txt is not insisted on, its pages will tell. One that
  // takes a connection and ends no TLS handshake is there.
  const bool takes_none = http.outcome == HttpOutcome::kConnectFailed && http.timings.connect_ms < 0 &&
                          options_.on_unreachable != OnUnreachableRobots::kAllow;
  row.is_dead = (http.nobody_there || takes_none) && answer.redirects == 0 && !http.own_fault;
  // updatedb counts rounds; here it only matters that the host was dead in this one.
  row.dead_rounds = row.is_dead ? row.dead_rounds + 1 : 0;
  row.capture = answer.is_shared ? RobotsCapture() : CaptureOf(http, answer.last_url, verdict.truncated, now_ms);
  row.hops = answer.hops;
  changed_bytes_ +=
      static_cast<int64_t>(row.capture.request_headers.size() + row.capture.response_headers.size() + row.hops.size());
  origin.is_unused = true;
  changed_.insert(key);

  const bool answered = http.outcome == HttpOutcome::kAnswered;
  const std::string status = "status " + std::to_string(http.status);
  const std::string failure = TextOf(verdict.outcome) + (verdict.reason.empty() ? "" : ", ") + verdict.reason;
  if (!answered) return TakeUnreachable(failure, now_ms, &origin);
  if (answer.redirects_end_nowhere) return TakeNone("robots.txt redirects too often or to nowhere", now_ms, &origin);
  const bool is_refusal = http.status >= 400 && http.status < 500 && http.status != 429;
  if (is_refusal) return TakeNone("robots.txt: " + status, now_ms, &origin);
  if (http.status < 200 || http.status >= 300) return TakeUnreachable(status, now_ms, &origin);
  if (http.end != BodyEnd::kComplete && http.end != BodyEnd::kSize) {
    return TakeUnreachable("its body is cut off", now_ms, &origin);
  }
  TakeGood(answer, now_ms, &origin);
}

void RobotsGate::TakeGood(const RobotsAnswer& answer, int64_t now_ms, Origin* origin) {
  SetText(answer.http.body, origin);
  changed_bytes_ += static_cast<int64_t>(answer.http.body.size());
  origin->row.text_ms = now_ms;
  origin->row.failures = 0;
  origin->row.due_ms = now_ms + options_.ttl_ms;
  Note("rules", now_ms, &origin->row);
}

void RobotsGate::TakeNone(const std::string& reason, int64_t now_ms, Origin* origin) {
  SetText("", origin);
  origin->row.text_ms = now_ms;
  origin->row.failures = 0;
  origin->row.due_ms = now_ms + options_.ttl_ms;
  Note("allowed, " + reason, now_ms, &origin->row);
}

void RobotsGate::TakeUnreachable(const std::string& reason, int64_t now_ms, Origin* origin) {
  RobotsRow& row = origin->row;
  row.failures = std::min(row.failures, kMostFailures - 1) + 1;
  row.due_ms = now_ms + RobotsDeferralMs(row.failures);
  origin->is_forgotten = false;
  const bool serves = RulesServe(row, options_.keep_ms, now_ms);
  Note((row.is_dead ? "dead, " : serves ? "the last good copy serves, " : "deferred, ") + reason, now_ms, &row);
}

// -- decisions --------------------------------------------------------------------------------------------------------

const RobotsRules& RobotsGate::RulesOf(Origin& origin) {
  constexpr int64_t kBytesARule = 100;
  if (origin.rules) return *origin.rules;
  if (rules_bytes_ > kMostRulesBytes) {
    for (auto& [key, other] : origins_) other.rules.reset();
    rules_bytes_ = 0;
  }
  origin.rules = RobotsRules::Parse(origin.row.text, agent_);
  origin.crawl_delay_ms = origin.rules->crawl_delay_ms();
  rules_bytes_ +=
      static_cast<int64_t>(origin.row.text.size()) + kBytesARule * static_cast<int64_t>(origin.rules->size());
  return *origin.rules;
}

RobotsDecision RobotsGate::Check(std::string_view key, std::string_view path_and_query, int64_t now_ms) {
  const auto found = origins_.find(key);
  if (found == origins_.end()) return {};
  Origin& origin = found->second;
  const bool holds = origin.row.due_ms > now_ms || origin.is_unused;
  if (!holds || origin.is_forgotten) return {};
  origin.is_unused = false;
  return Judge(origin, path_and_query, now_ms);
}

RobotsDecision RobotsGate::Judge(Origin& origin, std::string_view path_and_query, int64_t now_ms) {
  using Kind = RobotsDecision::Kind;
  const RobotsRow& row = origin.row;
  if (row.is_dead) return {.kind = Kind::kDead, .rule = ReasonOfDead(row), .dead = OutcomeOfDead(row)};
  const std::string why(WhyOfRobots(row));
  if (!RulesServe(row, options_.keep_ms, now_ms)) {
    const std::string reason = "robots.txt cannot be reached: " + why;
    if (row.outcome == Outcome::kAddressRefused && row.redirect_to.empty()) return {Kind::kAddressRefused, 0, reason};
    if (options_.on_unreachable == OnUnreachableRobots::kAllow)
      return {.kind = Kind::kAllowed, .rule = reason, .despite_unreachable = true};
    return {Kind::kDeferred, 0, reason + "; asked again from " + FormatTimestamp(row.due_ms)};
  }
  if (row.text.empty() && row.failures > 0) return {Kind::kAllowed, 0, "no rules in the last good copy"};
  if (row.text.empty()) return {Kind::kAllowed, 0, why.empty() ? "no rules" : why};
  const RobotsRules::Verdict verdict = RulesOf(origin).Check(path_and_query);
  return {verdict.allowed ? Kind::kAllowed : Kind::kDenied, static_cast<int32_t>(verdict.line),
          verdict.line > 0 ? std::string(verdict.text) : "no rule is against it"};
}

std::optional<int64_t> RobotsGate::CrawlDelayMs(std::string_view key) {
  const std::string host(key.substr(0, key.find(')') + 1));
  std::optional<int64_t> longest_ms;
  for (auto at = origins_.lower_bound(host); at != origins_.end() && at->first.starts_with(host); ++at) {
    Origin& origin = at->second;
    if (!origin.row.text.empty()) RulesOf(origin);
    longest_ms = std::max(longest_ms, origin.crawl_delay_ms);
  }
  return longest_ms;
}

std::vector<RobotsRow> RobotsGate::TakeChanged() {
  std::vector<RobotsRow> rows;
  for (const std::string& key : changed_) {
    RobotsRow& row = origins_.find(key)->second.row;
    rows.push_back(row);
    row.capture = {};
    row.hops.clear();
  }
  changed_.clear();
  changed_bytes_ = 0;
  return rows;
}

}  // namespace trawl
