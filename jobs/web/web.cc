#include "jobs/web/web.h"

#include <algorithm>
#include <optional>

#include "jobs/policy/advice.h"
#include "jobs/web/call.h"
#include "jobs/web/pages.h"
#include "jobs/widgets/assets.h"
#include "runtime/server/message.h"

namespace trawl {

namespace {

struct Route {
  std::string_view path;  // its segments; "*" stands for any one
  ServerAnswer (*get)(PageCall& call) = nullptr;
  ServerAnswer (*post)(PageCall& call) = nullptr;
};

constexpr Route kRoutes[] = {
    {"/", CrawlPage},
    {"/rounds", RoundsPage},
    {"/rounds/*", RoundPage},
    {"/hosts", HostsPage},
    {"/hosts/*", HostPage},
    {"/hosts/*/sheet.md", HostSheet},
    {"/hosts/*/block", nullptr, ChangeHost},
    {"/hosts/*/unblock", nullptr, ChangeHost},
    {"/hosts/*/policy", nullptr, ChangeHost},
    {"/url", UrlPage},
    {"/url/drop", nullptr, DropUrl},
    {"/search", SearchPage},
    {"/search.csv", SearchCsv},
    {"/page/*", PagePage},
    {"/page/*/body", PageBody},
    {"/workers", WorkersPage},
    {"/jobs", JobsPage},
    {"/jobs/*", JobPage},
    {"/find", FindPage},
    {"/seeds", SeedsPage, AddSeeds},
    {"/login", LoginPage},
};

bool Matches(std::string_view pattern, const std::vector<std::string>& path) {
  for (size_t i = 0; i < path.size(); ++i) {
    if (pattern.empty()) return false;
    pattern.remove_prefix(1);  // the slash
    const std::string_view segment = pattern.substr(0, pattern.find('/'));
    if (segment == "*" ? path[i].empty() : segment != path[i]) return false;
    pattern.remove_prefix(segment.size());
  }
  return pattern.empty();
}

ServerAnswer AssetAnswer(const WebAsset& asset) {
  ServerAnswer answer;
  answer.headers = {{"Content-Type", std::string(asset.type)},
                    {"Cache-Control", "public, max-age=31536000, immutable"},
                    {"Content-Security-Policy", kPagePolicy}};
  AddSafeHeaders(&answer);
  answer.body = asset.bytes;
  return answer;
}

ServerAnswer NotAllowed(WebContext& context, const Route& route) {
  const char* const allowed = route.get == nullptr ? "POST" : route.post == nullptr ? "GET, HEAD" : "GET, HEAD, POST";
  ServerAnswer answer =
      WebError(context, 405, "That cannot be done here", std::string("This address takes ") + allowed + ".");
  answer.headers.emplace_back("Allow", allowed);
  return answer;
}

}  // namespace

ServerAnswer WebAnswer(WebContext& context, const ServerRequest& request, const StopToken& stop) {
  const arrow::Result<RequestTarget> target = ParseTarget(request.target);
  if (!target.ok()) return WebError(context, 400, "This address cannot be read", target.status().message());
  const auto& assets = WebAssets();
  const auto asset =
      std::find_if(assets.begin(), assets.end(), [&target](const WebAsset& each) { return each.path == target->path; });
  if (asset != assets.end()) return AssetAnswer(*asset);
  PageCall call = {context, request, stop, target->segments, target->query};
  for (const Route& route : kRoutes) {
    if (!Matches(route.path, call.path)) continue;
    const bool reads = request.method == "GET" || request.method == "HEAD";
    if (reads && route.get != nullptr) return route.get(call);
    if (request.method != "POST" || route.post == nullptr) return NotAllowed(context, route);
    if (context.visitor.may_write) return route.post(call);
    return WebError(context, 403, "You may not change the crawl",
                    context.visitor.can_log_in
                        ? "Log in first, then send the form again."
                        : "This server only reads. Start it with --serve.token_file to allow changes.");
  }
  return WebError(context, 404, "There is no such page",
                  "Nothing is at this address. The entries at the top lead to every page.");
}

ServerAnswer WebError(WebContext& context, int status, std::string_view title, std::string_view detail) {
  PageFrame frame;
  frame.title = title;
  frame.heading = Text(title);
  frame.body = "<section aria-label=\"What happened\">\n<p>" + Foreign(WithRoot(detail, context.root)) +
               "</p>\n<p class=\"quiet\">Status " + Number(status) + "</p>\n</section>\n";
  return PageAnswer(context, frame, status);
}

ServerAnswer WebLogin(WebContext& context, std::string_view next, std::string_view fault) {
  PageFrame frame;
  frame.title = "Log in";
  frame.heading = "Log in";
  if (!fault.empty()) frame.body += Note(NoteKind::kBad, Text(fault));
  frame.body +=
      "<section aria-label=\"Log in\">\n<p>Whoever logs in can add seeds, block hosts, set delays and drop URLs. "
      "The token is in the file that <code>--serve.token_file</code> names.</p>\n"
      "<form method=\"post\" action=\"/login\">\n<input type=\"hidden\" name=\"next\" value=\"" +
      Text(next) + "\">" + TokenField(context) +
      "\n<div class=\"fields\"><div class=\"grow\"><label for=\"token\">Token</label>"
      "<input id=\"token\" name=\"token\" type=\"password\" required maxlength=\"1024\" "
      "autocomplete=\"current-password\"></div>\n"
      "<button class=\"main\">Log in</button></div>\n</form>\n</section>\n";
  return PageAnswer(context, frame, fault.empty() ? 200 : 403);
}

ServerAnswer LoginPage(PageCall& call) { return WebLogin(call.context, call.Query("next"), ""); }

ServerAnswer FindPage(PageCall& call) {
  std::string text = call.Query("q");
  text.erase(0, text.find_first_not_of(" \t\r\n"));
  text.erase(text.find_last_not_of(" \t\r\n") + 1);
  if (text.empty()) return GoTo("/search");
  // A path names no host: it may be one of many.
  if (text.front() == '/') {
    return WebError(call.context, 400, "That is no URL and no host",
                    "A path alone names no page. Write the host before it, as in www.example.com/p/1.html.");
  }
  const bool is_url = text.find('/') != std::string::npos;
  if (!is_url) return GoTo("/hosts/" + PercentEncoded(text));
  if (text.find("://") == std::string::npos) text.insert(0, "https://");
  return GoTo("/url?url=" + PercentEncoded(text));
}

}  // namespace trawl
