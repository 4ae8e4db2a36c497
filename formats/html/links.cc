#include "formats/html/links.h"

#include <algorithm>
#include <string>
#include <vector>

#include "formats/html/text.h"
#include "formats/markup/markup.h"

namespace trawl {
namespace {

// Schemes that carry their content with them or mean nothing outside a browser.
constexpr std::string_view kNoLinkSchemes[] = {"javascript:", "data:", "blob:", "about:", "vbscript:"};

bool LeadsNowhere(std::string_view href) {
  return std::any_of(std::begin(kNoLinkSchemes), std::end(kNoLinkSchemes), [&](std::string_view scheme) {
    return href.size() >= scheme.size() && EqualsIgnoringAsciiCase(href.substr(0, scheme.size()), scheme);
  });
}

std::string NormalRel(std::string_view rel) {
  std::string normal;
  for (const std::string_view token : SplitWords(rel.substr(0, 256))) {
    if (!normal.empty()) normal.push_back(' ');
    normal += AsciiLower(token);
  }
  return normal;
}

struct RelKind {
  std::string_view token;
  LinkKind kind;
};
// If rel has several tokens, the first of this list decides: "alternate stylesheet" is a style.
constexpr RelKind kRelKinds[] = {
    {"stylesheet", LinkKind::kStyle},    {"canonical", LinkKind::kCanonical},
    {"alternate", LinkKind::kAlternate}, {"next", LinkKind::kNext},
    {"prev", LinkKind::kPrev},           {"previous", LinkKind::kPrev},
    {"icon", LinkKind::kImage},          {"apple-touch-icon", LinkKind::kImage},
    {"image_src", LinkKind::kImage},     {"manifest", LinkKind::kResource},
    {"preload", LinkKind::kResource},    {"modulepreload", LinkKind::kScript},
    {"prefetch", LinkKind::kResource},   {"amphtml", LinkKind::kResource},
    {"shortlink", LinkKind::kResource},  {"search", LinkKind::kResource},
    {"license", LinkKind::kResource},    {"author", LinkKind::kResource},
};

const RelKind* KindOfRel(std::string_view normal_rel) {
  const std::vector<std::string_view> tokens = SplitWords(normal_rel);
  for (const RelKind& kind : kRelKinds) {
    if (std::find(tokens.begin(), tokens.end(), kind.token) != tokens.end()) return &kind;
  }
  return nullptr;
}

}  // namespace

HtmlLink* LinkCollector::Add(LinkKind kind, std::string_view href) {
  href = StripHtmlSpace(href);
  if (LeadsNowhere(href)) return nullptr;
  const bool may_enter = MayEnterCrawl(kind);
  std::vector<HtmlLink>& links = may_enter ? page_->links : page_->resources;
  if (href.size() > options_.max_href_bytes ||
      links.size() >= (may_enter ? options_.max_links : options_.max_resources)) {
    ++(may_enter ? page_->cuts.links : page_->cuts.resources);
    return nullptr;
  }
  HtmlLink& link = links.emplace_back();
  link.kind = kind;
  link.href = href;
  return &link;
}

void LinkCollector::TakeResource(LinkKind kind, const std::string_view* href) {
  if (href != nullptr && !StripHtmlSpace(*href).empty()) Add(kind, *href);
}

// Reads "URL descriptor, URL descriptor" (HTML Standard 4.8.4.3.9). A comma inside parentheses does not end a
// candidate.
void LinkCollector::TakeSourceSet(LinkKind kind, const std::string_view* set) {
  if (set == nullptr) return;
  size_t at = 0;
  const auto is_between = [](char c) { return IsAsciiWhitespace(c) || c == ','; };
  while (true) {
    while (at < set->size() && is_between((*set)[at])) ++at;
    if (at == set->size()) return;
    size_t end = at;
    while (end < set->size() && !IsAsciiWhitespace((*set)[end])) ++end;
    std::string_view url = set->substr(at, end - at);
    at = end;
    const bool is_bare = url.ends_with(',');
    while (url.ends_with(',')) url.remove_suffix(1);
    Add(kind, url);
    if (is_bare) continue;
    for (size_t parentheses = 0; at < set->size() && (parentheses > 0 || (*set)[at] != ','); ++at) {
      if ((*set)[at] == '(') ++parentheses;
      if ((*set)[at] == ')' && parentheses > 0) --parentheses;
    }
  }
}

size_t LinkCollector::TakeAnchor(const HtmlElement& element) {
  const std::string_view* href = element.Find("href");
  if (href == nullptr) return kNoLink;
  HtmlLink* link = Add(LinkKind::kAnchor, *href);
  if (link == nullptr) return kNoLink;
  if (const std::string_view* rel = element.Find("rel"); rel != nullptr) link->rel = NormalRel(*rel);
  return page_->links.size() - 1;
}

void LinkCollector::TakeLinkElement(const HtmlElement& element) {
  const std::string_view* href = element.Find("href");
  const std::string_view* rel = element.Find("rel");
  if (href == nullptr || rel == nullptr || StripHtmlSpace(*href).empty()) return;
  std::string normal_rel = NormalRel(*rel);
  const RelKind* kind = KindOfRel(normal_rel);
  if (kind != nullptr && kind->token == "amphtml" && page_->amphtml_href.empty()) {
    page_->amphtml_href = StripHtmlSpace(*href).substr(0, options_.max_href_bytes);
  }
  HtmlLink* link = kind == nullptr ? nullptr : Add(kind->kind, *href);
  if (link == nullptr) return;
  link->rel = std::move(normal_rel);
  link->text = Collapsed(element.Get("title"), options_.max_link_text_bytes);
  if (link->kind != LinkKind::kAlternate) return;
  link->language = StripHtmlSpace(element.Get("hreflang")).substr(0, 64);
  link->media_type = AsciiLower(StripHtmlSpace(element.Get("type")).substr(0, 128));
}

void LinkCollector::TakeRefresh(const Refresh& refresh) {
  if (!refresh.url.empty()) Add(LinkKind::kRefresh, refresh.url);
}

size_t LinkCollector::Take(const HtmlElement& element) {
  HtmlLink* link = nullptr;
  switch (element.traits.tag) {
    case HtmlTag::kA:
      return TakeAnchor(element);
    case HtmlTag::kArea:
      if (const std::string_view* href = element.Find("href"); href != nullptr) link = Add(LinkKind::kArea, *href);
      if (link != nullptr) link->text = Collapsed(element.Get("alt"), options_.max_link_text_bytes);
      if (link != nullptr) link->rel = NormalRel(element.Get("rel"));
      break;
    case HtmlTag::kFrame:
    case HtmlTag::kIframe:
      if (const std::string_view src = StripHtmlSpace(element.Get("src")); !src.empty()) {
        link = Add(element.traits.tag == HtmlTag::kFrame ? LinkKind::kFrame : LinkKind::kIframe, src);
      }
      if (link != nullptr) link->text = Collapsed(element.Get("title"), options_.max_link_text_bytes);
      break;
    case HtmlTag::kLink:
      TakeLinkElement(element);
      break;
    case HtmlTag::kImg:
      TakeResource(LinkKind::kImage, element.Find("src"));
      TakeResource(LinkKind::kImage, element.Find("href"));  // for SVG's <image>
      TakeSourceSet(LinkKind::kImage, element.Find("srcset"));
      break;
    case HtmlTag::kInput:
      if (EqualsIgnoringAsciiCase(element.Get("type"), "image")) TakeResource(LinkKind::kImage, element.Find("src"));
      break;
    case HtmlTag::kScript:
      TakeResource(LinkKind::kScript, element.Find("src"));
      break;
    case HtmlTag::kVideo:
      TakeResource(LinkKind::kImage, element.Find("poster"));
      [[fallthrough]];
    case HtmlTag::kAudio:
    case HtmlTag::kTrack:
    case HtmlTag::kEmbed:
      TakeResource(LinkKind::kMedia, element.Find("src"));
      break;
    case HtmlTag::kSource:
      TakeResource(LinkKind::kMedia, element.Find("src"));
      TakeSourceSet(LinkKind::kImage, element.Find("srcset"));
      break;
    case HtmlTag::kObject:
      TakeResource(LinkKind::kMedia, element.Find("data"));
      break;
    default:
      break;
  }
  return kNoLink;
}

}  // namespace trawl
