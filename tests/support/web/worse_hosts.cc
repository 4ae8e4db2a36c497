#include "tests/support/web/worse_hosts.h"

#include <utility>

#include "tests/support/values/encode.h"
#include "tests/support/web/hostile_pages.h"

namespace trawl {

namespace {

constexpr char kHead[] = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n";

TestHandler Always(std::vector<TestStep> steps) {
  return [steps = std::move(steps)](const TestRequest& request) {
    if (request.path == "/robots.txt") return AnswerWith(NotFound(), request);
    return TestAnswer{steps, false};
  };
}

TestHandler Pages(TestPage page) { return ServePages({{"/robots.txt", NotFound()}, {"*", std::move(page)}}); }

// Every page links to two deeper pages.
TestAnswer Trap(const TestRequest& request) {
  if (request.path == "/robots.txt") return AnswerWith(NotFound(), request);
  const std::string next =
      request.path + (request.path.ends_with('/') ? "" : "/") + std::to_string(request.path.size());
  return AnswerWith({.body = "<a href=\"" + next + "a\">x</a><a href=\"" + next + "b\">x</a>"}, request);
}

TestAnswer RedirectToItself(const TestRequest& request) {
  if (request.path == "/robots.txt") return AnswerWith(NotFound(), request);
  return AnswerWith(RedirectTo(request.path, 302), request);
}

std::string GzipThrice() {
  std::string bytes = std::string(64 << 20, ' ');
  for (int i = 0; i < 3; ++i) bytes = EncodeContent("gzip", bytes);
  return bytes;
}

TestHandler SitemapBomb() {
  const std::string robots = "User-agent: *\nAllow: /\nSitemap: http://sitemap-bomb.bad.test/sitemap.xml\n";
  const std::string sitemap =
      "<urlset>" + Repeated("<url><loc>http://sitemap-bomb.bad.test/one</loc></url>", 1'000'000) + "</urlset>";
  return ServePages({{"/robots.txt", {.content_type = "text/plain", .body = robots}},
                     {"/sitemap.xml", {.content_type = "application/xml", .body = sitemap, .coding = "gzip"}},
                     {"*", {.body = "<p>page"}}});
}

// A bad robots.txt; the other pages are good.
TestHandler BadRobots(std::vector<TestStep> steps) {
  return [steps = std::move(steps)](const TestRequest& request) {
    if (request.path == "/robots.txt") return TestAnswer{steps, false};
    return AnswerWith({.body = "<p>page"}, request);
  };
}

void AddAnswers(std::map<std::string, TestHandler>* handlers) {
  const std::string head = kHead;
  const std::string chunked = head + "Transfer-Encoding: chunked\r\n\r\n";
  const std::string page = head + "Content-Length: 4\r\n\r\n<p>x";
  auto& all = *handlers;
  all["http-09"] = Always({Send("<html><p>no head at all")});
  all["nul-in-header"] = Always({Send(head + std::string("X: a\0b\r\n", 8) + "Content-Length: 4\r\n\r\n<p>x")});
  all["huge-status"] = Always({Send("HTTP/1.1 99999999999 OK\r\n\r\n")});
  all["huge-chunk"] = Always({Send(chunked + "FFFFFFFFFFFFFFFFFF\r\n"), Repeat(std::string(4096, 'x'), 0)});
  all["negative-chunk"] = Always({Send(chunked + "-1\r\nx\r\n")});
  all["huge-length"] = Always({Send(head + "Content-Length: 9223372036854775807\r\n\r\n<p>x"), Hang()});
  all["negative-length"] = Always({Send(head + "Content-Length: -1\r\n\r\n<p>x")});
  all["many-headers"] = Always({Send("HTTP/1.1 200 OK\r\n" + Repeated("a: b\r\n", 100'000) + "\r\n<p>x")});
  all["trickle-status"] = Always({Send("HTTP/1.1 2"), Repeat("0", 50)});
  all["unasked-304"] = Pages({.status = 304});
  all["unasked-206"] = Pages({.status = 206, .body = "<p>x"});
  // Announces keep-alive, then closes; and one answer more than was asked for.
  all["closes-kept"] = Always({Send(page), Close()});
  all["answers-twice"] = [page](const TestRequest&) { return TestAnswer{{Send(page + page)}, true}; };
}

void AddRedirects(std::map<std::string, TestHandler>* handlers) {
  auto& all = *handlers;
  all["redirect-to-itself"] = RedirectToItself;
  all["redirect-inside"] = Pages(RedirectTo("http://127.0.0.1:1/latest/meta-data/", 302));
  all["redirect-file"] = Pages(RedirectTo("file:///etc/passwd", 302));
  all["redirect-script"] = Pages(RedirectTo("javascript:alert(1)", 302));
  all["redirect-long"] = Pages(RedirectTo("/" + std::string(60'000, 'x'), 302));
}

void AddRobots(std::map<std::string, TestHandler>* handlers) {
  const std::string text = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n";
  auto& all = *handlers;
  all["robots-endless"] = BadRobots({Send(text), Repeat(Repeated("Disallow: /private\n", 1000), 0)});
  all["robots-hangs"] = BadRobots({Hang()});
  all["robots-loops"] = BadRobots({Send("HTTP/1.1 302 Found\r\nLocation: /robots.txt\r\nContent-Length: 0\r\n\r\n")});
  all["robots-stars"] = BadRobots({Send(text + "User-agent: *\nDisallow: /" + Repeated("*a", 100'000) + "$\n")});
}

}  // namespace

std::map<std::string, TestHandler> WorseHandlers() {
  std::map<std::string, TestHandler> handlers;
  AddAnswers(&handlers);
  AddRedirects(&handlers);
  AddRobots(&handlers);
  handlers["trap"] = Trap;
  handlers["gzip-thrice"] = Pages({.body = GzipThrice(), .headers = {{"Content-Encoding", "gzip, gzip, gzip"}}});
  handlers["sitemap-bomb"] = SitemapBomb();
  handlers["deep-page"] = Pages({.body = Repeated("<div>", 200'000)});
  handlers["formatting-page"] = Pages({.body = "<p>" + Repeated("<b id=a1><i><u>", 5'000) + Repeated("<p>x", 20'000)});
  return handlers;
}

std::map<std::string, TestHandler> EndlessHandshakes() {
  std::map<std::string, TestHandler> handlers;
  handlers["tls-hangs"] = [](const TestRequest&) { return TestAnswer{{Hang()}, false}; };
  // A handshake record of 16 KiB whose ServerHello has the same length: a client would have to read all of it before it
  // proves wrong.
  handlers["tls-trickles"] = [](const TestRequest&) {
    return TestAnswer{{Send(std::string("\x16\x03\x03\x40\x00\x02\x00\x3f\xfc\x03\x03", 11)), Repeat("x", 50)}, false};
  };
  return handlers;
}

void AddWorseHosts(TestWeb* web) {
  for (auto& [name, handler] : WorseHandlers()) web->AddHost(name + ".bad.test", std::move(handler));
}

void AddEndlessHandshakes(TestWeb* web) {
  for (auto& [name, handler] : EndlessHandshakes()) {
    web->AddHost(name + ".bad.test", std::move(handler), TestCertificate::kNone);
  }
}

}  // namespace trawl
