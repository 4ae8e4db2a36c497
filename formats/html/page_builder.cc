#include "formats/html/page_builder.h"

#include <algorithm>

#include "formats/html/meta.h"
#include "formats/markup/markup.h"

namespace trawl {
namespace {

// Ids of the elements in which widespread frameworks build a page.
constexpr std::string_view kApplicationRoots[] = {"root",      "app",      "__next", "__nuxt",
                                                  "___gatsby", "app-root", "svelte", "main-app"};

bool ContainsIgnoringCase(std::string_view text, std::string_view lower) {
  return std::search(text.begin(), text.end(), lower.begin(), lower.end(),
                     [](char a, char b) { return AsciiLower(a) == b; }) != text.end();
}

// Whether a style attribute hides the element. White space may stand anywhere between its parts.
bool StyleHides(std::string_view style) {
  for (const std::string_view declaration : SplitWords(style, ";")) {
    const size_t colon = declaration.find(':');
    if (colon == std::string_view::npos) continue;
    const std::string_view property = StripHtmlSpace(declaration.substr(0, colon));
    std::string_view value = StripHtmlSpace(declaration.substr(colon + 1));
    value = StripHtmlSpace(value.substr(0, value.find('!')));
    if (EqualsIgnoringAsciiCase(property, "display") && EqualsIgnoringAsciiCase(value, "none")) return true;
    if (EqualsIgnoringAsciiCase(property, "visibility") && EqualsIgnoringAsciiCase(value, "hidden")) return true;
  }
  return false;
}

bool IsHidden(const HtmlElement& element) {
  // Some pages hide everything until their scripts have run, but their content is meant to be seen.
  if (element.traits.tag == HtmlTag::kHtml || element.traits.tag == HtmlTag::kBody) return false;
  if (element.traits.display == HtmlDisplay::kHidden) return true;
  if (element.traits.tag == HtmlTag::kDialog && element.Find("open") == nullptr) return true;
  if (element.Find("hidden") != nullptr) return true;
  const std::string_view* style = element.Find("style");
  return style != nullptr && StyleHides(*style);
}

}  // namespace

HtmlPageBuilder::HtmlPageBuilder(const HtmlOptions& options, HtmlPage* page)
    : options_(options),
      page_(page),
      links_(options, page),
      structured_(&page->structured),
      text_(options.max_text_bytes),
      link_text_(options.max_link_text_bytes),
      title_(options.max_title_bytes) {
  if (!options.outline) DropOutline();
  if (options.outline && options.log) page->log = ContentLog(std::max<size_t>(options.max_text_bytes, 1));
}

void HtmlPageBuilder::OpenLink(size_t link) {
  CloseLink();
  open_link_ = link;
  hidden_at_link_ = hidden_;
}

void HtmlPageBuilder::CloseLink() {
  if (open_link_ == LinkCollector::kNoLink) return;
  page_->links[open_link_].text = link_text_.Take();
  open_link_ = LinkCollector::kNoLink;
}

void HtmlPageBuilder::TakeHints(const HtmlElement& element) {
  const std::string_view* id = element.Find("id");
  const bool is_root = id != nullptr && std::find(std::begin(kApplicationRoots), std::end(kApplicationRoots), *id) !=
                                            std::end(kApplicationRoots);
  if (is_root || element.Find("ng-app") != nullptr || element.Find("data-reactroot") != nullptr) {
    page_->script_hints.application_root = true;
  }
}

void HtmlPageBuilder::TakeElement(const HtmlElement& element) {
  switch (element.traits.tag) {
    case HtmlTag::kA:
      OpenLink(links_.Take(element));
      return;
    case HtmlTag::kBase:
      if (const std::string_view* href = element.Find("href"); href != nullptr && !page_->has_base) {
        page_->has_base = true;
        page_->base_href = StripHtmlSpace(*href).substr(0, options_.max_href_bytes);
      }
      return;
    case HtmlTag::kHtml: {
      const std::string_view* language = element.Find("lang");
      if (language == nullptr) language = element.Find("xml:lang");
      if (language == nullptr || has_html_language_) return;
      has_html_language_ = true;
      page_->language = StripHtmlSpace(*language).substr(0, 64);
      return;
    }
    case HtmlTag::kMeta: {
      const bool had_refresh = page_->refresh.has_value();
      TakeMeta(element, options_, page_);
      if (!had_refresh && page_->refresh) links_.TakeRefresh(*page_->refresh);
      return;
    }
    case HtmlTag::kImg:
      links_.Take(element);
      if (open_link_ != LinkCollector::kNoLink) link_text_.Append(element.Get("alt"));
      return;
    case HtmlTag::kScript:
      ++page_->script_hints.scripts;
      links_.Take(element);
      return;
    case HtmlTag::kOther:
      return;
    default:
      links_.Take(element);
  }
}

HtmlPageBuilder::Shown HtmlPageBuilder::Open(const HtmlElement& element) {
  const HtmlTagTraits& traits = element.traits;
  if (traits.display == HtmlDisplay::kInert) return Shown::kInert;
  if (options_.structured) structured_.Open(element);
  TakeElement(element);
  if (!element.attributes.empty()) TakeHints(element);
  if (traits.tag == HtmlTag::kTitle && !has_title_) in_title_ = has_title_ = true;
  if (traits.tag == HtmlTag::kNoscript) ++noscript_;
  if (IsHidden(element)) {
    ++hidden_;
    return Shown::kHidden;
  }
  if (traits.tag == HtmlTag::kPre) ++pre_;
  if (hidden_ > 0) return Shown::kYes;
  if (traits.display == HtmlDisplay::kBlock || traits.display == HtmlDisplay::kBreak) {
    text_.Break();
    link_text_.Space();
  } else if (traits.display == HtmlDisplay::kCell) {
    text_.Space();
    link_text_.Space();
  }
  page_->outline.Open(element, text_.size());
  if (page_->log.is_kept()) page_->log.Open(element, page_->outline.open_node());
  return Shown::kYes;
}

void HtmlPageBuilder::Close(const HtmlTagTraits& traits, Shown shown) {
  if (shown == Shown::kInert) return;
  if (options_.structured) structured_.Close(traits);
  if (traits.tag == HtmlTag::kA) CloseLink();
  if (traits.tag == HtmlTag::kTitle) in_title_ = false;
  if (traits.tag == HtmlTag::kNoscript) --noscript_;
  if (shown == Shown::kHidden) {
    --hidden_;
    return;
  }
  if (traits.tag == HtmlTag::kPre) --pre_;
  if (hidden_ > 0) return;
  if (!page_->outline.EndsBareLink(traits)) {
    if (page_->log.is_kept()) page_->log.Close(traits, page_->outline.open_node());
    page_->outline.Close(traits, text_.size());
  }
  if (traits.display == HtmlDisplay::kBlock) {
    text_.Break();
    link_text_.Space();
  } else if (traits.display == HtmlDisplay::kCell) {
    text_.Space();
    link_text_.Space();
  }
}

void HtmlPageBuilder::Text(std::string_view utf8) {
  if (options_.structured) structured_.Text(utf8);
  if (in_title_) title_.Append(utf8);
  if (noscript_ > 0 && ContainsIgnoringCase(utf8, "javascript")) page_->script_hints.asks_for_script = true;
  if (open_link_ != LinkCollector::kNoLink && hidden_ == hidden_at_link_) link_text_.Append(utf8);
  if (hidden_ > 0) return;
  text_.Append(utf8, pre_ > 0);
  if (page_->log.is_kept()) page_->log.Text(utf8, page_->outline.open_node());
}

void HtmlPageBuilder::Finish() {
  CloseLink();
  page_->outline.End(text_.size());
  page_->title = title_.Take();
  page_->text = text_.Take();
  page_->cuts.text_bytes = text_.cut_bytes();
}

}  // namespace trawl
