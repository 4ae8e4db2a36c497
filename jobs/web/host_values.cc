#include "jobs/web/host_values.h"

#include <algorithm>
#include <utility>

#include "jobs/widgets/values.h"
#include "runtime/terminal/units.h"

namespace trawl {

namespace {

constexpr char kRequests[] = "50";

HostRequest RequestOf(const Json& row) {
  HostRequest request;
  // The API has the end of the answer.
  request.at_ms = TimeAt(row, "at") - CountAt(row, "total_ms");
  request.url = TextAt(row, "url");
  request.outcome = TextAt(row, "outcome");
  request.reason = TextAt(row, "reason");
  request.status = CountAt(row, "status");
  request.took_ms = CountAt(row, "total_ms");
  if (HasValue(row, "gap_ms")) request.gap_ms = CountAt(row, "gap_ms");
  if (HasValue(row, "delay_ms")) request.delay_ms = CountAt(row, "delay_ms");
  request.segment = TextAt(row, "segment");
  return request;
}

}  // namespace

bool ReadHostValues(PageCall& call, const std::string& name, HostValues* values, SourceAnswer* failed) {
  values->name = name;
  const std::string target = "/api/v1/domains/" + PercentEncoded(name);
  SourceAnswer host = call.Get(target);
  if (!host.ok()) {
    *failed = std::move(host);
    return false;
  }
  values->host = std::move(host.value);
  values->requests = call.TryGet(target + "/requests?limit=" + kRequests, "The last requests", &values->missing);
  values->patterns = call.TryGet(target + "/patterns", "The patterns", &values->missing);
  values->sitemaps = call.TryGet(target + "/sitemaps", "The sitemaps", &values->missing);
  return true;
}

std::vector<HostRequest> RequestsOf(const HostValues& values) {
  std::vector<HostRequest> requests;
  for (const Json& row : ListAt(values.requests, "requests")) requests.push_back(RequestOf(row));
  return requests;
}

std::string PauseText(const std::vector<HostRequest>& requests) {
  const HostRequest* smallest = nullptr;
  int64_t early = 0, known = 0, gaps = 0;
  for (const HostRequest& request : requests) {
    if (request.gap_ms < 0) continue;
    ++gaps;
    early += request.IsTooEarly() ? 1 : 0;
    known += request.delay_ms < 0 ? 0 : 1;
    if (smallest == nullptr || request.gap_ms < smallest->gap_ms) smallest = &request;
  }
  if (smallest == nullptr) return "";
  std::string text = "The smallest pause between two of the last " +
                     ReadableCount(static_cast<int64_t>(requests.size()), "request") + " was " +
                     ExactDuration(smallest->gap_ms);
  text += smallest->delay_ms < 0 ? "; the delay in force then is not known"
                                 : "; the delay in force was " + ExactDuration(smallest->delay_ms);
  if (known == 0) return text + ".";
  const std::string of = known == gaps ? "" : " of the " + ReadableCount(known) + " whose delay is known";
  if (early == 0) return text + ". None" + of + " came too early.";
  return text + ". " + ReadableCount(early) + of + " came earlier than the delay.";
}

std::string DelayText(const Json& host) {
  const Json& delay = MemberAt(host, "delay");
  if (delay.is_object()) {
    const std::string text = TextAt(delay, "text");
    return ExactDuration(CountAt(delay, "ms")) + (text.empty() ? "" : ": " + text);
  }
  return HasValue(host, "crawl_delay") ? ExactDuration(CountAt(host, "crawl_delay")) : "";
}

bool IsWithoutAnswer(const Json& origin) {
  return CountAt(origin, "status") == 0 && TextAt(origin, "outcome") != "fetched";
}

std::string OutcomeWords(const std::string& outcome) {
  static constexpr std::pair<std::string_view, std::string_view> kWords[] = {
      {"dns_failed", "the name of the host does not resolve"},
      {"connect_failed", "nobody accepts a connection"},
      {"timeout", "no answer came in time"},
      {"tls_failed", "no secure connection could be made"},
  };
  for (const auto& [name, words] : kWords) {
    if (name == outcome) return std::string(words);
  }
  std::string text = outcome;
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

// "2026-01-01T00:00:00Z dns_failed 0 dead, dns_failed, no such name": time, outcome, status, what was decided, and why.
std::string HistoryText(const std::string& line) {
  const size_t time_end = line.find(' ');
  const size_t outcome_end = time_end == std::string::npos ? time_end : line.find(' ', time_end + 1);
  if (outcome_end == std::string::npos) return line;
  const std::string outcome = line.substr(time_end + 1, outcome_end - time_end - 1);
  const size_t status_end = std::min(line.find(' ', outcome_end + 1), line.size());
  const std::string status = line.substr(outcome_end + 1, status_end - outcome_end - 1);
  std::string decision = status_end < line.size() ? line.substr(status_end + 1) : "";
  const std::string again = ", " + outcome;
  if (const size_t at = decision.find(again); at != std::string::npos) decision.erase(at, again.size());
  std::string text = line.substr(0, time_end) + ": " + (status == "0" ? OutcomeWords(outcome) : "status " + status);
  return decision.empty() ? text : text + " (" + decision + ")";
}

const Json& OriginsOf(const Json& host) { return ListAt(host, "robots"); }

std::vector<std::string> LinesOfText(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    // A file may end its lines in CR, LF or both; its lines are counted so (RFC 9309 section 2.2).
    const size_t end = std::min(text.find_first_of("\r\n", at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + (text.compare(end, 2, "\r\n") == 0 ? 2 : 1);
  }
  return lines;
}

}  // namespace trawl
