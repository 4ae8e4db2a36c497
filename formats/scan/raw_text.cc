// Members of HtmlReader for elements whose content is text up to their own end tag (HTML Standard 13.2.5.2 to
// 13.2.5.31).
#include <gumbo.h>

#include <algorithm>

#include "formats/markup/entities.h"
#include "formats/markup/markup.h"
#include "formats/scan/reader.h"

namespace trawl {
namespace {

constexpr size_t npos = std::string_view::npos;

bool EndsName(char c) { return IsAsciiWhitespace(c) || c == '/' || c == '>'; }

// Whether a complete tag name "script" begins at `at`.
bool IsScriptAt(std::string_view html, size_t at) {
  return at + 6 < html.size() && EqualsIgnoringAsciiCase(html.substr(at, 6), "script") && EndsName(html[at + 6]);
}

}  // namespace

// A script that has "<!--" is escaped up to "-->". A <script> in that part is text, but the next </script> belongs to
// it.
size_t HtmlReader::EndOfScript() const {
  size_t end = FindEndTag(html_, at_, "script");
  size_t escape = html_.substr(at_, end - at_).find("<!--");
  if (escape == npos) return end;
  escape += at_;
  enum { kPlain, kEscaped, kTwice } state = kEscaped;
  // The dashes of "<!--" may also be those of "-->".
  size_t at = escape + 2;
  while (true) {
    const size_t next = html_.find_first_of("<-", at);
    if (next == npos) return html_.size();
    at = next + 1;
    if (html_[next] == '-') {
      if (state != kPlain && html_.substr(next).starts_with("-->")) state = kPlain;
      continue;
    }
    const bool is_end = next + 1 < html_.size() && html_[next + 1] == '/';
    const bool is_script = IsScriptAt(html_, next + (is_end ? 2 : 1));
    if (state == kPlain && html_.substr(next).starts_with("<!--")) {
      state = kEscaped;
      at = next + 2;
    } else if (is_script && is_end && state != kTwice) {
      return next;
    } else if (is_script && is_end) {
      state = kEscaped;
    } else if (is_script && state == kEscaped) {
      state = kTwice;
    }
  }
}

// Reads the text and the end tag of the element that has just been inserted.
void HtmlReader::RawText(uint8_t tag, bool has_references) {
  ++work_.raw_texts;
  work_.CountEnd(tag);
  const std::string_view name = gumbo_normalized_tagname(static_cast<GumboTag>(tag));
  const size_t end = tag == GUMBO_TAG_SCRIPT ? EndOfScript() : FindEndTag(html_, at_, name);
  std::string_view text = html_.substr(at_, end - at_);
  const bool is_looked_over =
      tag == GUMBO_TAG_STYLE || tag == GUMBO_TAG_TEXTAREA || (tag == GUMBO_TAG_SCRIPT && text.find("<!--") == npos);
  if (!is_looked_over && text.find('<') != npos) work_.is_odd = true;
  bool lives_on = true;
  if (has_references && text.find('&') != npos) {
    run_.clear();
    if (!AppendSurelyUnescaped(text, false, &run_)) return Wild(HtmlWild::kReference);
    text = run_;
    lives_on = false;
  }
  if (tag == GUMBO_TAG_TEXTAREA && text.starts_with('\n')) text.remove_prefix(1);
  if (!text.empty()) AddText(text, lives_on);
  Pop();
  bool closes_itself = false;
  at_ = end == html_.size() ? end : end + 2 + name.size();
  if (at_ == html_.size() || ReadAttributes(&at_, &element_, &closes_itself)) return;
  at_ = html_.size();
}

}  // namespace trawl
