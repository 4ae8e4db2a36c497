// What a page shows, event by event, for somebody who writes it anew: markdown.h. formats/html fills one where it is asked
// to. One thread.
//
// It has at most kMostEvents events and as many bytes as its maker allows; what comes later is left out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "formats/scan/element.h"

namespace trawl {

enum class ContentEventKind : uint8_t { kOpen, kClose, kText };

struct ContentEvent {
  ContentEventKind kind = ContentEventKind::kText;
  HtmlPart part = HtmlPart::kNone;
  HtmlDisplay display = HtmlDisplay::kInline;
  bool is_span = false;  // a cell of more than one row or column
  uint32_t node = 0;     // of the outline: the innermost that holds it
  // Of the log's bytes: the text; the href of a link; the source of an image; the class of code, and the number at which
  // a list starts.
  uint32_t at = 0;
  uint32_t size = 0;
  // The alternative text of an image follows that.
  uint32_t more = 0;
};

class ContentLog {
 public:
  static constexpr size_t kMostEvents = 1 << 19;

  explicit ContentLog(size_t max_bytes = 0) : max_bytes_(max_bytes) {}

  bool is_kept() const { return max_bytes_ > 0; }
  const std::vector<ContentEvent>& events() const { return events_; }
  std::string_view Bytes(const ContentEvent& event) const {
    return std::string_view(bytes_).substr(event.at, event.size);
  }
  std::string_view MoreBytes(const ContentEvent& event) const {
    return std::string_view(bytes_).substr(event.at + event.size, event.more);
  }

  // For the reader of a page. `node`: the number of the innermost node of the outline.
  void Open(const HtmlElement& element, uint32_t node);
  void Close(const HtmlTagTraits& traits, uint32_t node);
  void Text(std::string_view utf8, uint32_t node);

 private:
  static bool IsOfUse(const HtmlTagTraits& traits) {
    return traits.part != HtmlPart::kNone || traits.display != HtmlDisplay::kInline;
  }
  bool Fits(size_t bytes);

  size_t max_bytes_;
  std::vector<ContentEvent> events_;
  std::string bytes_;
  bool is_full_ = false;
};

}  // namespace trawl
