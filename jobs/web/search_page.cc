// The pages /search and /search.csv: URLs by prefix, state, status and type, within bounds.
#include <array>

#include "jobs/list/csv.h"
#include "jobs/web/pages.h"
#include "jobs/widgets/table.h"
#include "jobs/widgets/url_parts.h"
#include "jobs/widgets/values.h"

namespace trawl {

namespace {

constexpr char kLimit[] = "100";
constexpr std::array<std::string_view, 8> kStates = {"unfetched", "fetched", "redirected", "failing",
                                                     "gone",      "denied",  "refused",    "duplicate"};

// What is searched for, as the fields of the form say it. Empty fields are no conditions.
struct Search {
  std::string prefix, state, status, type, cursor;

  bool IsEmpty() const { return prefix.empty() && state.empty() && status.empty() && type.empty(); }
};

Search SearchOf(const PageCall& call) {
  return {call.Query("prefix"), call.Query("state"), call.Query("status"), call.Query("type"), call.Query("cursor")};
}

// The fields, but the cursor; so a link to the next page or to the CSV has them all.
std::string FieldsOf(const Search& search) {
  NamedValues fields;
  const auto add = [&fields](const char* name, const std::string& value) {
    if (!value.empty()) fields.emplace_back(name, value);
  };
  add("prefix", search.prefix);
  add("state", search.state);
  add("status", search.status);
  add("type", search.type);
  return FormOf(fields);
}

std::string TargetOf(const Search& search) {
  NamedValues fields = {{"limit", kLimit}};
  const auto add = [&fields](const char* name, const std::string& value) {
    if (!value.empty()) fields.emplace_back(name, value);
  };
  add("prefix", search.prefix);
  add("state", search.state);
  add("status_code", search.status);
  add("content_type", search.type);
  add("cursor", search.cursor);
  return "/api/v1/urls?" + FormOf(fields);
}

Markup TextField(std::string_view name, std::string_view label, const std::string& value, std::string_view place) {
  return "<div><label for=\"" + Text(name) + "\">" + Text(label) + "</label><input id=\"" + Text(name) + "\" name=\"" +
         Text(name) + "\" value=\"" + Text(value) + "\" placeholder=\"" + Text(place) +
         "\" maxlength=\"4096\" spellcheck=\"false\" autocapitalize=\"none\"></div>\n";
}

Markup Form(const Search& search) {
  Markup states = "<option value=\"\">any</option>";
  for (const std::string_view state : kStates) {
    states += "<option" + (search.state == state ? Markup(" selected") : Markup()) + ">" + Text(state) + "</option>";
  }
  return "<form class=\"fields\" action=\"/search\">\n" +
         TextField("prefix", "Begins with", search.prefix, "https://www.example.com/a/") +
         "<div><label for=\"state\">State</label><select id=\"state\" name=\"state\">" + states + "</select></div>\n" +
         TextField("status", "Status code", search.status, "404") +
         TextField("type", "Type", search.type, "text/html") + "<button class=\"main\">Search</button>\n</form>\n";
}

Markup Results(const Json& urls, TimeMs now_ms) {
  HtmlTable table("URLs, in the order of the crawl's table", {{"URL", ColumnKind::kLong},
                                                              {"State"},
                                                              {"Status", ColumnKind::kNumber},
                                                              {"Fetched"},
                                                              {"Due"},
                                                              {"Type"},
                                                              {"Bytes", ColumnKind::kNumber}});
  for (const Json& row : urls) {
    const std::string state = TextAt(row, "state");
    const TimeMs due_ms = TimeAt(row, "due");
    table.Add({UrlLink(TextAt(row, "url")),
               Badge(KindOfState(state), state),
               {CountAt(row, "status") > 0 ? Text(std::to_string(CountAt(row, "status"))) : Markup("–"),
                CountAt(row, "status")},
               {At(TimeAt(row, "fetched_at")), TimeAt(row, "fetched_at")},
               {due_ms > 0 && due_ms <= now_ms ? Markup("now") : At(due_ms), due_ms},
               Foreign(TextAt(row, "content_type")),
               {CountAt(row, "bytes") > 0 ? Bytes(CountAt(row, "bytes")) : Markup("–"), CountAt(row, "bytes")}});
  }
  return table.Finish("results-table", "None here.");
}

// How far the search looked: a bounded scan may end before it has found as many as it may show.
Markup HowFar(const Json& value, const Search& search) {
  const std::string next = TextAt(value, "next");
  const int64_t found = static_cast<int64_t>(ListAt(value, "urls").size());
  Markup text = Counted(found, "URL") + " found";
  if (HasValue(value, "looked_at")) text += "; looked at " + Counted(CountAt(value, "looked_at"), "row");
  if (next.empty()) return "<p>" + text + ". That is all of them.</p>\n";
  if (HasValue(value, "looked_to")) text += ", up to " + UrlLink(TextAt(value, "looked_to"));
  return "<p>" + text + ". There may be more: " +
         LinkTo("/search?" + FieldsOf(search) + "&cursor=" + PercentEncoded(next), "look further") + ".</p>\n";
}

// A cell that a spreadsheet would take for a formula gets a quote before it.
std::string SafeCell(std::string text) {
  if (!text.empty() && std::string_view("=+-@\t\r").find(text[0]) != std::string_view::npos) text.insert(0, "'");
  return text;
}

Json CsvRow(const Json& row) {
  Json cells = Json::object();
  for (const char* const name :
       {"url", "state", "status", "reason", "fetched_at", "due", "content_type", "bytes", "depth"}) {
    const Json& value = MemberAt(row, name);
    cells[name] = value.is_string() ? Json(SafeCell(value.get<std::string>())) : value;
  }
  return cells;
}

}  // namespace

ServerAnswer SearchPage(PageCall& call) {
  const Search search = SearchOf(call);
  PageFrame frame;
  frame.title = "Search";
  frame.here = "/search";
  frame.heading = "Search";
  frame.body = Section("search", "Which URLs", Form(search));
  if (search.IsEmpty()) {
    frame.body += SeedSection(call, "");
    return PageAnswer(call.context, frame);
  }
  const SourceAnswer found = call.Get(TargetOf(search));
  if (!found.ok()) {
    if (found.status >= 500) return ProblemPage(call, found);
    frame.body += Note(NoteKind::kBad, call.Said(TextAt(found.value, "detail")));
    return PageAnswer(call.context, frame, found.status);
  }
  frame.snapshot = CountAt(found.value, "snapshot");
  Markup body = HowFar(found.value, search) + Results(ListAt(found.value, "urls"), call.context.now_ms);
  std::string csv = "/search.csv?" + FieldsOf(search);
  if (!search.cursor.empty()) csv += "&cursor=" + PercentEncoded(search.cursor);
  if (!ListAt(found.value, "urls").empty()) body += "<p>" + LinkTo(csv, "These rows as CSV") + "</p>\n";
  frame.body += Section("results", "Found", body);
  return PageAnswer(call.context, frame);
}

ServerAnswer SearchCsv(PageCall& call) {
  const SourceAnswer found = call.Get(TargetOf(SearchOf(call)));
  if (!found.ok()) return ProblemPage(call, found);
  ServerAnswer answer;
  answer.headers = {{"Content-Type", "text/csv; charset=utf-8"},
                    {"Content-Disposition", "attachment; filename=\"urls.csv\""},
                    {"Content-Security-Policy", "sandbox; default-src 'none'"},
                    {"Cache-Control", "no-store"}};
  AddSafeHeaders(&answer);
  answer.body = CsvHead(CsvRow(Json::object()));
  for (const Json& row : ListAt(found.value, "urls")) answer.body += CsvLine(CsvRow(row));
  return answer;
}

}  // namespace trawl
