// `trawl check robots-live`: the same by a site's own robots.txt, fetched now (RFC 9309 section 2.3.1).
#include <ostream>

#include "formats/robots/robots.h"
#include "formats/url/url.h"
#include "jobs/check/check.h"
#include "jobs/check/live_fetch.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// RFC 9309 2.3.1.2: "Crawlers SHOULD follow at least five consecutive redirects".
constexpr int kMaxRedirects = 5;
// RFC 9309 2.5: "The parsing limit MUST be at least 500 kibibytes".
constexpr int64_t kMaxRobotsBytes = 512 << 10;

struct Decision {
  bool allowed;
  std::string reason;
};

// 2.3.1.4: "MUST assume complete disallow" where it is unreachable; 429 says so about the whole site.
Decision Unreachable(const std::string& reason) { return {false, "robots.txt cannot be reached: " + reason}; }

Decision Decide(const LiveFetch& fetch, const std::string& agent, const std::string& path) {
  const HttpAnswer& answer = fetch.answer;
  if (answer.outcome != HttpOutcome::kAnswered) {
    return Unreachable(std::string(HttpOutcomeName(answer.outcome)) + ", " + answer.detail);
  }
  // 2.3.1.2: after more redirects crawlers "MAY assume that the robots.txt file is unavailable".
  if (fetch.end != LiveFetchEnd::kAnswered) return {true, "robots.txt redirects too often or to nowhere"};
  if (answer.status == 429 || answer.status >= 500) return Unreachable("status " + std::to_string(answer.status));
  // 2.3.1.3: unavailable, "the crawler MAY access any resources".
  if (answer.status < 200 || answer.status >= 300) return {true, "status " + std::to_string(answer.status)};
  if (answer.end != BodyEnd::kComplete && answer.end != BodyEnd::kSize) return Unreachable("its body is cut off");
  const RobotsRules rules = RobotsRules::Parse(answer.body, agent);
  const RobotsRules::Verdict verdict = rules.Check(path);
  if (verdict.line == 0) return {verdict.allowed, "no rule decides"};
  return {verdict.allowed, "line " + std::to_string(verdict.line) + ": " + std::string(verdict.text)};
}

Result<Json> Answer(const Json& input) {
  ARROW_ASSIGN_OR_RAISE(const std::string agent, GetString(input, "agent"));
  ARROW_ASSIGN_OR_RAISE(const std::string text, CheckBytes(input, "url"));
  ARROW_ASSIGN_OR_RAISE(const Url url, ParseUrl(text));
  ARROW_ASSIGN_OR_RAISE(const Url robots, ParseUrlIn("/robots.txt", url.href(), "UTF-8"));
  LiveFetchRequest request = {std::string(robots.href()), kMaxRobotsBytes, kMaxRedirects};
  ARROW_ASSIGN_OR_RAISE(const LiveFetch fetch, FetchLive(request));
  std::string path(url.path());
  if (url.has_query()) path += '?' + std::string(url.query());
  const Decision decision = Decide(fetch, agent, path);
  Json answer;
  answer["allowed"] = decision.allowed;
  answer["reason"] = decision.reason;
  answer["status"] = fetch.answer.status == 0 ? Json(nullptr) : Json(fetch.answer.status);
  return answer;
}

Status Print(const std::vector<std::string>& arguments, std::ostream& out) {
  if (arguments.size() != 3 || arguments[0] != "--agent") {
    return Status::Invalid("usage: trawl check robots-live --agent TOKEN URL");
  }
  ARROW_ASSIGN_OR_RAISE(const Json answer, Answer({{"agent", arguments[1]}, {"url", arguments[2]}}));
  ARROW_ASSIGN_OR_RAISE(const bool allowed, GetBool(answer, "allowed"));
  ARROW_ASSIGN_OR_RAISE(const std::string reason, GetString(answer, "reason"));
  out << arguments[2] << ": " << (allowed ? "allowed" : "disallowed") << " for " << arguments[1] << " (" << reason
      << ")\n";
  return Status::OK();
}

}  // namespace

CheckKind RobotsLiveCheck() { return {"robots-live", "--agent TOKEN URL", Answer, Print}; }

}  // namespace trawl
