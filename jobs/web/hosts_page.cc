// The page /hosts: which hosts wait and for what, and those that are slow, fail, are large or may be traps.
#include <utility>

#include "jobs/web/pages.h"
#include "jobs/widgets/running.h"
#include "jobs/widgets/table.h"
#include "jobs/widgets/values.h"

namespace trawl {

namespace {

constexpr char kShown[] = "20";

Markup HoldText(const PageCall& call, const Json& host) {
  const Json& hold = MemberAt(host, "hold");
  if (!hold.is_object())
    return IsAt(host, "is_blocked") ? Markup("blocked") : Markup("<span class=\"quiet\">nothing</span>");
  const std::string text = TextAt(hold, "text");
  return text.empty() ? Text(TextAt(hold, "kind")) : call.Said(text);
}

// One of the tables. They have the same columns, so that a host reads the same in each.
struct Top {
  std::string_view name;  // of the API
  std::string_view heading;
  std::string_view caption;
  std::string_view when_empty;
};
constexpr Top kTops[] = {
    {"waiting", "Waiting", "Hosts that may not be asked now, and why",
     "No host waits: each may be asked as soon as a round has it."},
    {"slowest", "Slowest", "By the average time of their answers", "No host has answered yet."},
    {"failing", "Failing", "By their failures in a row, then by other failures of late", "No host fails."},
    {"largest", "Largest", "By the pages that were asked for", "The crawl knows no host yet."},
    {"traps", "Suspected traps", "Hosts that keep showing new URLs and hardly any new pages", "No host is suspected."},
};

Markup CountOrDash(const Json& host, const char* name) {
  return HasValue(host, name) ? Number(CountAt(host, name)) : Markup("–");
}

Markup TableOf(const PageCall& call, const Json& hosts, std::string_view id, Markup caption,
               std::string_view when_empty) {
  const TimeMs now_ms = call.context.now_ms;
  HtmlTable table(std::move(caption), {{"Host"},
                                       {"What it waits for", ColumnKind::kLong},
                                       {"Until"},
                                       {"Pages", ColumnKind::kNumber},
                                       {"URLs found", ColumnKind::kNumber},
                                       {"Answer", ColumnKind::kNumber},
                                       {"Delay", ColumnKind::kNumber},
                                       {"Failures", ColumnKind::kNumber},
                                       {"Last asked"}});
  for (const Json& host : hosts) {
    const TimeMs asked_ms = TimeAt(host, "last_crawl_at"), until_ms = TimeAt(MemberAt(host, "hold"), "until");
    const int64_t response_ms = CountAt(host, "avg_response_ms"), delay_ms = CountAt(host, "crawl_delay");
    const bool is_for_ever = MemberAt(host, "hold").is_object() && (until_ms == 0 || until_ms == kNever);
    table.Add({HostLink(TextAt(host, "domain")),
               HoldText(call, host),
               {is_for_ever ? Markup("the operator says so") : RelativeTime(until_ms, now_ms), until_ms},
               {Number(CountAt(host, "total_pages")), CountAt(host, "total_pages")},
               {CountOrDash(host, "discovered"), CountAt(host, "discovered")},
               {response_ms > 0 ? ExactSpan(response_ms) : Markup("–"), response_ms},
               {HasValue(host, "crawl_delay") ? ExactSpan(delay_ms) : Markup("–"), delay_ms},
               {CountOrDash(host, "failures_in_a_row"), CountAt(host, "failures_in_a_row")},
               {asked_ms > 0 ? At(asked_ms) : Markup("never"), asked_ms}});
  }
  return table.Finish(id, Text(when_empty));
}

Markup SearchForm(const std::string& prefix) {
  return "<form class=\"fields\" action=\"/hosts\">\n<div class=\"grow\"><label for=\"prefix\">Host or domain, or its "
         "beginning</label><input id=\"prefix\" name=\"prefix\" type=\"search\" maxlength=\"255\" spellcheck=\"false\" "
         "autocapitalize=\"none\" value=\"" +
         Text(prefix) + "\"></div>\n<button>Search</button>\n</form>\n";
}

Markup AgeOf(const Json& value, TimeMs now_ms) {
  const TimeMs counted_ms = TimeAt(value, "counted_at");
  return counted_ms == 0 ? Markup() : ", counted " + Text(AgeText(counted_ms, now_ms));
}

ServerAnswer Found(PageCall& call, PageFrame frame, const std::string& prefix) {
  std::string target = "/api/v1/domains?limit=100&asked=true&prefix=" + PercentEncoded(prefix);
  if (const std::string cursor = call.Query("cursor"); !cursor.empty()) target += "&cursor=" + PercentEncoded(cursor);
  const SourceAnswer found = call.Get(target);
  if (!found.ok()) return ProblemPage(call, found);
  frame.snapshot = CountAt(found.value, "snapshot");
  Markup body = TableOf(call, ListAt(found.value, "domains"), "found-table", "Hosts that begin so",
                        "No host of the crawl begins so.");
  if (const std::string next = TextAt(found.value, "next"); !next.empty()) {
    body += "<p>" +
            LinkTo("/hosts?prefix=" + PercentEncoded(prefix) + "&cursor=" + PercentEncoded(next), "More hosts") +
            "</p>\n";
  }
  body +=
      "<p class=\"quiet\">Hosts that were asked, or about which something is decided. For another one, write its whole "
      "name into "
      "the box at the top.</p>\n";
  frame.body += Section("found", "Found", body);
  return PageAnswer(call.context, frame);
}

}  // namespace

ServerAnswer HostsPage(PageCall& call) {
  PageFrame frame;
  frame.title = "Hosts";
  frame.here = "/hosts";
  frame.heading = "Hosts";
  const std::string prefix = call.Query("prefix");
  frame.body = SearchForm(prefix);
  if (!prefix.empty()) return Found(call, frame, prefix);
  Markup jump;
  for (const Top& top : kTops) jump += "<li>" + Link("#" + std::string(top.name), Text(top.heading)) + "</li>";
  frame.body += "<ul class=\"jump\">" + jump + "</ul>\n";
  for (const Top& top : kTops) {
    const SourceAnswer found = call.Get("/api/v1/domains?top=" + std::string(top.name) + "&limit=" + kShown);
    // The first one tells whether the crawl can be read at all.
    if (!found.ok() && &top == kTops) return ProblemPage(call, found);
    Markup body;
    if (!found.ok()) {
      body = Note(NoteKind::kWarning, "This table cannot be shown: " + call.Said(TextAt(found.value, "detail")));
    } else {
      frame.snapshot = CountAt(found.value, "snapshot");
      body = TableOf(call, ListAt(found.value, "domains"), std::string(top.name) + "-table",
                     Text(top.caption) + AgeOf(found.value, call.context.now_ms), top.when_empty);
    }
    if (&top == kTops) body = HoldCounts(call.Get("/status").value) + body;
    frame.body += Section(top.name, top.heading, body);
  }
  return PageAnswer(call.context, frame);
}

}  // namespace trawl
