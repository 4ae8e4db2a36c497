#include "formats/html/meta.h"

#include <string>

#include "formats/html/text.h"
#include "formats/markup/markup.h"

namespace trawl {
namespace {

constexpr size_t kMaxDescriptionBytes = 4 << 10;

// A longer text is not a list of directives.
constexpr size_t kMaxDirectivesBytes = 4 << 10;

// Some pages write "noindex nofollow" or "noindex; nofollow". A directive with a value keeps its spaces.
RobotsDirectives LenientDirectives(std::string_view content, int64_t now_ms) {
  content = content.substr(0, kMaxDirectivesBytes);
  if (content.find(':') != std::string_view::npos) return ParseRobotsDirectives(content, now_ms);
  std::string commas(content);
  for (char& c : commas) {
    if (IsAsciiWhitespace(c) || c == ';') c = ',';
  }
  return ParseRobotsDirectives(commas, now_ms);
}

void TakeNamed(std::string_view name, std::string_view content, const HtmlOptions& options, HtmlPage* page) {
  if (EqualsIgnoringAsciiCase(name, "robots") ||
      (!options.agent.empty() && EqualsIgnoringAsciiCase(name, options.agent))) {
    page->robots.Merge(LenientDirectives(content, options.now_ms));
  } else if (EqualsIgnoringAsciiCase(name, "description")) {
    if (page->description.empty()) page->description = Collapsed(content, kMaxDescriptionBytes);
  } else if (EqualsIgnoringAsciiCase(name, "tdm-reservation")) {
    const std::string_view value = StripHtmlSpace(content);
    if (value == "0" || value == "1") page->tdm_reservation = value == "1" ? 1 : 0;
  } else if (EqualsIgnoringAsciiCase(name, "tdm-policy")) {
    if (page->tdm_policy.empty()) page->tdm_policy = StripHtmlSpace(content).substr(0, options.max_href_bytes);
  }
}

void TakePragma(std::string_view pragma, std::string_view content, HtmlPage* page) {
  if (EqualsIgnoringAsciiCase(pragma, "refresh")) {
    if (!page->refresh) page->refresh = ParseRefresh(content);
  } else if (EqualsIgnoringAsciiCase(pragma, "content-language")) {
    // A list is not a language (4.2.5.3, "Content language").
    if (page->language.empty() && content.find(',') == std::string_view::npos) page->language = StripHtmlSpace(content);
  }
}

}  // namespace

void TakeMeta(const HtmlElement& meta, const HtmlOptions& options, HtmlPage* page) {
  const std::string_view* content = meta.Find("content");
  if (content == nullptr) return;
  if (const std::string_view* name = meta.Find("name"); name != nullptr) {
    TakeNamed(StripHtmlSpace(*name), *content, options, page);
  }
  if (const std::string_view* pragma = meta.Find("http-equiv"); pragma != nullptr) {
    TakePragma(StripHtmlSpace(*pragma), *content, page);
  }
}

}  // namespace trawl
