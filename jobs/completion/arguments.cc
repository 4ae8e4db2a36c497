#include "jobs/completion/arguments.h"

#include <algorithm>
#include <set>
#include <sstream>

namespace trawl {

namespace {

constexpr std::string_view kEllipsis = "…";

struct Element {
  std::vector<std::string> names;
  bool repeats = false;
  // The element after it, where it may be left out; else itself.
  size_t skip_to = 0;
};

std::string WithoutText(std::string text, std::string_view part) {
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at)) text.erase(at, part.size());
  return text;
}

std::vector<Element> ElementsOf(std::string_view arguments) {
  std::vector<std::string> words;
  std::istringstream in{std::string(arguments)};
  for (std::string word; in >> word;) words.push_back(word);
  std::vector<Element> elements;
  for (size_t i = 0; i < words.size(); ++i) {
    Element element{.repeats = words[i].find(kEllipsis) != std::string::npos, .skip_to = i};
    if (words[i].front() == '[') {
      // What its bracket encloses is left out with it.
      std::ptrdiff_t depth = 0;
      do {
        const std::string& word = words[element.skip_to++];
        depth += std::count(word.begin(), word.end(), '[') - std::count(word.begin(), word.end(), ']');
      } while (depth > 0 && element.skip_to < words.size());
    }
    std::istringstream names(WithoutText(WithoutText(WithoutText(words[i], kEllipsis), "["), "]"));
    for (std::string name; std::getline(names, name, '|');) element.names.push_back(name);
    elements.push_back(std::move(element));
  }
  return elements;
}

// The same places, and those that can be reached by leaving elements out.
std::set<size_t> WithSkipped(const std::vector<Element>& elements, std::set<size_t> places) {
  for (const size_t place : std::set<size_t>(places)) {
    for (size_t at = place; at < elements.size() && elements[at].skip_to != at;) {
      at = elements[at].skip_to;
      places.insert(at);
    }
  }
  return places;
}

}  // namespace

std::vector<std::string> ArgumentsAt(std::string_view arguments, size_t before) {
  const std::vector<Element> elements = ElementsOf(arguments);
  // With more arguments than elements only those that repeat remain, and these are reached at once.
  before = std::min(before, elements.size());
  std::set<size_t> places = WithSkipped(elements, {0});
  for (; before > 0; --before) {
    std::set<size_t> next;
    for (const size_t place : places) {
      if (place == elements.size()) continue;
      next.insert(place + 1);
      if (elements[place].repeats) next.insert(place);
    }
    places = WithSkipped(elements, next);
  }
  std::vector<std::string> names;
  for (const size_t place : places) {
    if (place < elements.size()) names.insert(names.end(), elements[place].names.begin(), elements[place].names.end());
  }
  return names;
}

}  // namespace trawl
