#include "formats/markup/cost.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "formats/markup/cost_names.h"
#include "formats/markup/markup.h"

namespace trawl {
namespace {

// Depths up to this number are ordinary.
constexpr uint64_t kFreeDepth = 80;
// A start tag searches the stack of open elements. An end tag does so too, at a higher cost per element.
constexpr uint64_t kWorkPerLevel = 3;
constexpr uint64_t kWorkPerSearchedLevel = 14;
constexpr uint64_t kWorkPerForeignLevel = 50;
// Elements that were left open above the one that ends. Up to this number they cost nothing to speak of.
constexpr uint64_t kFreeSearchedLevels = 8;
// The cost of comparing two names of attributes.
constexpr uint64_t kWorkPerComparison = 13;

// At least the number of the tag's attributes, whatever separates them.
uint64_t MostAttributes(std::string_view tag) {
  return static_cast<uint64_t>(std::count_if(
      tag.begin(), tag.end(), [](char c) { return IsAsciiWhitespace(c) || c == '/' || c == '"' || c == '\''; }));
}

// The position of the '>' of the tag whose name ends at `at`, or the end of the text. A quote counts only where a value
// begins.
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

// True for "<g/>" and "<g a='b'/>", but not for "<g a=b/>", because that slash belongs to the value.
bool ClosesItself(std::string_view tag) {
  if (!tag.ends_with('/')) return false;
  const size_t last = tag.find_last_of(" \t\n\f\r\"'");
  return tag.find('=', last == std::string_view::npos ? 0 : last) == std::string_view::npos;
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

  // Takes the markup that begins at `at`. Returns the position where the next markup may begin.
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
    if (in_foreign_content() && LeavesForeignContent(name, tag)) {
      while (in_foreign_content()) open_.pop_back();
    }
    if (ClosesItself(tag) && (in_foreign_content() || is_foreign)) return;
    // Foreign elements last until their end tags, whatever their names mean in HTML.
    if (DeepensNothing(name) && !in_foreign_content()) return Remember(name);
    open_.push_back({name, is_foreign || (in_foreign_content() && !IsIntegrationPoint(name))});
  }

  // Notes that an element that ends by itself has begun: its end tag will find it near.
  void Remember(uint64_t name) {
    if (std::find(begun_.begin(), begun_.end(), name) == begun_.end()) begun_.push_back(name);
  }

  // gumbo searches for the element from the top down, and so does this function.
  void EndTag(uint64_t name) {
    if (DeepensNothing(name) && !in_foreign_content()) {
      const auto begun = std::find(begun_.begin(), begun_.end(), name);
      if (begun == begun_.end()) return ChargeSearch(open_.size());
      *begun = begun_.back();
      begun_.pop_back();
      return;
    }
    size_t i = open_.size();
    while (i > 0 && open_[i - 1].name != name) --i;
    ChargeSearch(open_.size() - i);
    if (i > 0) open_.resize(i - 1);
  }

  void ChargeSearch(uint64_t levels) {
    if (levels <= kFreeSearchedLevels) return;
    cost_.work +=
        (levels - kFreeSearchedLevels) * (in_foreign_content() ? kWorkPerForeignLevel : kWorkPerSearchedLevel);
  }

  std::string_view html_;
  uint64_t enough_;
  HtmlCost cost_;
  std::vector<Open> open_;
  // The names from Remember, each of them once.
  std::vector<uint64_t> begun_;
  uint64_t merged_attributes_ = 0;
};

}  // namespace

HtmlCost EstimateHtmlCost(std::string_view html, uint64_t enough) { return CostEstimate(html, enough).Run(); }

}  // namespace trawl
