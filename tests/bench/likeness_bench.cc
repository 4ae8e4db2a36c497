// Measures how well fingerprints tell near duplicates: precision and recall at distances 3, 6 and 10 on pages whose likeness is
// known (likeness_pages.h).
//
//   likeness_bench [FOLDER]   FOLDER: real pages (*.html), whose lines and paragraphs are the material; default
//                             ../shared/pages beside the checkout. Without them words are drawn by Zipf's law
//
// All pairs of a corpus are compared. Precision: of the pairs that the distance joins, the share that is near. A single page is one
// that is near no other. What is compared:
//
//   whole text        what parse makes fingerprints of
//   own lines         the text without the lines that stand on more than half of the host's pages
//   long lines        only lines of at least ten words: needs nothing but the page
//
// and, for pairs that the fingerprints of the whole texts join, a second look:
//
//   + second look     the sketches of both (formats/digests/text_sketch.h), as settle.second_look has it
//   + both texts      both texts are read, and the lines taken out that both have: of the words in the rest half are the same, or the
//                     rest is no more than 2 % of the words
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "formats/digests/simhash.h"
#include "formats/digests/text_sketch.h"
#include "tests/bench/likeness_pages.h"

namespace trawl {
namespace {

constexpr int kDistances[] = {3, 6, 10};
constexpr int64_t kLeastTokens = 20;
constexpr size_t kLongLineWords = 10;

enum class Text { kWhole, kOwnLines, kLongLines };
enum class Look { kNone, kSecondLook, kBothTexts };
struct Method {
  const char* name;
  Text text;
  Look look;
};
constexpr Method kMethods[] = {{"whole text", Text::kWhole, Look::kNone},
                               {"own lines", Text::kOwnLines, Look::kNone},
                               {"long lines", Text::kLongLines, Look::kNone},
                               {"whole text + second look", Text::kWhole, Look::kSecondLook},
                               {"whole text + both texts", Text::kWhole, Look::kBothTexts}};

// For each host, how many of its pages have a line.
class HostLines {
 public:
  explicit HostLines(const Corpus& corpus) {
    for (const Page& page : corpus.pages) {
      ++pages_[page.host];
      for (const std::string& line : std::set<std::string>(page.lines.begin(), page.lines.end()))
        ++lines_[{page.host, line}];
    }
  }
  bool IsCommon(const Page& page, const std::string& line) const {
    const int pages = pages_.at(page.host);
    return pages >= 5 && lines_.at({page.host, line}) * 2 > pages;
  }

 private:
  std::map<int, int> pages_;
  std::map<std::pair<int, std::string>, int> lines_;
};

std::string TextOf(const Page& page, Text what, const HostLines& hosts) {
  std::string text;
  for (const std::string& line : page.lines) {
    if (what == Text::kOwnLines && hosts.IsCommon(page, line)) continue;
    if (what == Text::kLongLines && WordsOf(line).size() < kLongLineWords) continue;
    text += line + "\n";
  }
  return text;
}

// The lines of `page` that `other` does not have.
std::string RestOf(const Page& page, const Page& other) {
  const std::set<std::string> theirs(other.lines.begin(), other.lines.end());
  std::string text;
  for (const std::string& line : page.lines) text += theirs.contains(line) ? "" : line + " ";
  return text;
}

std::multiset<std::string> SortedWords(const std::string& text) {
  const Words words = WordsOf(text);
  return {words.begin(), words.end()};
}

bool AreAlikeInTheRest(const Page& a, const Page& b) {
  const std::multiset<std::string> rest_a = SortedWords(RestOf(a, b)), rest_b = SortedWords(RestOf(b, a));
  const size_t rest = rest_a.size() + rest_b.size();
  if (rest * 50 <= CountWords(a.lines) + CountWords(b.lines)) return true;
  Words shared;
  std::set_intersection(rest_a.begin(), rest_a.end(), rest_b.begin(), rest_b.end(), std::back_inserter(shared));
  return shared.size() * 2 >= rest - shared.size();
}

struct Prints {
  std::optional<uint64_t> whole, own, long_lines;
  TextSketch sketch;

  std::optional<uint64_t> Of(Text text) const {
    return text == Text::kWhole ? whole : text == Text::kOwnLines ? own : long_lines;
  }
};

std::vector<Prints> PrintsOf(const Corpus& corpus) {
  const HostLines hosts(corpus);
  std::vector<Prints> prints;
  for (const Page& page : corpus.pages) {
    const std::string whole = TextOf(page, Text::kWhole, hosts), own = TextOf(page, Text::kOwnLines, hosts);
    prints.push_back({.whole = SimHashOf(whole, kLeastTokens),
                      .own = SimHashOf(own, kLeastTokens),
                      .long_lines = SimHashOf(TextOf(page, Text::kLongLines, hosts), kLeastTokens),
                      .sketch = TextSketchOf(whole)});
  }
  return prints;
}

bool SurvivesLook(Look look, const Prints& a, const Prints& b, const Page& page_a, const Page& page_b) {
  switch (look) {
    case Look::kNone:
      return true;
    case Look::kSecondLook:
      return MayBeCopies(a.sketch, b.sketch);
    case Look::kBothTexts:
      return AreAlikeInTheRest(page_a, page_b);
  }
  return false;
}

struct Tally {
  int64_t right = 0;   // pairs that are joined, and near
  int64_t wrong = 0;   // joined, and not near
  int64_t single = 0;  // pages that are near no other
  int64_t misled = 0;  // and are joined with one
  // Pairs of a page and its copy, by rate: all, and joined.
  std::map<int, std::pair<int64_t, int64_t>> copies;

  // "–" where nothing is joined.
  std::string Precision() const { return right + wrong == 0 ? "–" : Percent(right, right + wrong); }
  std::string Misled() const { return single == 0 ? "–" : Percent(misled, single); }
  std::string Recall(int from_rate, int to_rate) const {
    int64_t all = 0, joined = 0;
    for (const auto& [rate, counts] : copies) {
      if (rate < from_rate || rate > to_rate) continue;
      all += counts.first;
      joined += counts.second;
    }
    return all == 0 ? "–" : Percent(joined, all);
  }
  void Add(const Tally& other) {
    right += other.right;
    wrong += other.wrong;
    for (const auto& [rate, counts] : other.copies) {
      copies[rate].first += counts.first;
      copies[rate].second += counts.second;
    }
  }

 private:
  static std::string Percent(int64_t part, int64_t whole) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
    return text;
  }
};

Tally Judge(const Corpus& corpus, const std::vector<Prints>& prints, const Method& method, int distance) {
  Tally tally;
  const auto& pages = corpus.pages;
  std::vector<bool> has_near(pages.size()), has_wrong(pages.size());
  for (size_t a = 0; a < pages.size(); ++a) {
    for (size_t b = a + 1; b < pages.size(); ++b) {
      const bool is_near = pages[a].content == pages[b].content;
      const auto print_a = prints[a].Of(method.text), print_b = prints[b].Of(method.text);
      const bool is_joined = print_a && print_b && HammingDistance(*print_a, *print_b) <= distance &&
                             SurvivesLook(method.look, prints[a], prints[b], pages[a], pages[b]);
      if (is_joined) ++(is_near ? tally.right : tally.wrong);
      if (is_near) has_near[a] = has_near[b] = true;
      if (is_joined && !is_near) has_wrong[a] = has_wrong[b] = true;
      if (!is_near || pages[a].rate >= 0) continue;
      auto& [all, joined] = tally.copies[pages[b].rate];
      ++all;
      if (is_joined) ++joined;
    }
  }
  for (size_t i = 0; i < pages.size(); ++i) {
    tally.single += has_near[i] ? 0 : 1;
    tally.misled += !has_near[i] && has_wrong[i] ? 1 : 0;
  }
  return tally;
}

void PrintTable(const std::vector<Corpus>& corpora) {
  std::printf(
      "| pages | compared | precision, %% | single pages that are joined, %% | recall of copies of 0 to 5 %% | of 10 "
      "and "
      "20 %% |\n");
  std::printf("|---|---|---|---|---|---|\n");
  std::map<int, Tally> by_rate, by_rate_looked;
  for (const Corpus& corpus : corpora) {
    const std::vector<Prints> prints = PrintsOf(corpus);
    for (const Method& method : kMethods) {
      std::string precision, misled, few, many;
      for (const int distance : kDistances) {
        const Tally tally = Judge(corpus, prints, method, distance);
        const char* const between = precision.empty() ? "" : " · ";
        precision += between + tally.Precision();
        misled += between + tally.Misled();
        few += between + tally.Recall(0, 5);
        many += between + tally.Recall(10, 20);
        if (method.text == Text::kWhole && method.look == Look::kNone) by_rate[distance].Add(tally);
        if (method.look == Look::kSecondLook) by_rate_looked[distance].Add(tally);
      }
      std::printf("| %s | %s | %s | %s | %s | %s |\n", corpus.name.c_str(), method.name, precision.c_str(),
                  misled.c_str(), few.c_str(), many.c_str());
    }
  }
  for (const bool is_looked : {false, true}) {
    for (const int rate : kRates) {
      std::string recall;
      for (const int distance : kDistances) {
        const Tally& tally = is_looked ? by_rate_looked[distance] : by_rate[distance];
        recall += (recall.empty() ? "" : " · ") + tally.Recall(rate, rate);
      }
      const std::string what = rate == 0 ? "the same body in another template"
                                         : "copies with " + std::to_string(rate) + " % of the words changed";
      std::printf("recall of %s, whole text%s, at 3 · 6 · 10: %s %%\n", what.c_str(), is_looked ? " + second look" : "",
                  recall.c_str());
    }
  }
}

// Milliseconds of CPU for a text of 12 KB.
void PrintCost(const std::vector<Corpus>& corpora) {
  std::string text;
  for (const Page& page : corpora.front().pages) {
    for (const std::string& line : page.lines) text += line + "\n";
    if (text.size() > 12'000) break;
  }
  text.resize(12'000);
  const auto print = [](const char* what, double most, const auto& work) {
    const std::clock_t begin = std::clock();
    uint64_t sum = 0;
    int calls = 0;
    for (; std::clock() - begin < CLOCKS_PER_SEC / 2; ++calls) sum += work();
    const double ms = 1000.0 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC / calls;
    std::printf("%s of 12 KB of text: %.4f ms of CPU (at most %.2f)%s\n", what, ms, most,
                sum == 0 ? " and nothing" : "");
  };
  print("SimHash", 0.03, [&text] { return SimHashOf(text, kLeastTokens).value_or(0); });
  print("sketch", 0.06, [&text] { return uint64_t{TextSketchOf(text).tokens}; });
}

int Run(const std::filesystem::path& folder) {
  Material material = std::filesystem::is_directory(folder) ? RealMaterial(folder) : Material();
  if (material.is_real) {
    std::printf("material: %zu real pages that are not alike, %zu paragraphs, %zu short lines\n",
                material.articles.size(), material.paragraphs.size(), material.labels.size());
  } else {
    material = MadeMaterial(Random(5));
    std::printf("material: words by Zipf's law\n");
  }
  const std::vector<Corpus> corpora = Corpora(material);
  PrintTable(corpora);
  PrintCost(corpora);
  return 0;
}

}  // namespace
}  // namespace trawl

int main(int argc, char** argv) { return trawl::Run(argc > 1 ? argv[1] : "../shared/pages"); }
