#include "formats/content/main_text.h"

#include <algorithm>
#include <cstddef>

#include "formats/content/letters.h"

namespace trawl {
namespace {

constexpr int64_t kLeastBlock = 25;        // letters of a block that scores
constexpr int64_t kLeastOwnScore = 250;    // of a block that is no paragraph and scores itself
constexpr int64_t kEnough = 500;           // letters of a main text that is taken at once
constexpr int64_t kLeastProse = 140;       // letters in long blocks; in an article
constexpr int64_t kLeastOtherProse = 250;  // the same elsewhere
constexpr int64_t kLongBlock = 80;         // letters of a block that counts as prose
constexpr int64_t kMostOfATeaser = 800;    // letters between two teasers of a list of them
constexpr double kMostForeign = 0.40;      // of all letters: what a word of a class may take away
constexpr double kMostAside = 0.60;        // what an element or role may take away

// How much the words of classes count.
enum class Words : uint8_t { kAll, kGuarded, kNone };

bool IsHeading(HtmlPart part) { return part >= HtmlPart::kHeading1 && part <= HtmlPart::kHeading6; }
bool IsList(HtmlPart part) { return part == HtmlPart::kList || part == HtmlPart::kOrderedList; }

// A main text that was found: nodes side by side, and what of them is left out.
struct Found {
  std::vector<uint32_t> roots;
  std::vector<bool> is_out;
  int64_t letters = 0;
  bool is_article = false;
  bool is_prose = false;
};

class Search {
 public:
  Search(const PageOutline& outline, std::string_view text)
      : nodes_(outline.nodes()), text_(text), own_(LettersOf(outline, text)) {
    whole_ = own_;
    for (size_t i = nodes_.size(); i-- > 0;) {
      if (nodes_[i].parent != OutlineNode::kNone) whole_[nodes_[i].parent] += whole_[i];
      if (nodes_[i].parent == OutlineNode::kNone) page_ += whole_[i];
    }
    MarkPlaces();
  }

  const LetterCount& page() const { return page_; }

  // Rules 1 to 7, and whether the result is what rule 9 asks for.
  Found Run(Words words) {
    Found found;
    found.is_out.assign(nodes_.size(), false);
    MarkAside(words, &found.is_out);
    Sum(found.is_out);
    Score(found.is_out);
    const uint32_t best = Best(found.is_out);
    if (best == OutlineNode::kNone) return found;
    const uint32_t root = Widen(best);
    found.roots = WithSiblings(root, found.is_out);
    found.is_article = IsContent(root) || HasContentAround(root);
    LeaveOutLinks(&found);
    Judge(&found);
    return found;
  }

  std::string TextOf(const Found& found) const {
    std::string text;
    ForEachPiece(found, [&](uint32_t, std::string_view piece) { text += piece; });
    const size_t begin = text.find_first_not_of(" \n");
    if (begin == std::string::npos) return {};
    text.erase(0, begin);
    text.erase(text.find_last_not_of(" \n") + 1);
    return text;
  }

  std::vector<bool> TakenBy(const Found& found) const {
    std::vector<bool> takes(nodes_.size());
    for (const uint32_t root : found.roots) {
      for (uint32_t i = root; i < nodes_[root].end;) {
        if (found.is_out[i]) {
          i = nodes_[i].end;
        } else {
          takes[i++] = true;
        }
      }
    }
    return takes;
  }

 private:
  // Which nodes stand in an article, and which figures have code or a table.
  void MarkPlaces() {
    in_article_.assign(nodes_.size(), false);
    has_data_.assign(nodes_.size(), false);
    for (size_t i = 0; i < nodes_.size(); ++i) {
      const uint32_t parent = nodes_[i].parent;
      in_article_[i] = IsContent(static_cast<uint32_t>(i)) || (parent != OutlineNode::kNone && in_article_[parent]);
    }
    for (size_t i = nodes_.size(); i-- > 0;) {
      const HtmlPart part = nodes_[i].part;
      if (part == HtmlPart::kPre || part == HtmlPart::kTable || part == HtmlPart::kQuote) has_data_[i] = true;
      if (has_data_[i] && nodes_[i].parent != OutlineNode::kNone) has_data_[nodes_[i].parent] = true;
    }
  }

  bool IsContent(uint32_t node) const {
    return nodes_[node].part == HtmlPart::kArticle || nodes_[node].part == HtmlPart::kMain ||
           (nodes_[node].signs & kSaysContent) != 0;
  }
  bool HasContentAround(uint32_t node) const {
    const uint32_t parent = nodes_[node].parent;
    return parent != OutlineNode::kNone && in_article_[parent];
  }

  bool IsAsideByItself(uint32_t i) const {
    const OutlineNode& node = nodes_[i];
    if ((node.signs & kSaysAside) != 0) return true;
    switch (node.part) {
      case HtmlPart::kNav:
      case HtmlPart::kControl:
        return true;
      case HtmlPart::kFooter:  // that of a quotation names its author
        return node.parent == OutlineNode::kNone || nodes_[node.parent].part != HtmlPart::kQuote;
      case HtmlPart::kFigure:
        return !has_data_[i];
      default:
        return false;
    }
  }
  uint8_t WordsOf(uint32_t i) const {
    const OutlineNode& node = nodes_[i];
    uint8_t signs = node.signs;
    const bool is_of_page =
        node.part == HtmlPart::kHeader && (node.parent == OutlineNode::kNone || !in_article_[node.parent]);
    if (node.part == HtmlPart::kAside || is_of_page) signs |= kWordsSayAside;
    return signs;
  }

  // Rules 1 and 2.
  void MarkAside(Words words, std::vector<bool>* is_out) const {
    const auto all = static_cast<double>(page_.letters);
    for (uint32_t i = 0; i < nodes_.size();) {
      const auto held = static_cast<double>(whole_[i].letters);
      bool out = IsAsideByItself(i) && held < kMostAside * all;
      if (!out && words != Words::kNone) {
        const uint8_t signs = WordsOf(i);
        const bool is_small = held < kMostForeign * all;
        out = ((signs & kWordsSayAside) != 0 && is_small) ||
              ((signs & kWordsSayForeign) != 0 && (is_small || words == Words::kAll));
      }
      (*is_out)[i] = out;
      i = out ? nodes_[i].end : i + 1;
    }
  }

  // What is left of each node. Nodes inside one that is out keep zeros.
  void Sum(const std::vector<bool>& is_out) {
    left_.assign(nodes_.size(), {});
    direct_ = left_;
    for (uint32_t i = 0; i < nodes_.size();) {
      if (is_out[i]) {
        i = nodes_[i].end;
        continue;
      }
      left_[i] = direct_[i] = own_[i];
      ++i;
    }
    for (size_t i = nodes_.size(); i-- > 0;) {
      const uint32_t parent = nodes_[i].parent;
      if (parent == OutlineNode::kNone || is_out[i]) continue;
      left_[parent] += left_[i];
      // The text of a link is a part of the block in which the link stands.
      if (nodes_[i].part == HtmlPart::kLink) direct_[parent] += direct_[i];
    }
  }

  bool MayScore(HtmlPart part) const {
    return !IsHeading(part) && part != HtmlPart::kLink && part != HtmlPart::kControl && part != HtmlPart::kCaption;
  }

  // Rule 3.
  void Score(const std::vector<bool>& is_out) {
    scores_.assign(nodes_.size(), 0);
    for (uint32_t i = 0; i < nodes_.size();) {
      if (is_out[i]) {
        i = nodes_[i].end;
        continue;
      }
      const LetterCount& block = direct_[i];
      if (MayScore(nodes_[i].part) && block.letters >= kLeastBlock) Hand(i, block);
      ++i;
    }
  }
  void Hand(uint32_t i, const LetterCount& block) {
    const double letters = static_cast<double>(block.letters);
    const double score = (1 + std::min(letters / 100, 3.0) + static_cast<double>(block.commas)) * (1 - block.density());
    const HtmlPart part = nodes_[i].part;
    const bool is_paragraph = part == HtmlPart::kParagraph || part == HtmlPart::kPre || part == HtmlPart::kItem;
    if (!is_paragraph && block.letters >= kLeastOwnScore) scores_[i] += score;
    double handed = 1;
    for (uint32_t up = nodes_[i].parent; up != OutlineNode::kNone && handed > 0.3; up = nodes_[up].parent) {
      scores_[up] += score * handed;
      handed = handed == 1 ? 0.5 : handed == 0.5 ? 0.33 : 0;
    }
  }

  double Worth(uint32_t i) const {
    const double worth = scores_[i] * (1 - left_[i].density());
    return IsContent(i) ? worth * 1.3 : worth;
  }

  // Rule 4.
  uint32_t Best(const std::vector<bool>& is_out) const {
    uint32_t best = OutlineNode::kNone;
    double most = 0;
    for (uint32_t i = 0; i < nodes_.size(); ++i) {
      if (is_out[i] || scores_[i] == 0) continue;
      const double worth = Worth(i);
      if (worth <= most) continue;
      most = worth;
      best = i;
    }
    return best;
  }

  // Rule 5. Elements that hold one other alone are passed over.
  uint32_t Widen(uint32_t node) const {
    constexpr double kMore = 1.35;
    constexpr double kMostLinks = 0.25;
    for (uint32_t up = nodes_[node].parent; up != OutlineNode::kNone; up = nodes_[up].parent) {
      if (left_[up].density() >= kMostLinks || IsContent(node)) break;
      if (static_cast<double>(left_[up].letters) > kMore * static_cast<double>(left_[node].letters)) node = up;
    }
    return node;
  }

  bool IsPlainParagraph(uint32_t i) const {
    return nodes_[i].part == HtmlPart::kParagraph && left_[i].letters >= kLongBlock && left_[i].density() < 0.25;
  }

  // Rule 6.
  std::vector<uint32_t> WithSiblings(uint32_t root, const std::vector<bool>& is_out) const {
    constexpr double kShare = 0.2;
    const uint32_t parent = nodes_[root].parent;
    if (parent == OutlineNode::kNone) return {root};
    const double least = std::max(Worth(root) * kShare, 10.0);
    std::vector<uint32_t> roots;
    for (uint32_t i = parent + 1; i < nodes_[parent].end; i = nodes_[i].end) {
      if (i == root || (!is_out[i] && (Worth(i) >= least || IsPlainParagraph(i)))) roots.push_back(i);
    }
    return roots;
  }

  // Rule 7.
  void LeaveOutLinks(Found* found) const {
    for (const uint32_t root : found->roots) {
      for (uint32_t i = root; i < nodes_[root].end;) {
        const HtmlPart part = nodes_[i].part;
        const bool is_holder = part == HtmlPart::kNone || IsList(part) || part == HtmlPart::kTable;
        if (i != root && is_holder && left_[i].letters > 0 && left_[i].density() > 0.5) found->is_out[i] = true;
        i = found->is_out[i] ? nodes_[i].end : i + 1;
      }
    }
  }

  // Rule 9. A teaser is a heading that is a link; what follows it until the next one belongs to it.
  void Judge(Found* found) const {
    int64_t prose = 0;
    int64_t teasers = 0;
    int64_t since_teaser = 0;
    int64_t longest = 0;
    for (const uint32_t root : found->roots) {
      for (uint32_t i = root; i < nodes_[root].end;) {
        if (found->is_out[i]) {
          i = nodes_[i].end;
          continue;
        }
        const LetterCount& block = direct_[i];
        found->letters += own_[i].letters;
        if (block.letters >= kLongBlock && block.density() < 0.33) {
          prose += block.letters - block.in_links;
          since_teaser += block.letters - block.in_links;
          longest = std::max(longest, since_teaser);
        }
        if (IsHeading(nodes_[i].part) && left_[i].letters > 0 && left_[i].density() > 0.8) {
          ++teasers;
          since_teaser = 0;
        }
        ++i;
      }
    }
    constexpr int64_t kFewTeasers = 3;
    const bool is_list = teasers >= kFewTeasers && longest < kMostOfATeaser;
    const bool is_enough = prose >= (found->is_article ? kLeastProse : kLeastOtherProse);
    found->is_prose = is_enough && !is_list && prose * 4 >= found->letters;
  }

  // Calls `take` for each piece of text that belongs to it, with its node, in the order of the page.
  template <typename Take>
  void ForEachPiece(const Found& found, Take take) const {
    std::vector<uint32_t> open;
    for (const uint32_t root : found.roots) {
      size_t at = nodes_[root].text_begin;
      const auto take_to = [&](size_t to) {
        to = std::min(to, text_.size());
        if (to > at && !open.empty()) take(open.back(), text_.substr(at, to - at));
        at = std::max(at, to);
      };
      const auto close_before = [&](uint32_t number) {
        while (!open.empty() && nodes_[open.back()].end <= number) {
          take_to(nodes_[open.back()].text_end);
          open.pop_back();
        }
      };
      for (uint32_t i = root; i < nodes_[root].end;) {
        close_before(i);
        take_to(nodes_[i].text_begin);
        if (found.is_out[i]) {
          at = std::max<size_t>(at, nodes_[i].text_end);
          i = nodes_[i].end;
        } else {
          open.push_back(i++);
        }
      }
      close_before(nodes_[root].end);
    }
  }

  const std::vector<OutlineNode>& nodes_;
  const std::string_view text_;
  const std::vector<LetterCount> own_;
  std::vector<LetterCount> whole_;
  LetterCount page_;
  std::vector<bool> in_article_;
  std::vector<bool> has_data_;
  // Of one run.
  std::vector<LetterCount> left_;
  std::vector<LetterCount> direct_;
  std::vector<double> scores_;
};

// Rule 8.
Found Choose(Search* search) {
  Found first;
  for (const Words words : {Words::kAll, Words::kGuarded, Words::kNone}) {
    Found found = search->Run(words);
    if (!found.is_prose) continue;
    if (found.letters >= kEnough || found.is_article) return found;
    if (!first.is_prose) first = std::move(found);
  }
  return first;
}

}  // namespace

MainContent MainContentOf(const PageOutline& outline, std::string_view text) {
  MainContent content;
  if (!outline.is_whole() || outline.nodes().empty() || text.empty()) return content;
  Search search(outline, text);
  content.link_density = search.page().density();
  const Found found = Choose(&search);
  if (!found.is_prose) return content;
  content.text = search.TextOf(found);
  content.takes = search.TakenBy(found);
  content.from = found.is_article ? MainFrom::kArticle : MainFrom::kDensity;
  return content;
}

}  // namespace trawl
