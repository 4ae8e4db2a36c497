#include "jobs/web/layout.h"

#include <utility>

#include "jobs/widgets/assets.h"
#include "runtime/server/message.h"

namespace trawl {

const char* const kPagePolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'";

namespace {

struct Entry {
  std::string_view path;
  std::string_view label;
};
constexpr Entry kEntries[] = {{"/", "Crawl"},        {"/rounds", "Rounds"},   {"/hosts", "Hosts"},
                              {"/search", "Search"}, {"/workers", "Workers"}, {"/jobs", "Jobs"}};

Markup Navigation(std::string_view here) {
  Markup list;
  for (const Entry& entry : kEntries) {
    list += "<li><a href=\"" + Text(entry.path) + "\"";
    if (entry.path == here) list += " aria-current=\"page\"";
    list += ">" + Text(entry.label) + "</a></li>\n";
  }
  return "<nav aria-label=\"Pages\">\n<ul>\n" + list + "</ul>\n</nav>\n";
}

Markup LookUp() {
  return "<form class=\"lookup\" action=\"/find\" role=\"search\">\n"
         "<label for=\"find\">URL or host</label>\n"
         "<input id=\"find\" name=\"q\" type=\"search\" required maxlength=\"4096\" placeholder=\"https://… or host\" "
         "spellcheck=\"false\" autocapitalize=\"none\">\n"
         "<button>Look up</button>\n</form>\n";
}

Markup Session(const WebContext& context) {
  const Visitor& visitor = context.visitor;
  if (visitor.is_logged_in) {
    return "<form class=\"session\" method=\"post\" action=\"/logout\">" + TokenField(context) +
           "<button>Log out</button></form>\n";
  }
  return visitor.can_log_in ? Markup("<p class=\"session\"><a href=\"/login\">Log in</a></p>\n") : Markup();
}

Markup Head(const WebContext& context, const PageFrame& frame) {
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>" + Text(frame.title) + " · " +
         Text(context.crawl) +
         "</title>\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<meta name=\"color-scheme\" content=\"light dark\">\n"
         "<meta name=\"robots\" content=\"noindex\">\n"
         "<link rel=\"icon\" type=\"image/svg+xml\" href=\"" +
         Text(AssetPath("trawl.svg")) + "\">\n<link rel=\"stylesheet\" href=\"" + Text(AssetPath("charts.css")) +
         "\">\n<link rel=\"stylesheet\" href=\"" + Text(AssetPath("trawl.css")) + "\">\n<script src=\"" +
         Text(AssetPath("trawl.js")) + "\" defer></script>\n</head>\n";
}

Markup Foot(const WebContext& context, const PageFrame& frame) {
  Markup text = "As of " + At(context.now_ms);
  if (frame.snapshot >= 0) text += ", snapshot " + Number(frame.snapshot);
  return "<footer>\n<p>" + text +
         ". All times are UTC.</p>\n<p>The same numbers for programs: <a href=\"/openapi.json\">the API</a>, "
         "<a href=\"/metrics\">metrics</a>.</p>\n</footer>\n";
}

}  // namespace

Markup TokenField(const WebContext& context) {
  return "<input type=\"hidden\" name=\"form_token\" value=\"" + Text(context.visitor.form_token) + "\">";
}

void AddSafeHeaders(ServerAnswer* answer) {
  answer->headers.emplace_back("X-Content-Type-Options", "nosniff");
  answer->headers.emplace_back("Referrer-Policy", "no-referrer");
  answer->headers.emplace_back("Cross-Origin-Resource-Policy", "same-origin");
}

ServerAnswer PageAnswer(const WebContext& context, const PageFrame& frame, int status) {
  Markup html = Head(context, frame);
  html += frame.is_live ? Markup("<body data-refresh=\"10\">\n") : Markup("<body>\n");
  html += "<a class=\"skip\" href=\"#main\">To the content</a>\n<header>\n<p class=\"name\"><a href=\"/\">" +
          Text(context.crawl) + "</a></p>\n" + Navigation(frame.here) + LookUp() + Session(context) + "</header>\n";
  html += "<main id=\"main\" tabindex=\"-1\">\n<h1>" + frame.heading + "</h1>\n" + frame.body + "</main>\n";
  html += Foot(context, frame) + "</body>\n</html>\n";
  ServerAnswer answer;
  answer.status = status;
  answer.headers = {{"Content-Type", "text/html; charset=utf-8"},
                    {"Content-Security-Policy", kPagePolicy},
                    {"Cache-Control", "no-store"}};
  AddSafeHeaders(&answer);
  answer.body = html.html();
  return answer;
}

}  // namespace trawl
