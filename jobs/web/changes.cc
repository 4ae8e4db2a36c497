// Forms that change the crawl: each is an order to the API, and then the page that shows the change.
#include "jobs/policy/advice.h"
#include "jobs/web/pages.h"
#include "jobs/widgets/table.h"
#include "jobs/widgets/values.h"

namespace trawl {

namespace {

// The fields of the form; a page with 400 in *fault where they cannot be read.
bool ReadForm(PageCall& call, NamedValues* fields, ServerAnswer* fault) {
  const arrow::Result<NamedValues> read = ParseForm(call.request.body);
  if (!read.ok()) {
    *fault = WebError(call.context, 400, "This form cannot be read", read.status().message());
    return false;
  }
  *fields = *read;
  return true;
}

bool IsUnderWay(const SourceAnswer& answer) { return answer.status == 202; }

std::string CutSpaces(const std::string& text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

// Lines that hold something.
Json LinesJson(const std::string& text) {
  Json lines = Json::array();
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    if (std::string line = CutSpaces(text.substr(at, end - at)); !line.empty()) lines.push_back(std::move(line));
    at = end + 1;
  }
  return lines;
}

Markup SeedOutcome(const Json& value, const std::vector<std::string>& urls) {
  FactList facts;
  facts.Add("New to the crawl", Number(CountAt(value, "queued")));
  facts.Add("Known before", Number(CountAt(value, "known")));
  facts.Add("Refused", Number(static_cast<int64_t>(ListAt(value, "bad").size())));
  const std::string job = TextAt(value, "job");
  if (!job.empty()) facts.Add("Job", LinkTo("/jobs/" + PercentEncoded(job), job));
  Markup body = facts.Finish();
  HtmlTable bad("Lines that were refused", {{"Line", ColumnKind::kLong}, {"Why", ColumnKind::kLong}});
  for (const Json& each : ListAt(value, "bad"))
    bad.Add({Foreign(TextAt(each, "url")), Foreign(TextAt(each, "reason"))});
  if (bad.rows() > 0) body += bad.Finish("bad-table", "");
  Markup list;
  constexpr size_t kMostShown = 20;
  for (size_t i = 0; i < urls.size() && i < kMostShown; ++i) list += "<li>" + UrlLink(urls[i]) + "</li>\n";
  return body + "<h3>What becomes of them</h3>\n<ul>\n" + list + "</ul>\n";
}

}  // namespace

ServerAnswer ChangeHost(PageCall& call) {
  NamedValues fields;
  ServerAnswer fault;
  if (!ReadForm(call, &fields, &fault)) return fault;
  const std::string& host = call.path[1];
  const std::string& action = call.path[2];
  const std::string page = "/hosts/" + PercentEncoded(host);
  SourceAnswer sent;
  if (action == "policy") {
    const arrow::Result<Json> delay = ParseJson(CutSpaces(FieldOf(fields, "crawl_delay_ms")));
    if (!delay.ok() || !delay->is_number_integer()) {
      return WebError(call.context, 400, "That is no delay",
                      "The delay is a whole number of milliseconds, as 1000. Go back and write one.");
    }
    sent = call.context.source.Send("POST", page + "/policy", {{"crawl_delay_ms", *delay}}, call.stop);
  } else {
    const std::string target = "/api/v1/domains/" + PercentEncoded(host) + "/block";
    const bool blocks = action == "block";
    const std::string reason = CutSpaces(FieldOf(fields, "reason"));
    Json body = Json::object();
    if (!reason.empty()) body["reason"] = reason;
    sent = call.context.source.Send(blocks ? "PUT" : "DELETE", target, blocks ? body : Json(), call.stop);
  }
  if (!sent.ok()) return ProblemPage(call, sent);
  return GoTo(page + "?done=" + (IsUnderWay(sent) ? "later" : action));
}

ServerAnswer DropUrl(PageCall& call) {
  NamedValues fields;
  ServerAnswer fault;
  if (!ReadForm(call, &fields, &fault)) return fault;
  const std::string url = FieldOf(fields, "url");
  const SourceAnswer row = call.Get("/api/v1/urls?url=" + PercentEncoded(url));
  if (!row.ok()) return ProblemPage(call, row);
  const SourceAnswer sent =
      call.context.source.Send("DELETE", "/api/v1/urls/" + TextAt(row.value, "id"), nullptr, call.stop);
  if (!sent.ok()) return ProblemPage(call, sent);
  return GoTo("/url?url=" + PercentEncoded(url) + "&done=" + (IsUnderWay(sent) ? "later" : "drop"));
}

Markup SeedSection(const PageCall& call, const std::string& urls) {
  const Visitor& visitor = call.context.visitor;
  if (!visitor.may_write) {
    const Markup how = visitor.can_log_in ? LinkTo("/login?next=%2Fseeds", "Log in") + " to add seeds here, or type "
                                          : Markup("To add it as a seed, type ");
    return Section("seeds", "Add a seed",
                   "<p>" + how + "<code>" + Text(WithRoot("trawl inject URL", call.context.root)) + "</code>.</p>\n");
  }
  return Section(
      "seeds", "Add seeds",
      "<form method=\"post\" action=\"/seeds\">\n" + TokenField(call.context) +
          "<label for=\"urls\">URLs, one per line</label>\n<textarea id=\"urls\" name=\"urls\" required "
          "spellcheck=\"false\">" +
          Text(urls) +
          "</textarea>\n<div class=\"fields\"><div><label for=\"priority\">Priority</label><select id=\"priority\" "
          "name=\"priority\"><option value=\"0\">high</option><option value=\"1\">medium</option>"
          "<option value=\"2\">low</option></select></div>\n<button class=\"main\">Add</button></div>\n</form>\n");
}

ServerAnswer SeedsPage(PageCall& call) {
  PageFrame frame;
  frame.title = "Seeds";
  frame.here = "/search";
  frame.heading = "Seeds";
  frame.body = SeedSection(call, call.Query("urls"));
  return PageAnswer(call.context, frame);
}

ServerAnswer AddSeeds(PageCall& call) {
  NamedValues fields;
  ServerAnswer fault;
  if (!ReadForm(call, &fields, &fault)) return fault;
  Json body = {{"urls", LinesJson(FieldOf(fields, "urls"))}};
  if (body["urls"].empty()) return WebError(call.context, 400, "There is no seed", "Go back and write a URL per line.");
  const std::string priority = FieldOf(fields, "priority");
  if (priority == "0" || priority == "1" || priority == "2") body["priority"] = priority[0] - '0';
  const SourceAnswer sent = call.context.source.Send("POST", "/seeds", body, call.stop);
  if (!sent.ok()) return ProblemPage(call, sent);
  PageFrame frame;
  frame.title = "Seeds";
  frame.here = "/search";
  frame.heading = IsUnderWay(sent) ? Markup("The seeds are under way") : Markup("The seeds are in the crawl");
  frame.body =
      Section("outcome", "What came of them", SeedOutcome(sent.value, body["urls"].get<std::vector<std::string>>()));
  frame.body += SeedSection(call, "");
  return PageAnswer(call.context, frame);
}

}  // namespace trawl
