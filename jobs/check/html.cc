// `trawl check html`: the title, text and links that the crawler takes from a page.
#include "formats/html/html.h"

#include <optional>
#include <ostream>
#include <utility>

#include "formats/charset/decode.h"
#include "formats/content/main_text.h"
#include "formats/content/markdown.h"
#include "formats/html/content_digest.h"
#include "formats/html/urls.h"
#include "formats/rows/page_facts_row.h"
#include "formats/structured/structured.h"
#include "jobs/check/check.h"
#include "jobs/check/page.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

struct CheckedPage {
  Charset charset;
  HtmlPage page;
  BaseUrl base;

  // Null where the reference is no URL.
  Json Absolute(std::string_view href) const {
    Url url;
    return url.Resolve(href, base) ? Json(url.href()) : Json(nullptr);
  }
};

Result<HtmlReading> ReadingOf(const Json& input) {
  const std::string reader = input.value("reader", "auto");
  if (reader == "auto") return HtmlReading::kAuto;
  if (reader == "tree") return HtmlReading::kTree;
  return Status::Invalid("reader is auto or tree, not ", reader);
}

Json WildOf(const HtmlPage& page) {
  return page.wild == HtmlWild::kNot ? Json(nullptr) : Json(HtmlWildName(page.wild));
}

std::string_view ReaderOf(const HtmlPage& page) { return page.read_by_scan ? "scan" : "tree"; }

Result<CheckedPage> ReadPage(const std::string& body, const Charset& charset, const std::string& url,
                             HtmlReading reading = HtmlReading::kAuto) {
  std::string storage;
  HtmlPage page = HtmlParser({.reader = reading, .log = true}).Parse(DecodeToUtf8(body, charset.encoding, &storage));
  ARROW_ASSIGN_OR_RAISE(BaseUrl base, BaseOfPage(page, url, charset.encoding));
  return CheckedPage{charset, std::move(page), std::move(base)};
}

Json LinksOf(const CheckedPage& checked, const std::vector<HtmlLink>& links) {
  Json list = Json::array();
  for (const HtmlLink& link : links) {
    Json url = checked.Absolute(link.href);
    if (url.is_null()) continue;
    Json item = {{"url", std::move(url)}, {"text", link.text}, {"kind", LinkKindName(link.kind)}};
    if (!link.rel.empty()) item["rel"] = link.rel;
    if (!link.language.empty()) item["hreflang"] = link.language;
    if (!link.media_type.empty()) item["type"] = link.media_type;
    list.push_back(std::move(item));
  }
  return list;
}

// A refresh without a URL leads to the page's own; a refresh to something that is not a URL does not count.
Json RefreshOf(const CheckedPage& checked, const std::string& page_url) {
  const std::optional<Refresh>& refresh = checked.page.refresh;
  if (!refresh) return nullptr;
  Url own;
  own.Parse(page_url);
  Json url = RefreshTarget(refresh->url.empty() ? Json(own.href()) : checked.Absolute(refresh->url));
  if (url.is_null()) return nullptr;
  return {{"delay", refresh->delay_s}, {"url", std::move(url)}};
}

Json RobotsOf(const RobotsDirectives& robots) {
  return {{"noindex", robots.noindex},     {"nofollow", robots.nofollow}, {"noarchive", robots.noarchive},
          {"nosnippet", robots.nosnippet}, {"noai", robots.noai},         {"noimageai", robots.noimageai}};
}

std::string DigestOf(const CheckedPage& checked, const std::string& page_url) {
  return ToHex(Bytes(ContentDigest(checked.page, page_url, checked.charset.encoding)));
}

// A check has no fetch: every date before 2100 is believed.
StructuredContext ContextOf(const CheckedPage& checked, std::string_view page_url) {
  constexpr int64_t kYear2100Ms = 4'102'444'800'000;
  return {.base = &checked.base, .page_url = page_url, .fetched_ms = kYear2100Ms};
}

Json ItemOf(const PageItem& item) {
  return {{"syntax", ItemSyntaxName(item.syntax)},
          {"type", item.type},
          {"id", item.id},
          {"json", item.json},
          {"block", item.block},
          {"position", item.position},
          {"repaired", item.repaired},
          {"problem", item.problem}};
}

Json StatementsOf(const PageStatements& says) {
  const auto time = [](int64_t ms) { return ms == 0 ? Json() : Json(ms); };
  return {{"published_ms", time(says.published_ms)},
          {"published_from", says.published_from},
          {"modified_ms", time(says.modified_ms)},
          {"modified_from", says.modified_from},
          {"author", says.author},
          {"author_from", says.author_from},
          {"headline", says.headline},
          {"headline_from", says.headline_from},
          {"image", says.image},
          {"image_from", says.image_from},
          {"site_name", says.site_name},
          {"site_name_from", says.site_name_from},
          {"schema_types", says.schema_types},
          {"og_type", says.og_type}};
}

Json AnswerFor(const CheckedPage& checked, const std::string& page_url) {
  const HtmlPage& page = checked.page;
  Json answer;
  answer["encoding"] = checked.charset.encoding;
  answer["base"] = checked.base.href();
  answer["title"] = page.title;
  answer["text"] = page.text;
  const MainContent main = MainContentOf(page.outline, page.text);
  answer["main_text"] = main.text;
  answer["main_from"] = TextOf(main.from);
  const auto resolve = [&checked](std::string_view href) {
    Url url;
    return url.Resolve(href, checked.base) ? std::string(url.href()) : std::string();
  };
  answer["markdown"] = MarkdownOf(page.log, main.takes, {.resolve = resolve});
  answer["links"] = LinksOf(checked, page.links);
  answer["resources"] = LinksOf(checked, page.resources);
  answer["refresh"] = RefreshOf(checked, page_url);
  answer["robots"] = RobotsOf(page.robots);
  answer["language"] = page.language;
  answer["description"] = page.description;
  answer["tdm_reservation"] = page.tdm_reservation < 0 ? Json(nullptr) : Json(page.tdm_reservation);
  answer["read_by"] = ReaderOf(page);
  answer["wild"] = WildOf(page);
  answer["tree"] = HtmlTreeStateName(page.tree);
  answer["content_digest"] = DigestOf(checked, page_url);
  const StructuredPage read = ReadStructured(page.structured, ContextOf(checked, page_url));
  answer["items"] = Json::array();
  for (const PageItem& item : read.items) answer["items"].push_back(ItemOf(item));
  answer["statements"] = StatementsOf(read.statements);
  return answer;
}

Result<Json> Answer(const Json& input) {
  ARROW_ASSIGN_OR_RAISE(const std::string html, CheckBytes(input, "html"));
  ARROW_ASSIGN_OR_RAISE(const std::string url, CheckBytes(input, "url"));
  ARROW_ASSIGN_OR_RAISE(const Charset charset, CharsetOfInput(input, html));
  ARROW_ASSIGN_OR_RAISE(const HtmlReading reading, ReadingOf(input));
  ARROW_ASSIGN_OR_RAISE(const CheckedPage checked, ReadPage(html, charset, url, reading));
  return AnswerFor(checked, url);
}

void PrintRobots(const RobotsDirectives& robots, std::ostream& out) {
  out << "robots:      ";
  if (robots.noindex) out << " noindex";
  if (robots.nofollow) out << " nofollow";
  if (robots.noarchive) out << " noarchive";
  if (robots.nosnippet) out << " nosnippet";
  if (robots.noai) out << " noai";
  if (robots.noimageai) out << " noimageai";
  out << '\n';
}

void PrintLinks(const CheckedPage& checked, const std::vector<HtmlLink>& links, std::ostream& out) {
  for (const HtmlLink& link : links) {
    const Json url = checked.Absolute(link.href);
    out << "  " << LinkKindName(link.kind) << ' ' << (url.is_null() ? link.href + " (no URL)" : url.get<std::string>());
    if (!link.text.empty()) out << "  \"" << link.text << '"';
    if (!link.rel.empty()) out << "  rel=" << link.rel;
    out << '\n';
  }
}

Status Print(const std::vector<std::string>& arguments, std::ostream& out) {
  if (arguments.empty() || arguments.size() > 2) return Status::Invalid("usage: trawl check html FILE [URL]");
  const std::string url = arguments.size() == 2 ? arguments[1] : "http://localhost/";
  ARROW_ASSIGN_OR_RAISE(const std::string body, ReadCheckedFile(arguments[0]));
  ARROW_ASSIGN_OR_RAISE(const CheckedPage checked, ReadPage(body, SniffCharset(body, {}), url));
  const HtmlPage& page = checked.page;
  out << "encoding:     " << checked.charset.encoding << " (" << CharsetSourceName(checked.charset.source) << ")\n";
  out << "read by:      " << ReaderOf(page);
  if (page.wild != HtmlWild::kNot) out << " (wild: " << HtmlWildName(page.wild) << ')';
  out << '\n';
  out << "tree:         " << HtmlTreeStateName(page.tree) << '\n';
  out << "base:         " << checked.base.href() << '\n';
  out << "title:        " << page.title << '\n';
  out << "language:     " << page.language << '\n';
  out << "description:  " << page.description << '\n';
  PrintRobots(page.robots, out);
  const Json refresh = RefreshOf(checked, url);
  if (!refresh.is_null()) out << "refresh:      " << DumpJson(refresh) << '\n';
  out << "digest:       " << DigestOf(checked, url) << '\n';
  out << "links:        " << page.links.size() << " (" << page.cuts.links << " cut)\n";
  PrintLinks(checked, page.links, out);
  out << "resources:    " << page.resources.size() << " (" << page.cuts.resources << " cut)\n";
  PrintLinks(checked, page.resources, out);
  const MainContent main = MainContentOf(page.outline, page.text);
  out << "main text:    " << main.text.size() << " bytes (" << TextOf(main.from) << ")\n";
  if (!main.text.empty()) out << main.text << '\n';
  const StructuredPage read = ReadStructured(page.structured, ContextOf(checked, url));
  out << "items:        " << read.items.size() << '\n';
  for (const PageItem& item : read.items) {
    out << "  " << ItemSyntaxName(item.syntax) << ' ' << (item.problem.empty() ? item.json : "(" + item.problem + ")");
    if (!item.repaired.empty()) out << "  repaired: " << item.repaired;
    out << '\n';
  }
  out << "statements:   " << DumpJson(StatementsOf(read.statements)) << '\n';
  out << "text:         " << page.text.size() << " bytes (" << page.cuts.text_bytes << " cut)\n" << page.text << '\n';
  return Status::OK();
}

}  // namespace

CheckKind HtmlCheck() { return {"html", "FILE [URL]", Answer, Print}; }

}  // namespace trawl
