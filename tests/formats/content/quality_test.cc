#include "formats/content/quality.h"

#include <gtest/gtest.h>

#include "formats/html/html.h"
#include "formats/http/raw_headers.h"

namespace trawl {
namespace {

TEST(Quality, NamesWhoAsksForAProof) {
  const struct {
    const char* headers;
    const char* html;
    int64_t words;
    const char* who;
  } cases[] = {
      {"", "<title>Just a moment...</title><script>window._cf_chl_opt={}</script>", 20, "cloudflare"},
      {"", "<title>Attention Required! | Cloudflare</title>", 90, "cloudflare"},
      {"HTTP/1.1 403 Forbidden\r\ncf-mitigated: challenge\r\n\r\n", "<p>anything", 5000, "cloudflare"},
      {"", "<div id=\"sec-if-cpt-container\">", 3, "akamai"},
      {"", "<script src=\"https://ct.captcha-delivery.com/c.js\"></script>", 8, "datadome"},
      {"", "<script src=\"/_Incapsula_Resource?SWJIYLWA=1\"></script>", 0, "imperva"},
      {"", "<div id=\"px-captcha\"></div>", 12, "perimeterx"},
      {"HTTP/1.1 405 x\r\nx-amzn-waf-action: captcha\r\n\r\n", "", 0, "aws-waf"},
      {"", "<form><div class=\"g-recaptcha\"></div></form>", 10, "captcha"},
      // Sites behind such a service have its scripts on all pages, and forms have captchas.
      {"", "<script>window._cf_chl_opt={}</script>", 400, ""},
      {"", "<div class=\"g-recaptcha\"></div>", 100, ""},
      {"HTTP/1.1 200 OK\r\nserver: cloudflare\r\n\r\n", "<p>short", 1, ""},
      {"", "", 0, ""},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(ChallengeOf(ParseRawHeaders(c.headers), c.html, c.words), c.who) << c.html << c.headers;
  }
}

TEST(Quality, SaysWhereAPageSaysThatItIsNotThere) {
  const struct {
    const char* html;
    int64_t words;
    const char* where;
  } cases[] = {
      {"<title>404 Not Found</title><h1>Not Found</h1><p>The page was not found.", 8, "title,heading,text"},
      {"<title>Shop</title><h1>Oops</h1><p>Error 404", 4, "text"},
      {"<title>Shop</title><h1>404</h1><p>Gone fishing", 4, "heading"},
      {"<title>Seite nicht gefunden</title><p>x", 1, "title"},
      {"<title>Страница не найдена</title><p>x", 1, "title"},
      {"<title>x</title><h2>ページが見つかりません</h2>", 5, "heading,text"},
      {"<title>Peugeot 4040 and 1404</title><p>A car", 2, ""},
      {"<title>What 404 not found means</title><p>long", 900, ""},
      {"<title>Shop</title><h1>Lamps</h1><p>Many", 3, ""},
  };
  for (const auto& c : cases) {
    const HtmlPage page = HtmlParser().Parse(c.html);
    EXPECT_EQ(Soft404Of(page.title, page.outline, page.text, c.words), c.where) << c.html;
  }
}

}  // namespace
}  // namespace trawl
