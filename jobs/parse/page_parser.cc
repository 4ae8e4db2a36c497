#include "jobs/parse/page_parser.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "formats/charset/decode.h"
#include "formats/content/main_text.h"
#include "formats/content/markdown.h"
#include "formats/content/quality.h"
#include "formats/content/words.h"
#include "formats/digests/simhash.h"
#include "formats/digests/text_sketch.h"
#include "formats/html/content_digest.h"
#include "formats/html/urls.h"
#include "formats/http/fields.h"
#include "formats/http/link_header.h"
#include "formats/http/media_type.h"
#include "formats/http/raw_headers.h"
#include "formats/rows/times.h"
#include "formats/sitemap/gzip.h"
#include "formats/structured/structured.h"
#include "formats/text/ascii.h"
#include "formats/text/language.h"
#include "formats/url/key.h"
#include "jobs/signals/signals.h"

namespace trawl {

namespace {

HtmlOptions HtmlOptionsOf(const PageParserOptions& options) {
  HtmlOptions html;
  html.agent = options.agent;
  html.now_ms = options.now_ms;
  html.max_links = static_cast<size_t>(options.max_links);
  html.max_resources = options.resources ? static_cast<size_t>(options.max_links) : 0;
  html.max_text_bytes = static_cast<size_t>(options.max_text_bytes);
  html.reader = options.reader;
  html.structured = options.structured;
  html.before_tree = options.before_heavy_reading;
  html.outline = options.main_text;
  html.log = options.markdown;
  return html;
}

bool IsXmlType(std::string_view essence) {
  return essence == "text/xml" || essence == "application/xml" || essence.ends_with("+xml");
}

std::string_view HeadOf(std::string_view body) {
  body.remove_prefix(std::min(body.find_first_not_of(" \t\r\n\f\xef\xbb\xbf"), body.size()));
  return body.substr(0, 512);
}

bool IsFeedType(std::string_view media_type) {
  return media_type == "application/rss+xml" || media_type == "application/atom+xml" ||
         media_type == "application/feed+json";
}

std::string CutTo(std::string text, size_t bytes) {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && (static_cast<uint8_t>(text[bytes]) & 0xC0) == 0x80) --bytes;
  text.resize(bytes);
  return text;
}

int32_t WordsOf(std::string_view text) { return static_cast<int32_t>(std::min<int64_t>(CountWords(text), INT32_MAX)); }

bool IsLanguageByte(char c) { return IsAsciiLetter(c) || IsAsciiDigit(c) || c == '-' || c == '_'; }
bool IsUrlByte(char c) { return c > ' ' && c < '\x7f'; }

// The language of an alternate that a Link field names (hreflang), at most as long as those of pages; null: it names none.
const std::string* HeaderLanguageOf(const LinkValue& link) {
  constexpr size_t kMostBytes = 64;
  if (!link.HasRelation("alternate") || link.Parameter("anchor") != nullptr) return nullptr;
  const std::string* const language = link.Parameter("hreflang");
  if (language == nullptr || language->empty() || language->size() > kMostBytes) return nullptr;
  return std::all_of(language->begin(), language->end(), IsLanguageByte) ? language : nullptr;
}

void AddReason(std::string_view reason, ParseRow* row) {
  row->reason += (row->reason.empty() ? "" : "; ") + std::string(reason);
}

}  // namespace

bool NeedsScript(const HtmlPage& page) {
  constexpr size_t kLittleText = 250;
  constexpr size_t kHardlyAnyText = 50;
  const ScriptHints& hints = page.script_hints;
  if (page.text.size() > kLittleText) return false;
  if (hints.application_root || hints.asks_for_script) return hints.scripts > 0 || hints.asks_for_script;
  return hints.scripts > 0 && page.links.empty() && page.text.size() < kHardlyAnyText;
}

PageParser::PageParser(const PageParserOptions& options, NormalForm form, const CrawlScope& scope)
    : options_(options), sifter_(form, scope), html_(HtmlOptionsOf(options)) {}

PageParser::Form PageParser::FormOf(const ContentRow& content, const std::string& essence) const {
  if (content.kind == UrlKind::kSitemap || content.kind == UrlKind::kFeed) return Form::kSitemap;
  if (essence == "text/html" || essence == "application/xhtml+xml") return Form::kHtml;
  if (IsXmlType(essence)) return Form::kXml;
  if (!essence.empty() && essence != "application/octet-stream" && essence != "application/gzip") return Form::kText;
  const std::string_view head = HeadOf(content.body);
  if (head.starts_with("<?xml")) return Form::kXml;
  return head.starts_with('<') ? Form::kHtml : Form::kText;
}

void PageParser::Parse(const ContentRow& content, ParsedPage* parsed) {
  parsed->row = ParseRow();
  parsed->facts = PageFactsRow();
  parsed->items.clear();
  ParseRow& row = parsed->row;
  row.key = content.key;
  row.url = content.url;
  row.fetched_ms = content.fetched_ms;
  parsed->facts.key = content.key;
  parsed->facts.fetched_ms = content.fetched_ms;
  row.body_digest = content.body_digest;
  sifter_.Begin(content, &parsed->links);
  const HeaderList fields = ParseRawHeaders(content.headers);
  TakeHeaderWishes(fields, &row);
  if (!content.kept_codings.empty()) {
    row.failed = true;
    row.reason = "its content coding is not known: " + content.kept_codings;
    return;
  }
  if (content.truncated != Truncation::kNone) AddReason("the body was cut (" + TextOf(content.truncated) + ")", &row);
  const std::optional<MediaType> type =
      content.headers.empty() ? ParseMediaType(content.content_type) : ContentTypeOf(fields);
  if (type) row.media_type = type->essence;
  const std::string_view label = type ? type->Encoding() : std::string_view();

  Form form = FormOf(content, row.media_type);
  if (form != Form::kHtml && options_.before_heavy_reading) options_.before_heavy_reading();
  const bool is_list = form == Form::kSitemap || form == Form::kXml;
  const bool was_read = is_list && content.kind != UrlKind::kProbe && ReadSitemap(content, parsed);
  // A page may link an HTML page as its feed.
  const bool is_html = row.media_type == "text/html" || row.media_type == "application/xhtml+xml";
  if (!was_read && content.kind == UrlKind::kFeed && is_html) {
    row.reason.clear();
    form = Form::kHtml;
  }
  if (was_read) {
    // done
  } else if (form == Form::kSitemap) {
    row.failed = true;
    if (row.reason.empty()) row.reason = "neither a sitemap nor a feed";
  } else if (form == Form::kText) {
    ReadText(content, label, parsed);
    const arrow::Result<BaseUrl> base = BaseUrl::Make(content.url);
    if (base.ok() && !row.failed) TakeCanonical(HtmlPage(), fields, *base, &row);
  } else {
    ReadHtml(content, fields, label, parsed);
  }
  row.links = static_cast<int32_t>(parsed->links.size());
  if (parsed->facts.words == 0) parsed->facts.words = WordsOf(row.text);
}

std::string_view PageParser::Decode(const ContentRow& content, std::string_view charset_label, ParseRow* row,
                                    std::string_view* encoding) {
  const Charset charset = SniffCharset(content.body, charset_label);
  row->charset = charset.encoding;
  row->charset_source = CharsetSourceName(charset.source);
  *encoding = charset.encoding;
  return DecodeToUtf8(content.body, charset.encoding, &decoded_);
}

void PageParser::TakeDirectives(const RobotsDirectives& robots, ParseRow* row) const {
  row->noindex |= robots.NoIndexAt(options_.now_ms);
  row->nofollow |= robots.nofollow;
  row->noarchive |= robots.noarchive;
  row->nosnippet |= robots.nosnippet;
  row->noai |= robots.noai;
  row->noimageai |= robots.noimageai;
  if (robots.unavailable_after_ms &&
      (row->unavailable_after_ms == 0 || *robots.unavailable_after_ms < row->unavailable_after_ms)) {
    row->unavailable_after_ms = *robots.unavailable_after_ms;
  }
}

// What the header fields of the answer ask for. A page's own word on text and data mining goes before theirs.
void PageParser::TakeHeaderWishes(const HeaderList& fields, ParseRow* row) const {
  TakeDirectives(XRobotsTagOf(fields, options_.agent, options_.now_ms), row);
  row->content_signal = TextOf(ContentSignalOf(fields));
  row->tdm_reservation = TdmReservationOf(fields);
  const std::string_view policy = fields.First("tdm-policy").value_or("");
  if (std::all_of(policy.begin(), policy.end(), IsUrlByte)) row->tdm_policy = policy;
}

// Fills in the columns that are made of the text, whatever kind of body it came from.
void PageParser::Describe(const ContentRow& content, ParseRow* row) const {
  const std::string host = HostOfKey(content.key);
  const size_t dot = host.rfind('.');
  row->language = LanguageOf(
      row->text,
      {.declared = row->declared_language,
       .top_level_domain = dot == std::string::npos ? std::string_view() : std::string_view(host).substr(dot + 1)});
  if (row->text_cut > 0) return;
  const std::optional<uint64_t> simhash = SimHashOf(row->text, options_.least_tokens);
  row->has_simhash = simhash.has_value();
  row->simhash = static_cast<int64_t>(simhash.value_or(0));
  if (simhash) row->text_sketch = TextSketchOf(row->text).Bytes();
}

void PageParser::TakeDigest(const ContentRow& content, const HtmlPage& page, std::string_view encoding,
                            ParseRow* row) const {
  row->text_cut = static_cast<int64_t>(page.cuts.text_bytes);
  row->content_digest = row->text_cut > 0 ? content.body_digest : Bytes(ContentDigest(page, content.url, encoding));
}

void PageParser::ReadText(const ContentRow& content, std::string_view charset_label, ParsedPage* parsed) {
  ParseRow& row = parsed->row;
  std::string_view encoding;
  HtmlPage page;
  const std::string_view whole = Decode(content, charset_label, &row, &encoding);
  page.text = CutTo(std::string(whole), static_cast<size_t>(options_.max_text_bytes));
  page.cuts.text_bytes = whole.size() - page.text.size();
  if (page.text.find('\0') != std::string::npos) {
    row.failed = true;
    AddReason("binary, whatever its type says", &row);
    return;
  }
  TakeDigest(content, page, encoding, &row);
  row.text = std::move(page.text);
  Describe(content, &row);
}

void PageParser::ReadHtml(const ContentRow& content, const HeaderList& fields, std::string_view charset_label,
                          ParsedPage* parsed) {
  ParseRow& row = parsed->row;
  std::string_view encoding;
  const std::string_view html = Decode(content, charset_label, &row, &encoding);
  HtmlPage page = html_.Parse(html);
  ++(page.read_by_scan ? reader_counts_.scan : reader_counts_.tree);
  ++reader_counts_.wild[static_cast<size_t>(page.wild)];
  const arrow::Result<BaseUrl> base = BaseOfPage(page, content.url, encoding);
  TakeDirectives(page.robots, &row);
  if (base.ok()) {
    TakeCanonical(page, fields, *base, &row);
    // An answer to a path that cannot exist leads nowhere.
    if (content.kind != UrlKind::kProbe) TakeLinks(page, fields, *base, parsed);
  }
  if (options_.structured && content.kind != UrlKind::kProbe)
    TakeStructured(content, page, base.ok() ? &*base : nullptr, parsed);
  row.tree = HtmlTreeStateName(page.tree);
  TakeFacts(page, fields, html, base.ok() ? &*base : nullptr, &parsed->facts);
  TakeDigest(content, page, encoding, &row);
  row.needs_js = NeedsScript(page);
  row.description = CutTo(std::move(page.description), 4 << 10);
  row.declared_language = page.language;
  if (row.declared_language.empty()) row.declared_language = fields.First("content-language").value_or("");
  if (page.tdm_reservation >= 0) row.tdm_reservation = page.tdm_reservation == 1 ? 1 : 2;
  if (!page.tdm_policy.empty()) row.tdm_policy = page.tdm_policy;
  row.links_cut = static_cast<int32_t>(std::min<uint64_t>(page.cuts.links, INT32_MAX));
  row.resources = static_cast<int32_t>(std::min<uint64_t>(page.resources.size() + page.cuts.resources, INT32_MAX));
  row.title = std::move(page.title);
  row.text = std::move(page.text);
  Describe(content, &row);
}

void PageParser::TakeFacts(const HtmlPage& page, const HeaderList& fields, std::string_view html, const BaseUrl* base,
                           PageFactsRow* facts) const {
  facts->words = WordsOf(page.text);
  if (!options_.main_text || !page.outline.is_whole()) return;
  MainContent main = MainContentOf(page.outline, page.text);
  facts->main_rule = kMainRule;
  facts->main_from = main.from;
  facts->main_words = WordsOf(main.text);
  facts->link_density_millionths = static_cast<int32_t>(main.link_density * 1e6);
  facts->challenge = ChallengeOf(fields, html, facts->words);
  facts->soft_404 =
      Soft404Of(page.title, page.outline, page.text, main.text.empty() ? facts->words : facts->main_words);
  facts->main_text = std::move(main.text);
  if (!options_.markdown || base == nullptr) return;
  const auto resolve = [base](std::string_view href) {
    Url url;
    return url.Resolve(href, *base) ? std::string(url.href()) : std::string();
  };
  facts->markdown =
      MarkdownOf(page.log, main.takes, {.resolve = resolve, .max_bytes = static_cast<size_t>(options_.max_text_bytes)});
}

void PageParser::TakeStructured(const ContentRow& content, const HtmlPage& page, const BaseUrl* base,
                                ParsedPage* parsed) {
  StructuredPage read =
      ReadStructured(page.structured, {.base = base, .page_url = content.url, .fetched_ms = content.fetched_ms});
  for (PageItem& item : read.items) {
    parsed->items.push_back({.key = content.key,
                             .url = content.url,
                             .fetched_ms = content.fetched_ms,
                             .syntax = std::string(ItemSyntaxName(item.syntax)),
                             .block = item.block,
                             .position = item.position,
                             .type = std::move(item.type),
                             .id = std::move(item.id),
                             .json = std::move(item.json),
                             .repaired = std::move(item.repaired),
                             .problem = std::move(item.problem)});
  }
  PageFactsRow& facts = parsed->facts;
  PageStatements& says = read.statements;
  facts.items = static_cast<int32_t>(parsed->items.size());
  facts.published_ms = says.published_ms;
  facts.published_from = std::move(says.published_from);
  facts.modified_ms = says.modified_ms;
  facts.modified_from = std::move(says.modified_from);
  facts.author = std::move(says.author);
  facts.author_from = std::move(says.author_from);
  facts.headline = std::move(says.headline);
  facts.headline_from = std::move(says.headline_from);
  facts.image = std::move(says.image);
  facts.image_from = std::move(says.image_from);
  facts.site_name = std::move(says.site_name);
  facts.site_name_from = std::move(says.site_name_from);
  facts.schema_types = std::move(says.schema_types);
  facts.og_type = std::move(says.og_type);
}

void PageParser::TakeCanonical(const HtmlPage& page, const HeaderList& fields, const BaseUrl& base, ParseRow* row) {
  std::string href;
  const auto add_alternate = [&](const std::string& language, std::string_view to) {
    std::string url;
    if (!sifter_.KeyOf(to, base, &url).empty()) row->alternates += language + "\t" + url + "\n";
  };
  for (const HtmlLink& link : page.links) {
    if (link.kind == LinkKind::kCanonical && href.empty()) href = link.href;
    if (link.kind == LinkKind::kAlternate && !link.language.empty()) add_alternate(link.language, link.href);
  }
  for (const LinkValue& link : LinksOf(fields)) {
    const std::string* const language = HeaderLanguageOf(link);
    if (language != nullptr) add_alternate(*language, link.target);
  }
  if (!page.amphtml_href.empty()) sifter_.KeyOf(page.amphtml_href, base, &row->amphtml_url);
  if (href.empty()) href = CanonicalLinkOf(fields).value_or("");
  if (!href.empty()) row->canonical_to = sifter_.KeyOf(href, base, &row->canonical_url);
  const std::optional<Refresh> refresh = page.refresh ? page.refresh : RefreshOf(fields);
  if (refresh && !refresh->url.empty()) row->refresh_to = sifter_.KeyOf(refresh->url, base);
}

void PageParser::TakeLinks(const HtmlPage& page, const HeaderList& fields, const BaseUrl& base, ParsedPage* parsed) {
  const bool nofollow_page = parsed->row.nofollow;
  const auto add = [&](const HtmlLink& link) {
    const bool nofollow = nofollow_page || (" " + link.rel + " ").find(" nofollow ") != std::string::npos;
    sifter_.Add({.href = link.href,
                 .how = LinkKindName(link.kind),
                 .rel = link.rel,
                 .text = link.text,
                 .language = link.language,
                 .kind = IsFeedType(link.media_type) ? UrlKind::kFeed : UrlKind::kPage,
                 .may_enter = MayEnterCrawl(link.kind) && (options_.feeds || !IsFeedType(link.media_type)),
                 .nofollow = nofollow},
                base);
  };
  for (const HtmlLink& link : page.links) add(link);
  if (const auto canonical = CanonicalLinkOf(fields)) {
    sifter_.Add(
        {.href = *canonical, .how = LinkKindName(LinkKind::kCanonical), .rel = "canonical", .nofollow = nofollow_page},
        base);
  }
  for (const LinkValue& link : LinksOf(fields)) {
    const std::string* const language = HeaderLanguageOf(link);
    if (language == nullptr) continue;
    sifter_.Add({.href = link.target,
                 .how = LinkKindName(LinkKind::kAlternate),
                 .rel = "alternate",
                 .language = *language,
                 .nofollow = nofollow_page},
                base);
  }
  if (const auto refresh = RefreshOf(fields); refresh && !refresh->url.empty()) {
    sifter_.Add({.href = refresh->url, .how = LinkKindName(LinkKind::kRefresh), .nofollow = nofollow_page}, base);
  }
  for (const HtmlLink& link : page.resources) add(link);
}

namespace {

// The interval that a change frequency asks for. "never" is the longest; the crawl's own bounds hold in any case.
int64_t IntervalMsOf(ChangeFrequency frequency) {
  switch (frequency) {
    case ChangeFrequency::kUnknown:
      return 0;
    case ChangeFrequency::kAlways:
      return 1;
    case ChangeFrequency::kHourly:
      return kHourMs;
    case ChangeFrequency::kDaily:
      return kDayMs;
    case ChangeFrequency::kWeekly:
      return 7 * kDayMs;
    case ChangeFrequency::kMonthly:
      return 30 * kDayMs;
    case ChangeFrequency::kYearly:
    case ChangeFrequency::kNoMore:
      return 365 * kDayMs;
  }
  return 0;
}

// What the URLs of an entry of Atom are relative to; nothing where it says nothing, and where it makes no sense.
std::optional<BaseUrl> BaseOf(const SitemapEntry& entry, const BaseUrl& file) {
  std::optional<BaseUrl> base;
  for (const std::string& text : entry.bases) {
    const arrow::Result<Url> url = ResolveUrl(text, base ? *base : file);
    arrow::Result<BaseUrl> next = url.ok() ? BaseUrl::Make(url->href()) : url.status();
    if (!next.ok()) return std::nullopt;
    base.emplace(std::move(next).ValueUnsafe());
  }
  return base;
}

}  // namespace

// The entries of a sitemap have depth 0 and its word; those of a feed are links, whose dates count all the same.
void PageParser::TakeSitemapEntry(const SitemapEntry& entry, bool is_sitemap, const BaseUrl& base,
                                  std::string_view how) {
  sifter_.Add({.href = entry.loc,
               .how = how,
               .kind = entry.is_sitemap ? UrlKind::kSitemap : UrlKind::kPage,
               .is_entry = is_sitemap,
               .lastmod_ms = entry.lastmod_ms.value_or(0),
               .has_priority = entry.priority_millionths.has_value(),
               .priority = entry.priority_millionths.value_or(0),
               .interval_ms = IntervalMsOf(entry.frequency),
               .details = entry.details},
              base);
  for (const SitemapAlternate& alternate : entry.alternates) {
    sifter_.Add(
        {.href = alternate.loc, .how = how, .rel = "alternate", .language = alternate.language, .is_entry = is_sitemap},
        base);
  }
}

bool PageParser::ReadSitemap(const ContentRow& content, ParsedPage* parsed) {
  ParseRow& row = parsed->row;
  const arrow::Result<BaseUrl> base = BaseUrl::Make(content.url);
  if (!base.ok()) return false;
  const std::string_view how = content.kind == UrlKind::kFeed || IsFeedType(row.media_type) ? "feed" : "sitemap";
  const bool is_sitemap = content.kind == UrlKind::kSitemap;
  const auto take = [&](const SitemapEntry& entry) {
    const std::optional<BaseUrl> own = BaseOf(entry, *base);
    TakeSitemapEntry(entry, is_sitemap, own ? *own : *base, how);
  };
  SitemapReader reader(take, options_.now_ms);
  if (IsGzip(content.body)) {
    Gunzip(content.body, [&reader](std::string_view piece) { return reader.Feed(piece); });
  } else {
    reader.Feed(content.body);
  }
  const SitemapSummary summary = reader.Finish();
  const bool is_text = summary.type == SitemapType::kText;
  // Almost any XML could pass as a text of URLs, so only a body that was met as a sitemap is read as one.
  if (summary.type == SitemapType::kInvalid || (is_text && content.kind == UrlKind::kPage)) {
    if (!summary.problem.empty() && content.kind != UrlKind::kPage) AddReason(summary.problem, &row);
    return false;
  }
  row.sitemap = NameOf(summary.type);
  row.entries = static_cast<int32_t>(std::min<uint64_t>(summary.entries, INT32_MAX));
  row.links_cut = static_cast<int32_t>(std::min<uint64_t>(summary.refused, INT32_MAX));
  if (!summary.problem.empty()) AddReason("broken: " + summary.problem, &row);
  if (summary.too_many_bytes) AddReason("over 50 MiB: the rest was left out", &row);
  if (summary.too_many_entries) AddReason("over 50,000 entries: the rest was left out", &row);
  return true;
}

}  // namespace trawl
