#include "formats/html/scan.h"

#include <algorithm>
#include <deque>
#include <string>

#include "formats/markup/entities.h"
#include "formats/markup/markup.h"
#include "formats/markup/tags.h"

namespace trawl {
namespace {

using Shown = HtmlPageBuilder::Shown;

// If a tag has more attributes, the rest of them is ignored.
constexpr size_t kMaxAttributes = 256;

class Scanner {
 public:
  Scanner(std::string_view html, HtmlPageBuilder* builder) : html_(html), builder_(builder) {}

  void Run() {
    while (at_ < html_.size()) {
      const size_t tag = std::min(html_.find('<', at_), html_.size());
      if (tag > at_) Text(html_.substr(at_, tag - at_), true);
      at_ = tag;
      if (at_ < html_.size()) Markup();
    }
    if (suppressed_depth_ > 0) builder_->Close(suppressed_, suppressed_how_);
  }

 private:
  void Text(std::string_view text, bool has_references) {
    if (suppressed_depth_ > 0 && suppressed_how_ == Shown::kInert) return;
    if (!has_references || text.find('&') == std::string_view::npos) return builder_->Text(text);
    scratch_.clear();
    AppendUnescaped(text, false, &scratch_);
    builder_->Text(scratch_);
  }

  void Markup() {
    const std::string_view rest = html_.substr(at_);
    if (rest.size() > 1 && IsAsciiLetter(rest[1])) return StartTag();
    if (rest.size() > 2 && rest[1] == '/' && IsAsciiLetter(rest[2])) return EndTag();
    if (rest.starts_with("<!--")) {
      at_ = EndOfComment(html_, at_);
    } else if (rest.size() > 1 && (rest[1] == '!' || rest[1] == '?' || rest[1] == '/')) {
      const size_t end = html_.find('>', at_);
      at_ = end == std::string_view::npos ? html_.size() : end + 1;
    } else {
      Text("<", false);
      ++at_;
    }
  }

  std::string_view ReadName() {
    const size_t from = at_;
    while (at_ < html_.size() && !IsAsciiWhitespace(html_[at_]) && html_[at_] != '/' && html_[at_] != '>') ++at_;
    return html_.substr(from, at_ - from);
  }

  // Lowered and Unescaped return views that live as long as the tag.
  std::string_view Lowered(std::string_view name) {
    if (std::none_of(name.begin(), name.end(), [](char c) { return c >= 'A' && c <= 'Z'; })) return name;
    return storage_.emplace_back(AsciiLower(name));
  }
  std::string_view Unescaped(std::string_view value) {
    if (value.find('&') == std::string_view::npos) return value;
    std::string& text = storage_.emplace_back();
    AppendUnescaped(value, true, &text);
    return text;
  }

  std::string_view ReadValue() {
    while (at_ < html_.size() && IsAsciiWhitespace(html_[at_])) ++at_;
    if (at_ == html_.size() || html_[at_] == '>') return {};
    const char quote = html_[at_];
    if (quote == '"' || quote == '\'') {
      const size_t from = at_ + 1;
      const size_t end = std::min(html_.find(quote, from), html_.size());
      at_ = std::min(end + 1, html_.size());
      return html_.substr(from, end - from);
    }
    const size_t from = at_;
    while (at_ < html_.size() && !IsAsciiWhitespace(html_[at_]) && html_[at_] != '>') ++at_;
    return html_.substr(from, at_ - from);
  }

  // Reads up to and past the '>'.
  void ReadAttributes() {
    element_.attributes.clear();
    storage_.clear();
    while (true) {
      while (at_ < html_.size() && (IsAsciiWhitespace(html_[at_]) || html_[at_] == '/')) ++at_;
      if (at_ == html_.size()) return;
      if (html_[at_] == '>') {
        ++at_;
        return;
      }
      const size_t from = at_++;  // an '=' at the front is part of the name
      while (at_ < html_.size() && !IsAsciiWhitespace(html_[at_]) && html_[at_] != '/' && html_[at_] != '>' &&
             html_[at_] != '=') {
        ++at_;
      }
      const std::string_view name = html_.substr(from, at_ - from);
      size_t equals = at_;
      while (equals < html_.size() && IsAsciiWhitespace(html_[equals])) ++equals;
      std::string_view value;
      if (equals < html_.size() && html_[equals] == '=') {
        at_ = equals + 1;
        value = ReadValue();
      }
      if (element_.attributes.size() < kMaxAttributes) element_.attributes.push_back({Lowered(name), Unescaped(value)});
    }
  }

  void StartTag() {
    ++at_;
    const std::string_view name = ReadName();
    element_.traits = TraitsOfName(name);
    ReadAttributes();
    if (suppressed_depth_ > 0 && suppressed_how_ == Shown::kInert) {
      if (name_is_suppressed(name)) ++suppressed_depth_;
      return;
    }
    const HtmlTagTraits traits = element_.traits;
    const Shown shown = builder_->Open(element_);
    if (traits.content != HtmlContent::kNormal) {
      if (traits.content != HtmlContent::kVoid) RawText(name, traits.content);
      // A void element closes at once, and so does an element whose text has just been read.
      builder_->Close(traits, shown);
    } else if (suppressed_depth_ > 0) {
      if (name_is_suppressed(name)) ++suppressed_depth_;
      if (shown == Shown::kHidden) builder_->Close(traits, shown);
      if (shown == Shown::kYes) CloseLater(traits);
    } else if (shown != Shown::kYes) {
      suppressed_name_ = AsciiLower(name);
      suppressed_ = traits;
      suppressed_how_ = shown;
      suppressed_depth_ = 1;
    } else {
      CloseLater(traits);
    }
  }

  // Only a link needs its end tag. Other elements do their work at each tag, whether they are closed or not.
  void CloseLater(const HtmlTagTraits& traits) {
    if (traits.tag != HtmlTag::kA) builder_->Close(traits, Shown::kYes);
  }

  void RawText(std::string_view name, HtmlContent content) {
    const size_t end = content == HtmlContent::kPlainText ? html_.size() : FindEndTag(html_, at_, AsciiLower(name));
    Text(html_.substr(at_, end - at_), content == HtmlContent::kEscapableRawText);
    const size_t close = html_.find('>', end);
    at_ = close == std::string_view::npos ? html_.size() : close + 1;
  }

  void EndTag() {
    at_ += 2;
    const std::string_view name = ReadName();
    const size_t close = html_.find('>', at_);
    at_ = close == std::string_view::npos ? html_.size() : close + 1;
    if (suppressed_depth_ > 0) {
      if (name_is_suppressed(name)) {
        if (--suppressed_depth_ == 0) builder_->Close(suppressed_, suppressed_how_);
        return;
      }
      if (suppressed_how_ == Shown::kInert) return;
    }
    const HtmlTagTraits& traits = TraitsOfName(name);
    if (traits.tag == HtmlTag::kA) return builder_->Close(traits, Shown::kYes);
    if (traits.display == HtmlDisplay::kBlock || traits.display == HtmlDisplay::kCell) {
      // Opens the element again only to close it: its end tag can do no more than end the line.
      element_.traits = {HtmlTag::kOther, traits.display, HtmlContent::kNormal};
      element_.attributes.clear();
      builder_->Close(element_.traits, builder_->Open(element_));
    }
  }

  bool name_is_suppressed(std::string_view name) const { return EqualsIgnoringAsciiCase(name, suppressed_name_); }

  std::string_view html_;
  HtmlPageBuilder* builder_;
  size_t at_ = 0;
  HtmlElement element_;
  std::deque<std::string> storage_;
  std::string scratch_;
  // The outermost open element that is not shown: its name, and the number of open elements with that name.
  std::string suppressed_name_;
  HtmlTagTraits suppressed_;
  Shown suppressed_how_ = Shown::kYes;
  size_t suppressed_depth_ = 0;
};

}  // namespace

void ScanHtml(std::string_view utf8, HtmlPageBuilder* builder) {
  builder->ReadFlat();
  Scanner(utf8, builder).Run();
}

}  // namespace trawl
