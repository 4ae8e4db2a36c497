// The page /url?url=…: why a URL is as it is, when it is asked for, who links to it and where it leads.
#include <algorithm>

#include "formats/url/url.h"
#include "jobs/policy/advice.h"
#include "jobs/web/pages.h"
#include "jobs/widgets/table.h"
#include "jobs/widgets/url_parts.h"
#include "jobs/widgets/values.h"

namespace trawl {

namespace {

constexpr char kLinks[] = "50";

const Json* LineAbout(const Json& explain, const std::string& about) {
  for (const Json& line : explain) {
    if (TextAt(line, "about") == about) return &line;
  }
  return nullptr;
}

// The words of each line, for people who do not know the verbs.
std::string_view TitleOf(const std::string& about) {
  static constexpr std::pair<std::string_view, std::string_view> kTitles[] = {
      {"state", "State"},         {"found", "Found"},
      {"rule", "Rule"},           {"due", "Due"},
      {"rank", "Rank"},           {"refresh", "Refresh"},
      {"scope", "Scope"},         {"robots", "robots.txt"},
      {"depth", "Depth"},         {"set", "Set"},
      {"domain", "Domain"},       {"host", "Host"},
      {"segment", "Round"},       {"next", "Next"},
      {"sitemap", "Sitemap"},     {"pattern", "Pattern"},
      {"links", "Links"},         {"reading", "Stored pages"},
      {"duplicate", "Duplicate"}, {"history", "History"}};
  for (const auto& [name, title] : kTitles) {
    if (name == about) return title;
  }
  return about;
}

// The answer to "why is it not fetched", before the story.
Markup Answer(const PageCall& call, const Json& row, const Json& explain, bool is_known) {
  const Json* const state = LineAbout(explain, "state");
  const Json* const next = LineAbout(explain, "next");
  Markup body;
  if (!is_known) {
    body += Note(NoteKind::kWarning,
                 "<strong>It is not in the crawl.</strong> A seed, a link of a page within the scope, a "
                 "sitemap or a redirect brings it in.");
  } else {
    const std::string word = TextAt(row, "state");
    const NoteKind kind = KindOfState(word);
    body += Note(
        kind, "<strong>State:</strong> " + (state == nullptr ? Text(word) : call.Said(TextAt(*state, "text"))) + ".");
  }
  if (next != nullptr)
    body += Note(NoteKind::kPlain, "<strong>What comes next:</strong> " + call.Said(TextAt(*next, "text")) + ".");
  return body;
}

// The number after "line " of what is said of robots.txt; empty where no line decided.
std::string LineNumberIn(const std::string& text) {
  constexpr std::string_view kBefore = "line ";
  const size_t at = text.find(kBefore);
  if (at == std::string::npos) return "";
  const std::string rest = text.substr(at + kBefore.size());
  return rest.substr(0, rest.find_first_not_of("0123456789"));
}

// To the host's page; for robots.txt with the line marked that decided.
std::string TargetOfLine(const std::string& about, const std::string& text, const std::string& host) {
  const std::string page = "/hosts/" + PercentEncoded(host);
  if (about != "robots") return page;
  const std::string line = LineNumberIn(text);
  return page + (line.empty() ? "" : "?line=" + line) + "#robots";
}

Markup Story(const PageCall& call, const Json& explain, const std::string& host) {
  const TimeMs now_ms = call.context.now_ms;
  HtmlTable table("From finding it to asking for it again", {{"About"}, {"Time"}, {"What is so", ColumnKind::kLong}});
  for (const Json& line : explain) {
    const std::string about = TextAt(line, "about");
    if (about == "history") continue;
    Markup title = Text(TitleOf(about));
    if (!host.empty() && (about == "host" || about == "robots")) {
      title = Link(TargetOfLine(about, TextAt(line, "text"), host), title);
    }
    const TimeMs at_ms = TimeAt(line, "time");
    table.Add({title, {AtWithAge(at_ms, now_ms), at_ms}, call.Said(TextAt(line, "text"))});
  }
  return table.Finish("story-table", "Nothing can be said of it.");
}

Markup HistorySection(const PageCall& call, const Json& history, const Json& explain) {
  HtmlTable table("Fetches that are still stored, the newest first", {{"Fetched"},
                                                                      {"Outcome", ColumnKind::kLong},
                                                                      {"Bytes", ColumnKind::kNumber},
                                                                      {"Took", ColumnKind::kNumber},
                                                                      {"Round"}});
  for (const Json& fetch : ListAt(history, "history")) {
    const std::string reason = TextAt(fetch, "reason");
    Markup outcome = CountAt(fetch, "status") > 0 ? Text(std::to_string(CountAt(fetch, "status"))) + " " : Markup();
    outcome += Text(TextAt(fetch, "outcome")) + (reason.empty() ? Markup() : ": " + Foreign(reason));
    table.Add({{At(TimeAt(fetch, "fetched_at")), TimeAt(fetch, "fetched_at")},
               outcome,
               {Bytes(CountAt(fetch, "bytes")), CountAt(fetch, "bytes")},
               {Span(CountAt(fetch, "total_ms")), CountAt(fetch, "total_ms")},
               SegmentLink(TextAt(fetch, "segment"))});
  }
  if (table.rows() > 0) return table.Finish("history-table", "");
  HtmlTable told("Fetches that are still stored, the newest first",
                 {{"Fetched"}, {"What came of it", ColumnKind::kLong}});
  for (const Json& line : explain) {
    if (TextAt(line, "about") == "history") told.Add({At(TimeAt(line, "time")), call.Said(TextAt(line, "text"))});
  }
  return told.Finish("history-table", "It was never asked for, or the fetch is not stored any more.");
}

Markup RowFacts(const Json& row, TimeMs now_ms) {
  FactList facts;
  facts.Add("Last status", CountAt(row, "status") > 0 ? Text(std::to_string(CountAt(row, "status"))) : Markup());
  facts.Add("Fetched", AtWithAge(TimeAt(row, "fetched_at"), now_ms));
  facts.Add("Changed", AtWithAge(TimeAt(row, "changed_at"), now_ms));
  facts.Add("Due", AtWithAge(TimeAt(row, "due"), now_ms));
  facts.Add("Asked", CountAt(row, "fetches") > 0 ? Counted(CountAt(row, "fetches"), "time") : Markup());
  facts.Add("Type", Foreign(TextAt(row, "content_type")));
  facts.Add("Bytes", CountAt(row, "bytes") > 0 ? Bytes(CountAt(row, "bytes")) : Markup());
  facts.Add("Seed", IsAt(row, "seed") ? Markup("yes") : Markup());
  facts.Add("Depth", Number(CountAt(row, "depth")));
  facts.Add("Redirects to", UrlLink(TextAt(row, "redirect")));
  facts.Add("Canonical", UrlLink(TextAt(row, "canonical")));
  facts.Add("The same as", UrlLink(TextAt(row, "duplicate_of")));
  facts.Add("Nearly the same as", UrlLink(TextAt(row, "near_duplicate_of")));
  facts.Add("Listed by", UrlLink(TextAt(row, "sitemap")));
  facts.Add("Signals", Foreign(Readable(MemberAt(row, "signals"))));
  facts.Add("Key", "<span class=\"code\">" + Foreign(TextAt(row, "key")) + "</span>");
  return facts.Finish();
}

Markup DropForm(const PageCall& call, const std::string& url) {
  if (!call.context.visitor.may_write) return {};
  return Section("drop", "Drop it",
                 "<p>The crawl forgets this URL and asks for it no more. A link found later brings it in again.</p>\n"
                 "<form method=\"post\" action=\"/url/drop\">\n" +
                     TokenField(call.context) + "<input type=\"hidden\" name=\"url\" value=\"" + Text(url) +
                     "\"><button>Drop this URL</button>\n</form>\n");
}

}  // namespace

ServerAnswer UrlPage(PageCall& call) {
  const std::string url = call.Query("url");
  if (url.empty()) return GoTo("/search");
  // To count the URLs that come before it may read the whole table; that is left to a click.
  const bool counts = call.Query("count") == "1";
  const SourceAnswer found = call.Get("/api/v1/urls?explain=true&rank=" + std::string(counts ? "true" : "false") +
                                      "&url=" + PercentEncoded(url));
  if (!found.ok() && found.status != 404) return ProblemPage(call, found);
  const Json& row = found.value;
  const Json& explain = ListAt(found.value, "explain");
  const bool is_known = found.ok() && HasValue(row, "state");
  const std::string shown = TextAt(row, "url").empty() ? url : TextAt(row, "url");
  Url parsed;
  const std::string host = parsed.Parse(shown) ? std::string(parsed.hostname()) : "";
  const TimeMs now_ms = call.context.now_ms;
  PageFrame frame;
  frame.title = "URL " + shown.substr(0, 200);
  frame.here = "/search";
  frame.heading = "<span class=\"url\">" + Foreign(shown) + "</span>";
  frame.snapshot = CountAt(found.value, "snapshot");
  const std::string done = call.Query("done");
  if (done == "drop") frame.body += Note(NoteKind::kGood, "Dropped.");
  if (done == "later")
    frame.body +=
        Note(NoteKind::kPlain, "The change is under way. " + LinkTo("/jobs", "The jobs") + " say when it is done.");
  frame.body += Answer(call, row, explain, is_known);
  Markup links = "<p>" + OutwardLinkNamed(shown, "Open it on the web");
  if (const Json* const next = LineAbout(explain, "next");
      next != nullptr && !counts && TextAt(*next, "text").find(", if it is among the best") != std::string::npos) {
    links += " · " + LinkTo("/url?count=1&url=" + PercentEncoded(url), "Count the URLs that come before it");
  }
  const std::string id = IdOfUrlRow(row);
  if (is_known && HasStoredBody(row)) links += " · " + LinkTo("/page/" + id, "The stored page");
  if (!host.empty()) links += " · " + LinkTo("/hosts/" + PercentEncoded(host), "Its host");
  frame.body += links + "</p>\n";
  if (!found.ok() && explain.empty()) frame.body += Note(NoteKind::kPlain, call.Said(TextAt(found.value, "detail")));
  if (!explain.empty()) frame.body += Section("story", "Why", Story(call, explain, host));
  if (!is_known) {
    frame.body += SeedSection(call, shown);
    return PageAnswer(call.context, frame);
  }
  Markup missing;
  const Json history = call.TryGet("/api/v1/pages/" + id + "/history", "The stored fetches", &missing);
  const Json out = call.TryGet("/api/v1/pages/" + id + "/links?limit=" + kLinks, "Its links", &missing);
  const Json in = call.TryGet("/api/v1/pages/" + id + "/links?direction=in&limit=" + kLinks, "Links to it", &missing);
  frame.body += missing;
  frame.body += Section("facts", "Facts", RowFacts(row, now_ms));
  frame.body += Section("history", "History", HistorySection(call, history, explain));
  const auto note = [&call](const Json& of) {
    const std::string text = TextAt(of, "note");
    return text.empty() ? Markup() : "<p class=\"quiet\">" + call.Said(text) + "</p>\n";
  };
  frame.body +=
      Section("links-in", "Links to it",
              LinksTable(in, "in-table", "Pages that link to it",
                         WithRoot("No link to it is known; trawl graph looks for all of them.", call.context.root)) +
                  note(in));
  frame.body += Section(
      "links-out", "Its links",
      LinksTable(out, "out-table", "Links of the stored page", "No stored page, or a page without links.") + note(out));
  frame.body += DropForm(call, shown);
  return PageAnswer(call.context, frame);
}

}  // namespace trawl
