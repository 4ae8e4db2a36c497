#include "tests/support/web/link_graph.h"

#include <charconv>

namespace trawl {

namespace {

// The page number of a path; -1 where the path is not in the graph.
int PageOf(std::string_view path) {
  if (path == "/") return 0;
  if (!path.starts_with("/p/") || !path.ends_with(".html")) return -1;
  path = path.substr(3, path.size() - 8);
  int page = -1;
  const auto [end, error] = std::from_chars(path.data(), path.data() + path.size(), page);
  return error == std::errc() && end == path.data() + path.size() && page > 0 ? page : -1;
}

}  // namespace

std::string LinkGraphHost(int host) { return "h" + std::to_string(host) + ".test"; }
std::string LinkGraphPath(int page) { return page == 0 ? "/" : "/p/" + std::to_string(page) + ".html"; }

std::string LinkGraphUrl(const LinkGraph& graph, int host, int page) {
  return (graph.https ? "https://" : "http://") + LinkGraphHost(host) + LinkGraphPath(page);
}

std::string LinkGraphBody(const LinkGraph& graph, int host, int page) {
  const std::string name = "page " + std::to_string(page) + " of host " + std::to_string(host);
  std::string body = "<!doctype html><html lang=en><title>" + name + "</title><body><h1>" + name + "</h1>\n";
  const auto link = [&](const std::string& href) { body += "<a href=\"" + href + "\">" + href + "</a>\n"; };
  for (int i = 1; i <= graph.links; ++i) {
    if (page * graph.links + i < graph.pages) link(LinkGraphPath(page * graph.links + i));
  }
  if (graph.hosts > 1) link(LinkGraphUrl(graph, (host + 1) % graph.hosts, page));
  // Words that differ from page to page, so that no two bodies are alike.
  unsigned state = static_cast<unsigned>(host * 7919 + page * 104729 + 1);
  while (body.size() + 30 < graph.page_bytes) {
    state = state * 1664525u + 1013904223u;
    body += (state >> 28) == 0 ? "\n<p>" : " ";
    body += "word" + std::to_string((state >> 12) % 5000);
  }
  return body;
}

TestHandler ServeLinkGraph(const LinkGraph& graph, int host) {
  return [graph, host](const TestRequest& request) {
    if (request.path == "/robots.txt") {
      if (graph.robots.empty()) return AnswerWith(NotFound(), request);
      return AnswerWith({.content_type = "text/plain", .body = graph.robots, .delay_ms = graph.delay_ms}, request);
    }
    const int page = PageOf(request.path);
    if (page < 0 || page >= graph.pages) return AnswerWith(NotFound(), request);
    return AnswerWith({.body = LinkGraphBody(graph, host, page),
                       .etag = "\"" + std::to_string(host) + "-" + std::to_string(page) + "\"",
                       .coding = graph.coding,
                       .delay_ms = graph.delay_ms},
                      request);
  };
}

void AddLinkGraph(const LinkGraph& graph, TestWeb* web) {
  for (int host = 0; host < graph.hosts; ++host) web->AddHost(LinkGraphHost(host), ServeLinkGraph(graph, host));
}

}  // namespace trawl
