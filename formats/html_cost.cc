#include "formats/html_cost.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "formats/html_markup.h"

namespace trawl {
namespace {

// Depths up to this are ordinary.
constexpr uint64_t kFreeDepth = 80;
// A start tag looks through the stack of open elements, and so does an end tag, at more cost for each of them.
constexpr uint64_t kWorkPerLevel = 3;
constexpr uint64_t kWorkPerSearchedLevel = 14;
// Elements left open above the one that ends; so many cost nothing to speak of.
constexpr uint64_t kFreeSearchedLevels = 8;
// No name that matters here is longer.
constexpr size_t kLongestName = 32;
// Of two names of attributes.
constexpr uint64_t kWorkPerComparison = 13;

// The last eight letters of a tag name as a number, so that a name is compared at once. Digits end it.
constexpr uint64_t Packed(std::string_view name) {
  uint64_t packed = 0;
  for (const char c : name) packed = packed << 8 | static_cast<uint8_t>(c);
  return packed;
}

// Elements that have no content, that the next of their kind ends, or that are there once.
bool DeepensNothing(uint64_t name) {
  switch (name) {
    case Packed("area"):
    case Packed("base"):
    case Packed("br"):
    case Packed("col"):
    case Packed("embed"):
    case Packed("hr"):
    case Packed("img"):
    case Packed("image"):
    case Packed("input"):
    case Packed("link"):
    case Packed("meta"):
    case Packed("param"):
    case Packed("source"):
    case Packed("track"):
    case Packed("wbr"):
    case Packed("frame"):
    case Packed("keygen"):
    case Packed("p"):
    case Packed("li"):
    case Packed("dd"):
    case Packed("dt"):
    case Packed("tr"):
    case Packed("td"):
    case Packed("th"):
    case Packed("tbody"):
    case Packed("thead"):
    case Packed("tfoot"):
    case Packed("option"):
    case Packed("colgroup"):
    case Packed("html"):
    case Packed("head"):
    case Packed("body"):
    case Packed("a"):
    case Packed("nobr"):
    case Packed("button"):
    case Packed("form"):
      return true;
    default:
      return false;
  }
}

// Elements whose attributes gumbo adds to those of the first of their kind, comparing each with all.
bool MergesAttributes(uint64_t name) { return name == Packed("html") || name == Packed("body"); }

bool IsForeign(uint64_t name) { return name == Packed("svg") || name == Packed("math"); }

// Elements of SVG and MathML whose content is HTML again, by the last eight letters of what comes before a hyphen.
bool IsIntegrationPoint(uint64_t name) {
  switch (name) {
    case Packed("gnobject"):
    case Packed("desc"):
    case Packed("title"):
    case Packed("notation"):
    case Packed("mi"):
    case Packed("mo"):
    case Packed("mn"):
    case Packed("ms"):
    case Packed("mtext"):
      return true;
    default:
      return false;
  }
}

std::string_view RawTextName(uint64_t name) {
  switch (name) {
    case Packed("script"):
      return "script";
    case Packed("style"):
      return "style";
    case Packed("textarea"):
      return "textarea";
    default:
      return {};
  }
}

// No fewer than the tag has, whatever separates them.
uint64_t MostAttributes(std::string_view tag) {
  return static_cast<uint64_t>(std::count_if(
      tag.begin(), tag.end(), [](char c) { return IsAsciiWhitespace(c) || c == '/' || c == '"' || c == '\''; }));
}

uint64_t PackedNameAt(std::string_view html, size_t at) {
  uint64_t packed = 0;
  for (size_t i = at; i < html.size() && i < at + kLongestName && IsAsciiLetter(html[i]); ++i) {
    packed = packed << 8 | static_cast<uint8_t>(AsciiLower(html[i]));
  }
  return packed;
}

// The '>' of the tag whose name ends at `at`, or the end of the text. A quote counts where a value begins.
size_t EndOfTag(std::string_view html, size_t at) {
  char last = '\0';
  for (; at < html.size() && html[at] != '>'; ++at) {
    if ((html[at] == '"' || html[at] == '\'') && last == '=') {
      at = html.find(html[at], at + 1);
      if (at == std::string_view::npos) return html.size();
      last = '"';
    } else if (!IsAsciiWhitespace(html[at])) {
      last = html[at];
    }
  }
  return at;
}

class CostEstimate {
 public:
  CostEstimate(std::string_view html, uint64_t enough) : html_(html), enough_(enough) {}

  HtmlCost Run() {
    size_t at = 0;
    while (cost_.work <= enough_ && (at = html_.find('<', at)) != std::string_view::npos) at = Markup(at);
    return cost_;
  }

 private:
  struct Open {
    uint64_t name;
    bool has_foreign_content;
  };

  // Takes what begins at `at`; where the next may begin.
  size_t Markup(size_t at) {
    const bool is_end = at + 1 < html_.size() && html_[at + 1] == '/';
    const size_t name_at = at + (is_end ? 2 : 1);
    if (name_at >= html_.size()) return html_.size();
    if (!IsAsciiLetter(html_[name_at])) return html_.substr(at).starts_with("<!--") ? EndOfComment(html_, at) : at + 1;
    const uint64_t name = PackedNameAt(html_, name_at);
    const size_t tag_end = EndOfTag(html_, name_at);
    if (is_end) {
      EndTag(name);
      return tag_end;
    }
    const std::string_view raw = in_foreign_content() ? std::string_view() : RawTextName(name);
    if (!raw.empty()) return FindEndTag(html_, tag_end, raw);
    StartTag(name, html_.substr(name_at, tag_end - name_at));
    return tag_end;
  }

  bool in_foreign_content() const { return !open_.empty() && open_.back().has_foreign_content; }

  void StartTag(uint64_t name, std::string_view tag) {
    if (MergesAttributes(name)) {
      const uint64_t attributes = MostAttributes(tag);
      merged_attributes_ += attributes;
      cost_.work += attributes * merged_attributes_ * kWorkPerComparison;
    }
    if (open_.size() > kFreeDepth) cost_.work += open_.size() * kWorkPerLevel;
    const bool is_foreign = IsForeign(name);
    if (is_foreign) cost_.has_foreign_content = true;
    if (DeepensNothing(name) || (tag.ends_with('/') && (in_foreign_content() || is_foreign))) return;
    open_.push_back({name, is_foreign || (in_foreign_content() && !IsIntegrationPoint(name))});
  }

  // gumbo looks for the element from the top down, and so does this.
  void EndTag(uint64_t name) {
    if (DeepensNothing(name)) return;
    size_t i = open_.size();
    while (i > 0 && open_[i - 1].name != name) --i;
    const uint64_t searched = open_.size() - i;
    if (searched > kFreeSearchedLevels) cost_.work += (searched - kFreeSearchedLevels) * kWorkPerSearchedLevel;
    if (i > 0) open_.resize(i - 1);
  }

  std::string_view html_;
  uint64_t enough_;
  HtmlCost cost_;
  std::vector<Open> open_;
  uint64_t merged_attributes_ = 0;
};

}  // namespace

HtmlCost EstimateHtmlCost(std::string_view html, uint64_t enough) { return CostEstimate(html, enough).Run(); }

}  // namespace trawl
