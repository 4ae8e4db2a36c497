#include "formats/content/content_log.h"

namespace trawl {
namespace {

bool IsMoreThanOne(const std::string_view* number) {
  return number != nullptr && *number != "1" && *number != "" && *number != "0";
}

// The source of an image; many pages have it in another attribute until a script moves it.
std::string_view SourceOf(const HtmlElement& image) {
  const std::string_view source = image.Get("src");
  if (!source.empty() && !source.starts_with("data:")) return source;
  for (const char* const name : {"data-src", "data-original", "data-lazy-src"}) {
    if (const std::string_view other = image.Get(name); !other.empty()) return other;
  }
  return {};
}

std::string_view ValueOf(const HtmlElement& element) {
  switch (element.traits.part) {
    case HtmlPart::kLink:
      return element.Get("href");
    case HtmlPart::kImage:
      return SourceOf(element);
    case HtmlPart::kCode:
    case HtmlPart::kPre:
      return element.Get("class");
    case HtmlPart::kOrderedList:
      return element.Get("start");
    default:
      return {};
  }
}

}  // namespace

bool ContentLog::Fits(size_t bytes) {
  is_full_ = is_full_ || events_.size() >= kMostEvents || bytes_.size() + bytes > max_bytes_;
  return !is_full_;
}

void ContentLog::Open(const HtmlElement& element, uint32_t node) {
  if (!IsOfUse(element.traits)) return;
  if (element.traits.part == HtmlPart::kLink && element.Find("href") == nullptr) return;
  const std::string_view value = ValueOf(element);
  const std::string_view more = element.traits.part == HtmlPart::kImage ? element.Get("alt") : std::string_view();
  if (!Fits(value.size() + more.size())) return;
  ContentEvent event;
  event.kind = ContentEventKind::kOpen;
  event.part = element.traits.part;
  event.display = element.traits.display;
  event.node = node;
  if (event.part == HtmlPart::kCell || event.part == HtmlPart::kHeaderCell) {
    event.is_span = IsMoreThanOne(element.Find("colspan")) || IsMoreThanOne(element.Find("rowspan"));
  }
  event.at = static_cast<uint32_t>(bytes_.size());
  event.size = static_cast<uint32_t>(value.size());
  event.more = static_cast<uint32_t>(more.size());
  bytes_.append(value).append(more);
  events_.push_back(event);
}

void ContentLog::Close(const HtmlTagTraits& traits, uint32_t node) {
  if (!IsOfUse(traits) || !Fits(0)) return;
  ContentEvent event;
  event.kind = ContentEventKind::kClose;
  event.part = traits.part;
  event.display = traits.display;
  event.node = node;
  events_.push_back(event);
}

void ContentLog::Text(std::string_view utf8, uint32_t node) {
  if (!Fits(utf8.size())) return;
  ContentEvent event;
  event.node = node;
  event.at = static_cast<uint32_t>(bytes_.size());
  event.size = static_cast<uint32_t>(utf8.size());
  bytes_.append(utf8);
  events_.push_back(event);
}

}  // namespace trawl
