// The page /hosts/HOST: the answer to a webmaster's question, and the operator's word on the host.
#include <set>

#include "jobs/web/host_sheet.h"
#include "jobs/web/host_values.h"
#include "jobs/web/pages.h"
#include "jobs/widgets/round_parts.h"
#include "jobs/widgets/table.h"
#include "jobs/widgets/values.h"
#include "runtime/terminal/units.h"

namespace trawl {

namespace {

Markup HoldNote(const PageCall& call, const Json& host) {
  const TimeMs now_ms = call.context.now_ms;
  const Json& hold = MemberAt(host, "hold");
  if (hold.is_object()) {
    const TimeMs until_ms = TimeAt(hold, "until");
    const bool has_end = until_ms > 0 && until_ms != kNever;
    const Markup when = has_end ? "until " + AtWithAge(until_ms, now_ms) : Markup("now");
    return Note(NoteKind::kWarning,
                "<strong>It is not asked " + when + ":</strong> " + call.Said(TextAt(hold, "text")) + ".");
  }
  if (IsAt(host, "is_blocked")) return Note(NoteKind::kWarning, "<strong>It is blocked:</strong> it is asked nothing.");
  return Note(NoteKind::kGood, "Nothing holds it back: it is asked as soon as a round has a URL of it.");
}

// What a webmaster asks first.
Markup Answer(const HostValues& values, const std::vector<HostRequest>& requests, TimeMs now_ms) {
  const Json& host = values.host;
  FactList facts;
  const TimeMs asked_ms = requests.empty() ? TimeAt(host, "last_crawl_at") : requests.front().at_ms;
  facts.Add("Last request", asked_ms == 0 ? Markup("never") : AtWithAge(asked_ms, now_ms));
  if (!requests.empty() && requests.back().at_ms > 0 && requests.size() > 1) {
    facts.Add("The last " + std::to_string(requests.size()) + " requests took",
              Span(requests.front().at_ms - requests.back().at_ms));
  }
  facts.Add("Delay between requests", Foreign(DelayText(host)));
  facts.Add("Pauses", Text(PauseText(requests)));
  facts.Add("At the same time", "one request, never more");
  facts.Add("Pages today (UTC)", HasValue(host, "pages_today") ? Number(CountAt(host, "pages_today")) : Markup());
  facts.Add("Pages stored", Number(CountAt(host, "total_pages")));
  facts.Add("Average answer", CountAt(host, "avg_response_ms") > 0 ? Span(CountAt(host, "avg_response_ms")) : Markup());
  facts.Add("Retry-After until", AtWithAge(TimeAt(host, "retry_after"), now_ms));
  facts.Add("Breaker", Text(TextAt(host, "breaker")));
  if (CountAt(host, "failures_in_a_row") > 0)
    facts.Add("Failures in a row", Number(CountAt(host, "failures_in_a_row")));
  if (IsAt(host, "suspected_trap"))
    facts.Add("Suspected trap", "yes: it shows ever new URLs, and hardly any new pages");
  facts.Add("Addresses", Foreign(Readable(MemberAt(host, "addresses"))));
  facts.Add("Known since", AtWithAge(TimeAt(host, "created_at"), now_ms));
  facts.Add("The operator's delay",
            HasValue(host, "operator_delay_ms") ? Span(CountAt(host, "operator_delay_ms")) : Markup());
  facts.Add("The operator's reason", Foreign(TextAt(host, "reason")));
  return facts.Finish();
}

Markup RequestsTable(const std::vector<HostRequest>& requests) {
  HtmlTable table("The last requests, the newest first", {{"Began"},
                                                          {"Pause before", ColumnKind::kNumber},
                                                          {"Delay in force", ColumnKind::kNumber},
                                                          {"Answer"},
                                                          {"Took", ColumnKind::kNumber},
                                                          {"URL", ColumnKind::kLong}});
  for (const HostRequest& request : requests) {
    Markup answer = request.status > 0 ? Text(std::to_string(request.status)) + " " : Markup();
    answer += Text(request.outcome);
    if (!request.reason.empty()) answer += ": " + Foreign(request.reason);
    Markup gap = request.gap_ms < 0 ? Markup("–") : ExactSpan(request.gap_ms);
    if (request.IsTooEarly()) gap += " " + Badge(NoteKind::kBad, "too early");
    table.Add({{At(request.at_ms), request.at_ms},
               {gap, request.gap_ms},
               {request.delay_ms < 0 ? Markup("–") : ExactSpan(request.delay_ms), request.delay_ms},
               answer,
               {Span(request.took_ms), request.took_ms},
               UrlLink(request.url)},
              request.IsTooEarly() ? NoteKind::kBad : NoteKind::kPlain);
  }
  return table.Finish("requests-table", "No request to it is stored any more.");
}

// The line that the visitor asked about, else those that keep URLs of the host away.
std::set<int64_t> DecidingLines(const Json& host, const std::string& asked) {
  std::set<int64_t> lines;
  if (!asked.empty() && asked.size() < 8 && asked.find_first_not_of("0123456789") == std::string::npos) {
    lines.insert(std::stoll(asked));
    return lines;
  }
  for (const Json& rule : ListAt(host, "denied_by")) lines.insert(CountAt(rule, "line"));
  return lines;
}

Markup RobotsText(const std::string& text, const std::set<int64_t>& deciding) {
  constexpr size_t kMostLines = 2000;
  const std::vector<std::string> lines = LinesOfText(text);
  Markup list;
  for (size_t i = 0; i < lines.size() && i < kMostLines; ++i) {
    const bool decides = deciding.contains(static_cast<int64_t>(i + 1));
    list += decides ? Markup("<li class=\"deciding\">") : Markup("<li>");
    list += Foreign(lines[i]) + (decides ? Markup(" <small>(this line decides)</small>") : Markup()) + "</li>\n";
  }
  Markup body = "<ol class=\"lines code\" tabindex=\"0\" aria-label=\"robots.txt, line by line\">\n" + list + "</ol>\n";
  if (lines.size() > kMostLines) body += "<p>Only the first " + Number(kMostLines) + " lines are shown.</p>\n";
  return body;
}

Markup RobotsOrigin(const Json& origin, const std::set<int64_t>& deciding, TimeMs now_ms) {
  Markup body = "<h3>" + Foreign(TextAt(origin, "url")) + "</h3>\n";
  FactList facts;
  facts.Add("Last answer",
            (CountAt(origin, "status") > 0 ? Text(std::to_string(CountAt(origin, "status"))) + " " : Markup()) +
                Text(IsWithoutAnswer(origin) ? OutcomeWords(TextAt(origin, "outcome")) : TextAt(origin, "outcome")));
  facts.Add("Asked for", AtWithAge(TimeAt(origin, "fetched"), now_ms));
  facts.Add("Asked for again", AtWithAge(TimeAt(origin, "due"), now_ms));
  facts.Add("Redirects to", Foreign(TextAt(origin, "redirect_to")));
  body += facts.Finish();
  const std::string text = TextAt(origin, "text");
  if (!HasValue(origin, "text")) {
    body += "<p class=\"quiet\">No text of it is stored.</p>\n";
  } else if (text.empty()) {
    body += "<p>It is empty: it allows everything.</p>\n";
  } else {
    body += RobotsText(text, deciding);
  }
  const Json& history = ListAt(origin, "history");
  if (history.empty()) return body;
  Markup list;
  for (const Json& line : history) list += "<li>" + Foreign(HistoryText(Readable(line))) + "</li>\n";
  return body + "<details><summary>Its history</summary>\n<ul class=\"plain code\">\n" + list + "</ul>\n</details>\n";
}

Markup DeniedBy(const Json& host) {
  Markup list;
  for (const Json& rule : ListAt(host, "denied_by")) {
    list += "<li>" + Counted(CountAt(rule, "count"), "URL") + " by " + Foreign(TextAt(rule, "text")) + "</li>\n";
  }
  return list.empty() ? Markup() : "<p>It keeps these away:</p>\n<ul>\n" + list + "</ul>\n";
}

Markup RobotsSection(const HostValues& values, const std::string& asked_line, TimeMs now_ms) {
  Markup body;
  const std::set<int64_t> deciding = DecidingLines(values.host, asked_line);
  for (const Json& origin : OriginsOf(values.host)) body += RobotsOrigin(origin, deciding, now_ms);
  if (body.empty())
    body = "<p class=\"quiet\">Its robots.txt was not asked for yet; that comes before its first page.</p>\n";
  return Section("robots", "robots.txt", DeniedBy(values.host) + body);
}

Markup StatesSection(const HostValues& values) {
  const Json& states = MemberAt(values.host, "states");
  Markup body = states.is_object() && !states.empty()
                    ? Chart(BarChart(CountBars(
                          states, {.id = "state-bars", .title = "States", .description = "Of the URLs of this host."},
                          "state", "URLs")))
                    : Markup("<p class=\"quiet\">The crawl knows no URL of it.</p>\n");
  if (IsAt(values.host, "states_are_cut")) body += "<p class=\"quiet\">It has more; only the first were counted.</p>\n";
  for (const Json& origin : OriginsOf(values.host)) {
    // "https://host/robots.txt"; so each scheme and port of the host has a search of its own.
    const std::string robots_url = TextAt(origin, "url");
    const std::string start = robots_url.substr(0, robots_url.rfind('/') + 1);
    if (!start.empty())
      body += "<p>" + Link("/search?prefix=" + PercentEncoded(start), "URLs below " + Foreign(start)) + "</p>\n";
  }
  return Section("states", "Its URLs", body);
}

Markup PatternsSection(const Json& patterns) {
  HtmlTable table("Patterns of its URLs: what the last fetches of each have yielded",
                  {{"Pattern", ColumnKind::kLong},
                   {"Fetched", ColumnKind::kNumber},
                   {"New pages", ColumnKind::kNumber},
                   {"Duplicates", ColumnKind::kNumber},
                   {"Error pages", ColumnKind::kNumber},
                   {"Budget a round", ColumnKind::kNumber}});
  for (const Json& pattern : ListAt(patterns, "patterns")) {
    const int64_t duplicates = CountAt(pattern, "duplicates") + CountAt(pattern, "near_duplicates");
    table.Add({Foreign(TextAt(pattern, "pattern")),
               {Number(CountAt(pattern, "fetched_ever")), CountAt(pattern, "fetched_ever")},
               {Number(CountAt(pattern, "new")), CountAt(pattern, "new")},
               {Number(duplicates), duplicates},
               {Number(CountAt(pattern, "soft_errors")), CountAt(pattern, "soft_errors")},
               {HasValue(pattern, "budget") ? Number(CountAt(pattern, "budget")) : Markup("no limit"),
                CountAt(pattern, "budget")}});
  }
  Markup body = table.Finish("patterns-table", "Nothing is known of patterns yet.");
  Markup learned;
  for (const Json& rule : ListAt(patterns, "learned")) {
    learned += "<li>" + Foreign(TextAt(rule, "parameter")) + " on " + Foreign(TextAt(rule, "pattern")) +
               (IsAt(rule, "taken_back") ? Markup(" (taken back)") : Markup()) + "</li>\n";
  }
  if (!learned.empty()) body += "<h3>Parameters that change nothing</h3>\n<ul>\n" + learned + "</ul>\n";
  return Section("patterns", "Patterns and their budgets", body);
}

Markup NeighboursSection(const HostValues& values) {
  Markup mirrors;
  for (const Json& mirror : ListAt(values.host, "mirrors"))
    mirrors += "<li>" + Foreign(TextAt(mirror, "text")) + "</li>\n";
  Markup body = "<h3>Mirrors</h3>\n";
  body += mirrors.empty() ? Markup("<p class=\"quiet\">None is known.</p>\n") : "<ul>\n" + mirrors + "</ul>\n";
  HtmlTable table("Sitemaps",
                  {{"Sitemap", ColumnKind::kLong}, {"State"}, {"Entries", ColumnKind::kNumber}, {"Fetched"}});
  for (const Json& sitemap : ListAt(values.sitemaps, "sitemaps")) {
    table.Add({UrlLink(TextAt(sitemap, "url")),
               Text(TextAt(sitemap, "state")),
               {Number(CountAt(sitemap, "entries")), CountAt(sitemap, "entries")},
               At(TimeAt(sitemap, HasValue(sitemap, "fetched_at") ? "fetched_at" : "fetched"))});
  }
  body += "<h3>Sitemaps</h3>\n" + table.Finish("sitemaps-table", "It names none.");
  Markup hosts;
  for (const Json& host : ListAt(values.host, "hosts")) {
    if (Readable(host) != values.name) hosts += "<li>" + HostLink(Readable(host)) + "</li>\n";
  }
  if (!hosts.empty()) body += "<h3>Hosts of this domain</h3>\n<ul>\n" + hosts + "</ul>\n";
  return Section("neighbours", "Mirrors and sitemaps", body);
}

Markup Field(std::string_view id, std::string_view label, std::string_view name, const Markup& attributes) {
  return "<div><label for=\"" + Text(id) + "\">" + Text(label) + "</label><input id=\"" + Text(id) + "\" name=\"" +
         Text(name) + "\"" + attributes + "></div>\n";
}

Markup SteerSection(const PageCall& call, const HostValues& values) {
  const Visitor& visitor = call.context.visitor;
  const std::string base = "/hosts/" + PercentEncoded(values.name);
  if (!visitor.may_write) {
    return visitor.can_log_in ? Section("steer", "Steer",
                                        "<p>" + LinkTo("/login?next=" + PercentEncoded(base), "Log in") +
                                            " to block this host or to set its delay.</p>\n")
                              : Markup();
  }
  const auto form = [&](std::string_view action, const Markup& fields, std::string_view button) {
    return "<form method=\"post\" action=\"" + Text(base + "/" + std::string(action)) + "\">\n" +
           TokenField(call.context) + "<div class=\"fields\">\n" + fields + "<button>" + Text(button) +
           "</button></div>\n</form>\n";
  };
  Markup body =
      IsAt(values.host, "is_blocked")
          ? form("unblock", "", "Unblock this host")
          : form("block", Field("reason", "Why", "reason", " maxlength=\"200\" placeholder=\"asked by the webmaster\""),
                 "Block this host");
  body += form("policy",
               Field("delay", "Delay between requests in ms", "crawl_delay_ms",
                     " type=\"number\" min=\"0\" max=\"86400000\" required"),
               "Set the delay");
  return Section(
      "steer", "Steer",
      body + "<p class=\"quiet\">It holds from the next round on. A fetch that runs goes on as it began.</p>\n");
}

Markup DoneNote(const std::string& done) {
  if (done == "block") return Note(NoteKind::kGood, "Blocked. No round asks it from now on.");
  if (done == "unblock") return Note(NoteKind::kGood, "Unblocked.");
  if (done == "policy") return Note(NoteKind::kGood, "The delay is set.");
  if (done == "later")
    return Note(NoteKind::kPlain, "The change is under way. " + LinkTo("/jobs", "The jobs") + " say when it is done.");
  return {};
}

}  // namespace

ServerAnswer HostPage(PageCall& call) {
  HostValues values;
  SourceAnswer failed;
  if (!ReadHostValues(call, call.path[1], &values, &failed)) return ProblemPage(call, failed);
  const std::vector<HostRequest> requests = RequestsOf(values);
  const TimeMs now_ms = call.context.now_ms;
  PageFrame frame;
  frame.title = values.name;
  frame.here = "/hosts";
  frame.heading = "Host " + Foreign(values.name);
  frame.snapshot = CountAt(values.host, "snapshot");
  frame.body = DoneNote(call.Query("done")) + values.missing + HoldNote(call, values.host);
  frame.body += Section("answer", "When and how often we ask", Answer(values, requests, now_ms));
  frame.body += Section("requests", "Requests", RequestsTable(requests));
  frame.body += RobotsSection(values, call.Query("line"), now_ms);
  const std::string sheet = SheetText(call.context, values);
  frame.body += Section("sheet", "A sheet for the webmaster",
                        "<p>" + LinkTo("/hosts/" + PercentEncoded(values.name) + "/sheet.md", "Download it") +
                            " as Markdown, or copy it from here.</p>\n<details><summary>Show it</summary>\n<pre "
                            "data-copy tabindex=\"0\">" +
                            Foreign(sheet) + "</pre>\n</details>\n");
  frame.body += "<div class=\"pair\">\n" + StatesSection(values) + NeighboursSection(values) + "</div>\n";
  frame.body += PatternsSection(values.patterns) + SteerSection(call, values);
  return PageAnswer(call.context, frame);
}

}  // namespace trawl
