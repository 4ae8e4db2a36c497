// The pages /page/ID and /page/ID/body: a stored page, its answer, its text.
#include "jobs/web/pages.h"
#include "jobs/widgets/table.h"
#include "jobs/widgets/url_parts.h"
#include "jobs/widgets/values.h"

namespace trawl {

namespace {

constexpr char kSame[] = "20";
constexpr size_t kMostText = 200'000;  // bytes of text that a page shows

Markup Headers(const Json& headers, std::string_view id, std::string_view caption, std::string_view when_empty) {
  HtmlTable table(Text(caption), {{"Name"}, {"Value", ColumnKind::kLong}});
  if (headers.is_array()) {
    for (const Json& field : headers) {
      if (field.is_array() && field.size() == 2) table.Add({Foreign(Readable(field[0])), Foreign(Readable(field[1]))});
    }
  }
  return table.Finish(id, Text(when_empty));
}

Markup Facts(const Json& page, TimeMs now_ms) {
  FactList facts;
  const int64_t status = CountAt(page, "status_code");
  facts.Add("Status", status > 0 ? Text(std::to_string(status)) : Markup());
  facts.Add("Fetched", AtWithAge(TimeAt(page, "crawled_at"), now_ms));
  facts.Add("Changed", AtWithAge(TimeAt(page, "changed_at"), now_ms));
  facts.Add("Answer took", HasValue(page, "response_time_ms") ? Span(CountAt(page, "response_time_ms")) : Markup());
  facts.Add("Type", Foreign(TextAt(page, "content_type")));
  facts.Add("Size", HasValue(page, "content_length") ? Bytes(CountAt(page, "content_length")) : Markup());
  facts.Add("Cut off", Foreign(TextAt(page, "truncated")));
  facts.Add("Language", Foreign(TextAt(page, "language")));
  facts.Add("Charset", Foreign(TextAt(page, "charset")));
  facts.Add("Description", Foreign(TextAt(page, "description")));
  facts.Add("Canonical", UrlLink(TextAt(page, "canonical_url")));
  facts.Add("Directives", Foreign(Readable(MemberAt(page, "directives"))));
  facts.Add("Content-Signal", Foreign(TextAt(page, "content_signal")));
  facts.Add("Text and data mining", HasValue(page, "tdm_reservation")
                                        ? (IsAt(page, "tdm_reservation") ? Markup("reserved") : Markup("not reserved"))
                                        : Markup());
  facts.Add("Needs JavaScript", IsAt(page, "needs_js") ? Markup("yes: it has no text unless scripts run") : Markup());
  return facts.Finish();
}

Markup Digests(const Json& page) {
  FactList facts;
  const auto code = [](const std::string& text) {
    return text.empty() ? Markup() : "<span class=\"code\">" + Foreign(text) + "</span>";
  };
  facts.Add("SHA-256 of the body", code(TextAt(page, "content_hash")));
  facts.Add("Fingerprint of the text", code(Readable(MemberAt(page, "simhash"))));
  facts.Add("Stored at", code(TextAt(page, "storage_path")));
  facts.Add("The same as", UrlLink(TextAt(page, "duplicate_of")));
  facts.Add("Nearly the same as", UrlLink(TextAt(page, "near_duplicate_of")));
  return facts.Finish();
}

// Pages with the same bytes.
Markup SameSection(PageCall& call, const Json& page) {
  const std::string hash = TextAt(page, "content_hash");
  const std::string id = call.path[1];
  Markup missing, list;
  if (!hash.empty()) {
    const Json same = call.TryGet("/api/v1/pages?content_hash=" + PercentEncoded(hash) + "&limit=" + kSame,
                                  "Pages with the same bytes", &missing);
    for (const Json& each : ListAt(same, "pages")) {
      if (TextAt(each, "id") != id) list += "<li>" + UrlLink(TextAt(each, "url")) + "</li>\n";
    }
    if (!TextAt(same, "next").empty()) missing += "<p class=\"quiet\">The search ended early; there may be more.</p>\n";
  }
  if (list.empty()) list = "<li class=\"quiet\">None was found.</li>\n";
  return Section("same", "The same content elsewhere", missing + "<ul class=\"plain\">\n" + list + "</ul>\n");
}

Markup TextSection(const PageCall& call, const Json& page) {
  const std::string text = TextAt(page, "text");
  if (text.empty()) {
    Markup why = call.Said(TextAt(page, "reason"));
    if (why.empty()) why = "The page has no text, or it was not read yet.";
    if (!TextAt(page, "advice").empty()) why += " <code>" + call.Said(TextAt(page, "advice")) + "</code>";
    return Section("text", "Text", "<p class=\"quiet\">" + why + "</p>\n");
  }
  const bool is_cut = text.size() > kMostText;
  Markup body = "<pre tabindex=\"0\" data-copy>" + Foreign(std::string_view(text).substr(0, kMostText)) + "</pre>\n";
  if (is_cut) body += "<p class=\"quiet\">Only the beginning is shown; the API gives all of it.</p>\n";
  return Section("text", "Text", body);
}

}  // namespace

ServerAnswer PagePage(PageCall& call) {
  const std::string target = "/api/v1/pages/" + PercentEncoded(call.path[1]);
  const SourceAnswer found = call.Get(target + "?include=text");
  if (!found.ok()) return ProblemPage(call, found);
  const Json& page = found.value;
  const std::string url = TextAt(page, "url"), title = TextAt(page, "title");
  PageFrame frame;
  frame.title = (title.empty() ? url : title).substr(0, 200);
  frame.here = "/search";
  frame.heading = title.empty() ? Foreign(url) : Foreign(title);
  frame.snapshot = CountAt(page, "snapshot");
  frame.body = "<p>" + UrlLink(url) + "</p>\n<p>" + OutwardLinkNamed(url, "Open it on the web") + " · " +
               LinkTo("/page/" + PercentEncoded(call.path[1]) + "/body", "Download the stored body") + "</p>\n";
  frame.body += "<div class=\"pair\">\n" + Section("facts", "Facts", Facts(page, call.context.now_ms)) +
                Section("digests", "Digests", Digests(page)) + "</div>\n";
  frame.body += TextSection(call, page);
  Markup missing;
  const Json history = call.TryGet(target + "/history", "The requests", &missing);
  const Json& fetches = ListAt(history, "history");
  const Json request = fetches.empty() ? Json() : MemberAt(fetches[0], "request_headers");
  frame.body += missing + Section("request", "Request",
                                  Headers(request, "request-table", "What the last request sent",
                                          "The request is not stored any more."));
  frame.body += Section("response", "Answer",
                        Headers(MemberAt(page, "headers"), "response-table", "What the server sent back",
                                "The answer is not stored any more."));
  frame.body += SameSection(call, page);
  return PageAnswer(call.context, frame);
}

ServerAnswer PageBody(PageCall& call) { return GoTo("/api/v1/pages/" + PercentEncoded(call.path[1]) + "/content"); }

}  // namespace trawl
