#include "jobs/web/host_sheet.h"

#include <algorithm>

#include "jobs/web/pages.h"
#include "jobs/widgets/values.h"
#include "runtime/terminal/text.h"
#include "runtime/terminal/timestamp.h"
#include "runtime/terminal/units.h"

namespace trawl {

namespace {

constexpr size_t kMostRequests = 20;
constexpr size_t kMostRobotsLines = 200;

// Foreign text as a block of code: its fence is longer than any in the text.
std::string Fenced(const std::string& text) {
  size_t longest = 2, run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  return fence + "\n" + Printable(text) + (text.ends_with('\n') ? "" : "\n") + fence + "\n";
}

std::string TimeText(TimeMs time_ms) { return time_ms == 0 || time_ms == kNever ? "never" : FormatTimestamp(time_ms); }

std::string Line(const std::string& name, const std::string& value) {
  return value.empty() ? "" : "- " + name + ": " + CutToColumns(value, 300) + "\n";
}

std::string RequestsText(const std::vector<HostRequest>& requests) {
  if (requests.empty()) return "No request is stored any more.\n";
  std::string lines = PadRight("began (UTC)", 26) + PadRight("pause before", 14) + PadRight("answer", 24) + "URL\n";
  for (size_t i = 0; i < requests.size() && i < kMostRequests; ++i) {
    const HostRequest& request = requests[i];
    const std::string answer = (request.status > 0 ? std::to_string(request.status) + " " : "") + request.outcome;
    lines += PadRight(TimeText(request.at_ms), 26) +
             PadRight(request.gap_ms < 0 ? "" : ExactDuration(request.gap_ms), 14) + PadRight(answer, 24) +
             CutToColumns(request.url, 200) + "\n";
  }
  return Fenced(lines);
}

std::string RobotsText(const Json& origin) {
  std::string text = "As of " + TimeText(TimeAt(origin, "text_fetched")) + ":\n\n";
  const std::vector<std::string> lines = LinesOfText(TextAt(origin, "text"));
  if (lines.empty()) {
    const int64_t status = CountAt(origin, "status");
    if (IsWithoutAnswer(origin)) {
      return "We could not read it: " + OutcomeWords(TextAt(origin, "outcome")) + ". Tried last " +
             TimeText(TimeAt(origin, "fetched")) + ", and again " + TimeText(TimeAt(origin, "due")) + ".\n";
    }
    return "It has no rules for us (asked " + TimeText(TimeAt(origin, "fetched")) + ", " +
           (status > 0 ? "status " + std::to_string(status) : OutcomeWords(TextAt(origin, "outcome"))) + ").\n";
  }
  std::string shown;
  for (size_t i = 0; i < lines.size() && i < kMostRobotsLines; ++i) shown += lines[i] + "\n";
  if (lines.size() > kMostRobotsLines) shown += "… (" + std::to_string(lines.size()) + " lines)\n";
  return text + Fenced(shown);
}

}  // namespace

std::string SheetText(const WebContext& context, const HostValues& values) {
  const std::vector<HostRequest> requests = RequestsOf(values);
  const Json& host = values.host;
  const std::string name = CutToColumns(values.name, 255);
  std::string text =
      "# How we visit " + name + "\n\nWritten " + FormatTimestamp(context.now_ms) + ". All times are UTC.\n\n";
  const Json& as = MemberAt(host, "asked_as");
  const std::string agent = TextAt(as, "agent"), contact = TextAt(as, "contact");
  text += Line("Crawl", context.crawl);
  text += Line("Our User-Agent", TextAt(as, "user_agent"));
  text += Line("Our name in robots.txt", agent.empty() ? "" : "User-agent: " + agent);
  text += Line("Who we are", contact);
  text += Line("Our requests to this host", "one at a time, never two at once");
  text += Line("Delay between two requests", DelayText(host));
  text += Line("Pauses", PauseText(requests));
  text +=
      Line("Pages asked for today", HasValue(host, "pages_today") ? ReadableCount(CountAt(host, "pages_today")) : "");
  text += Line("Pages of it that we have", ReadableCount(CountAt(host, "total_pages")));
  text += Line("Last request", TimeText(requests.empty() ? TimeAt(host, "last_crawl_at") : requests.front().at_ms));
  text += Line("We know this host since", TimeText(TimeAt(host, "created_at")));
  if (IsAt(host, "is_blocked")) text += Line("Blocked", "yes; we ask it nothing");
  text += "\n## The last requests\n\n" + RequestsText(requests);
  for (const Json& origin : OriginsOf(host)) {
    text += "\n## " + CutToColumns(TextAt(origin, "url"), 255) + " as we read it\n\n" + RobotsText(origin);
  }
  text += "\n## How to steer us\n\n";
  if (!agent.empty()) {
    text +=
        "- A group of robots.txt that begins with `User-agent: " + CutToColumns(agent, 100) + "` holds for us alone.\n";
  }
  return text +
         "- `Disallow` in robots.txt keeps us away from paths. We read it again at least once a day while we visit.\n"
         "- `Crawl-delay` in robots.txt makes the delay between two requests longer.\n"
         "- An answer 429 or 503 with `Retry-After` makes us wait as long as it says.\n"
         "- Write to us" +
         (contact.empty() ? "" : " (" + CutToColumns(contact, 300) + ")") + ", and we block the whole host.\n";
}

ServerAnswer HostSheet(PageCall& call) {
  HostValues values;
  SourceAnswer failed;
  if (!ReadHostValues(call, call.path[1], &values, &failed)) return ProblemPage(call, failed);
  ServerAnswer answer;
  answer.headers = {{"Content-Type", "text/markdown; charset=utf-8"},
                    {"Content-Disposition", "attachment; filename=\"visits.md\""},
                    {"Content-Security-Policy", "sandbox; default-src 'none'"},
                    {"Cache-Control", "no-store"}};
  AddSafeHeaders(&answer);
  answer.body = SheetText(call.context, values);
  return answer;
}

}  // namespace trawl
