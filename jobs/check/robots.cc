// `trawl check robots`: whether a robots.txt lets a crawler ask for a URL, and the line that decides.
#include "formats/robots/robots.h"

#include <ostream>

#include "formats/url/url.h"
#include "jobs/check/check.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// The path and query that a request for the URL asks for; "/" where it is no URL.
std::string PathAndQuery(const std::string& text) {
  const Result<Url> url = ParseUrl(text);
  if (!url.ok()) return "/";
  std::string path(url->path());
  if (url->has_query()) path.append("?").append(url->query());
  return path;
}

Json Seconds(const RobotsRules& rules) {
  if (!rules.crawl_delay_ms()) return nullptr;
  const int64_t delay_ms = *rules.crawl_delay_ms();
  if (delay_ms % 1000 == 0) return delay_ms / 1000;
  return static_cast<double>(delay_ms) / 1000;
}

Result<Json> Answer(const Json& input) {
  ARROW_ASSIGN_OR_RAISE(const std::string text, CheckBytes(input, "robots"));
  ARROW_ASSIGN_OR_RAISE(const std::string agent, GetString(input, "agent"));
  ARROW_ASSIGN_OR_RAISE(const std::string url, CheckBytes(input, "url"));
  const RobotsRules rules = RobotsRules::Parse(text, agent);
  const RobotsRules::Verdict verdict = rules.Check(PathAndQuery(url));
  Json answer;
  answer["allowed"] = verdict.allowed;
  answer["line"] = verdict.line == 0 ? Json(nullptr) : Json(verdict.line);
  answer["sitemaps"] = rules.sitemaps();
  answer["crawl_delay"] = Seconds(rules);
  answer["content_signals"] = rules.content_signals();
  return answer;
}

Status Print(const std::vector<std::string>& arguments, std::ostream& out) {
  if (arguments.size() != 4 || arguments[0] != "--agent") {
    return Status::Invalid("usage: trawl check robots --agent TOKEN FILE URL");
  }
  ARROW_ASSIGN_OR_RAISE(const std::string text, ReadCheckedFile(arguments[2]));
  const RobotsRules rules = RobotsRules::Parse(text, arguments[1]);
  const RobotsRules::Verdict verdict = rules.Check(PathAndQuery(arguments[3]));
  out << arguments[3] << ": " << (verdict.allowed ? "allowed" : "disallowed") << " for " << arguments[1] << '\n';
  if (verdict.line != 0) {
    out << "  decided by " << arguments[2] << ':' << verdict.line << ": " << verdict.text << '\n';
  } else {
    out << "  no rule of " << arguments[2] << " decides\n";
  }
  if (rules.crawl_delay_ms()) out << "  crawl delay: " << DumpJson(Seconds(rules)) << " s\n";
  for (const std::string& sitemap : rules.sitemaps()) out << "  sitemap: " << sitemap << '\n';
  for (const std::string& signal : rules.content_signals()) out << "  content signal: " << signal << '\n';
  return Status::OK();
}

}  // namespace

CheckKind RobotsCheck() { return {"robots", "--agent TOKEN FILE URL", Answer, Print}; }

}  // namespace trawl
