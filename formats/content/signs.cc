#include "formats/content/signs.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "formats/content/outline.h"
#include "formats/markup/markup.h"

namespace trawl {
namespace {

constexpr size_t kMostBytes = 512;
constexpr size_t kMostWordBytes = 24;

struct SignWord {
  std::string_view word;
  uint8_t sign;
  bool is_beginning;  // also of longer words
};

constexpr bool kWhole = false;
constexpr bool kBeginning = true;

// Sorted by the first letter. A word that sites use for what holds their content, such as "widget", does not belong here.
constexpr SignWord kWords[] = {
    {"ad", kWordsSayAside, kWhole},
    {"ads", kWordsSayAside, kWhole},
    {"adsbygoogle", kWordsSayAside, kWhole},
    {"addthis", kWordsSayAside, kBeginning},
    {"addtoany", kWordsSayAside, kBeginning},
    {"advert", kWordsSayAside, kBeginning},
    {"banner", kWordsSayAside, kWhole},
    {"bio", kWordsSayAside, kWhole},
    {"breadcrumb", kWordsSayAside, kBeginning},
    {"byline", kWordsSayAside, kBeginning},
    {"comment", kWordsSayForeign, kWhole},
    {"comments", kWordsSayForeign, kWhole},
    {"commentlist", kWordsSayForeign, kBeginning},
    {"commentform", kWordsSayForeign, kBeginning},
    {"commentsection", kWordsSayForeign, kBeginning},
    {"consent", kWordsSayForeign, kBeginning},
    {"cookie", kWordsSayForeign, kWhole},
    {"cookies", kWordsSayForeign, kWhole},
    {"cookiebanner", kWordsSayForeign, kBeginning},
    {"cookiebar", kWordsSayForeign, kBeginning},
    {"cookiebot", kWordsSayForeign, kBeginning},
    {"cookieconsent", kWordsSayForeign, kBeginning},
    {"cookienotice", kWordsSayForeign, kBeginning},
    {"copyright", kWordsSayAside, kBeginning},
    {"didomi", kWordsSayForeign, kBeginning},
    {"disqus", kWordsSayForeign, kBeginning},
    {"footer", kWordsSayAside, kBeginning},
    {"gdpr", kWordsSayForeign, kBeginning},
    {"login", kWordsSayAside, kBeginning},
    {"masthead", kWordsSayAside, kBeginning},
    {"menu", kWordsSayAside, kWhole},
    {"menus", kWordsSayAside, kWhole},
    {"modal", kWordsSayForeign, kBeginning},
    {"mostpopular", kWordsSayAside, kBeginning},
    {"mostread", kWordsSayAside, kBeginning},
    {"nav", kWordsSayAside, kWhole},
    {"navbar", kWordsSayAside, kBeginning},
    {"navigation", kWordsSayAside, kBeginning},
    {"newsletter", kWordsSayForeign, kBeginning},
    {"noprint", kWordsSayAside, kWhole},
    {"onetrust", kWordsSayForeign, kBeginning},
    {"outbrain", kWordsSayAside, kBeginning},
    {"pager", kWordsSayAside, kWhole},
    {"pagination", kWordsSayAside, kBeginning},
    {"popup", kWordsSayForeign, kBeginning},
    {"promo", kWordsSayAside, kBeginning},
    {"recirc", kWordsSayAside, kBeginning},
    {"recommend", kWordsSayAside, kBeginning},
    {"related", kWordsSayAside, kBeginning},
    {"replies", kWordsSayForeign, kWhole},
    {"respond", kWordsSayForeign, kWhole},
    {"share", kWordsSayAside, kWhole},
    {"sharebar", kWordsSayAside, kBeginning},
    {"shares", kWordsSayAside, kWhole},
    {"sharing", kWordsSayAside, kBeginning},
    {"sidebar", kWordsSayAside, kBeginning},
    {"signup", kWordsSayAside, kBeginning},
    {"social", kWordsSayAside, kBeginning},
    {"sponsor", kWordsSayAside, kBeginning},
    {"subscribe", kWordsSayAside, kBeginning},
    {"subscription", kWordsSayAside, kBeginning},
    {"taboola", kWordsSayAside, kBeginning},
    {"tags", kWordsSayAside, kWhole},
    {"toolbar", kWordsSayAside, kBeginning},
    {"trending", kWordsSayAside, kBeginning},
    {"usercentrics", kWordsSayForeign, kBeginning},
};

// Where the words with a first letter begin.
constexpr std::array<uint8_t, 28> kFirst = [] {
  std::array<uint8_t, 28> first{};
  size_t at = 0;
  for (size_t letter = 0; letter < 27; ++letter) {
    while (at < std::size(kWords) && static_cast<size_t>(kWords[at].word[0] - 'a') < letter) ++at;
    first[letter] = static_cast<uint8_t>(at);
  }
  first[27] = static_cast<uint8_t>(std::size(kWords));
  return first;
}();

uint8_t SignOf(std::string_view word) {
  if (word.size() < 2) return 0;
  const auto letter = static_cast<size_t>(word[0] - 'a');
  for (size_t i = kFirst[letter]; i < kFirst[letter + 1]; ++i) {
    const SignWord& known = kWords[i];
    if (known.is_beginning ? word.starts_with(known.word) : word == known.word) return known.sign;
  }
  return 0;
}

// A word after one of these says the contrary: "no-sidebar", "has-comments", or it belongs to the state of a page.
bool TakesBack(std::string_view word) {
  for (const std::string_view known : {"no", "not", "has", "have", "with", "without", "is", "type", "format"}) {
    if (word == known) return true;
  }
  return false;
}

// Names in which blogs put the words of their authors: "category-newsletter", "tag-social".
bool IsOfAuthors(std::string_view name) {
  return name.starts_with("category-") || name.starts_with("tag-") || name.starts_with("author-");
}

// The signs of one name, which has no white space.
uint8_t SignsOfName(std::string_view name) {
  if (IsOfAuthors(name)) return 0;
  uint8_t signs = 0;
  char word[kMostWordBytes];
  size_t size = 0;
  bool is_taken_back = false;
  char last = 0;
  const auto end_word = [&] {
    const std::string_view whole(word, size);
    if (!is_taken_back) signs |= SignOf(whole);
    if (size > 0) is_taken_back = TakesBack(whole);
    size = 0;
  };
  for (const char c : name) {
    const bool is_capital = c >= 'A' && c <= 'Z';
    const bool is_small = c >= 'a' && c <= 'z';
    if (!is_capital && !is_small) {
      end_word();
    } else {
      if (is_capital && last >= 'a' && last <= 'z') end_word();
      if (size < kMostWordBytes) word[size++] = is_capital ? static_cast<char>(c + 32) : c;
    }
    last = c;
  }
  end_word();
  return signs;
}

}  // namespace

uint8_t SignsOfWords(std::string_view names) {
  names = names.substr(0, kMostBytes);
  uint8_t signs = 0;
  for (size_t at = 0; at < names.size();) {
    size_t end = at;
    while (end < names.size() && !IsAsciiWhitespace(names[end])) ++end;
    if (end > at) signs |= SignsOfName(names.substr(at, end - at));
    at = end + 1;
  }
  return signs;
}

uint8_t SignsOfRole(const HtmlElement& element) {
  uint8_t signs = 0;
  if (const std::string_view* role = element.Find("role"); role != nullptr) {
    for (const std::string_view known : {"navigation", "complementary", "banner", "contentinfo", "search", "dialog",
                                         "alertdialog", "menu", "menubar", "tablist", "toolbar"}) {
      if (EqualsIgnoringAsciiCase(*role, known)) signs |= kSaysAside;
    }
    if (EqualsIgnoringAsciiCase(*role, "main") || EqualsIgnoringAsciiCase(*role, "article")) signs |= kSaysContent;
  }
  if (const std::string_view* item = element.Find("itemprop"); item != nullptr) {
    if (item->find("articleBody") != std::string_view::npos) signs |= kSaysContent;
  }
  if (const std::string_view* hidden = element.Find("aria-hidden"); hidden != nullptr && *hidden == "true") {
    signs |= kWordsSayAside;
  }
  return signs;
}

}  // namespace trawl
