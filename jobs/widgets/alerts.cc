#include "jobs/widgets/alerts.h"

#include "jobs/policy/advice.h"
#include "jobs/widgets/values.h"

namespace trawl {

namespace {

constexpr double kMostErrorsPercent = 20;
constexpr double kLeastInTimePercent = 95;
constexpr int64_t kLongestPauseMs = 24 * 3'600'000;

void SilentWorkers(const Json& workers, std::vector<Alert>* alerts) {
  int64_t silent = 0;
  for (const Json& worker : ListAt(workers, "workers")) silent += TextAt(worker, "state") == "silent" ? 1 : 0;
  if (silent == 0) return;
  alerts->push_back({NoteKind::kBad, LinkTo("/workers", silent == 1 ? "A worker is silent" : "Workers are silent") +
                                         ": " + Counted(silent, "worker") +
                                         (silent == 1 ? Markup(" has") : Markup(" have")) +
                                         " given no sign for two leases."});
}

void Errors(const Json& status, const Json& rounds, std::vector<Alert>* alerts) {
  const double percent = NumberAt(status, "error_rate_percent");
  if (percent <= kMostErrorsPercent) return;
  const Json& all = ListAt(rounds, "rounds");
  const std::string segment = all.empty() ? TextAt(status, "segment") : TextAt(all[0], "segment");
  alerts->push_back(
      {NoteKind::kBad, Link(segment.empty() ? "/rounds" : "/rounds/" + segment + "#errors", "Many errors") + ": " +
                           Decimal(percent, 1) + " % of the last requests failed; more than 20 % is worth a look."});
}

void ExpiredSegments(const AlertSource& source, std::vector<Alert>* alerts) {
  for (const Json& segment : ListAt(source.status, "segments")) {
    if (TextAt(segment, "state") != "expired") continue;
    const std::string id = TextAt(segment, "segment");
    alerts->push_back({NoteKind::kWarning, Link("/rounds/" + id, "A round was left open") + ": " + Text(id) +
                                               " no longer holds its domains. <code>" +
                                               Text(WithRoot("trawl segments abandon " + id, source.root)) +
                                               "</code> closes it, or its next step goes on."});
  }
}

void Traps(const Json& traps, std::vector<Alert>* alerts) {
  const Json& hosts = ListAt(traps, "domains");
  if (hosts.empty()) return;
  const std::string host = TextAt(hosts[0], "domain");
  Markup text =
      LinkTo("/hosts#traps", hosts.size() == 1 ? "A host may be a trap" : "Hosts may be traps") + ": " + HostLink(host);
  if (hosts.size() > 1) text += " and others";
  alerts->push_back({NoteKind::kWarning, text + " keep showing new URLs with hardly any new pages."});
}

void LateRefresh(const Json& rounds, std::vector<Alert>* alerts) {
  for (const Json& round : ListAt(rounds, "rounds")) {
    const int64_t refreshed = CountAt(round, "refreshed");
    if (refreshed == 0) continue;
    const double percent =
        100.0 * static_cast<double>(CountAt(round, "within_window")) / static_cast<double>(refreshed);
    if (percent < kLeastInTimePercent) {
      alerts->push_back(
          {NoteKind::kWarning, Link("/rounds/" + TextAt(round, "segment"), "Pages are fetched again too late") +
                                   ": only " + Decimal(percent, 1) + " % of " + Counted(refreshed, "page") +
                                   " came in time in the last round that fetched any again."});
    }
    return;
  }
}

void NothingApplied(const AlertSource& source, TimeMs now_ms, std::vector<Alert>* alerts) {
  const Json& all = ListAt(source.rounds, "rounds");
  const int64_t due = CountAt(source.status, "due");
  if (all.empty() || due == 0) return;
  const TimeMs applied_ms = TimeAt(all[0], "applied");
  if (applied_ms == 0 || now_ms - applied_ms < kLongestPauseMs) return;
  alerts->push_back({NoteKind::kWarning, LinkTo("/rounds", "No round for a day") + ": the last one was applied " +
                                             Text(AgeText(applied_ms, now_ms)) + ", and " + Counted(due, "URL") +
                                             (due == 1 ? Markup(" is due.") : Markup(" are due."))});
}

}  // namespace

std::vector<Alert> FindAlerts(const AlertSource& source, TimeMs now_ms) {
  std::vector<Alert> alerts;
  SilentWorkers(source.workers, &alerts);
  Errors(source.status, source.rounds, &alerts);
  ExpiredSegments(source, &alerts);
  Traps(source.traps, &alerts);
  LateRefresh(source.rounds, &alerts);
  NothingApplied(source, now_ms, &alerts);
  return alerts;
}

Markup AlertsSection(const AlertSource& source, TimeMs now_ms) {
  const std::vector<Alert> alerts = FindAlerts(source, now_ms);
  if (alerts.empty()) return {};
  Markup list;
  for (const Alert& alert : alerts) list += "<div role=\"listitem\">" + Note(alert.kind, alert.text) + "</div>\n";
  return Section("alerts", "Worth a look", "<div role=\"list\">\n" + list + "</div>\n");
}

}  // namespace trawl
