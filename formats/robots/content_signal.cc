#include "formats/robots/content_signal.h"

#include <algorithm>

#include "formats/text/ascii.h"

namespace trawl {

namespace {

struct Use {
  std::string_view name;
  UseWish ContentSignal::*wish;
};
constexpr Use kUses[] = {
    {"ai-input", &ContentSignal::ai_input}, {"ai-train", &ContentSignal::ai_train}, {"search", &ContentSignal::search}};

// Takes "=", or a word without the quotes around it; empty at the end. Some write ";" or nothing but spaces between two
// wishes, and spaces around "=".
std::string_view TakeToken(std::string_view* rest) {
  constexpr std::string_view kBetween = ",; \t";
  rest->remove_prefix(std::min(rest->find_first_not_of(kBetween), rest->size()));
  const size_t size = rest->starts_with('=') ? 1 : std::min(rest->find_first_of(",; \t="), rest->size());
  const std::string_view token = rest->substr(0, size);
  rest->remove_prefix(size);
  return TrimBytes(token, "\"'");
}

UseWish WishOf(std::string_view word) {
  if (EqualsIgnoringAsciiCase(word, "yes")) return UseWish::kYes;
  return EqualsIgnoringAsciiCase(word, "no") ? UseWish::kNo : UseWish::kNone;
}

void Take(std::string_view name, UseWish wish, ContentSignal* signal) {
  for (const Use& use : kUses) {
    if (EqualsIgnoringAsciiCase(name, use.name)) signal->*use.wish = std::max(signal->*use.wish, wish);
  }
}

}  // namespace

void ContentSignal::Merge(const ContentSignal& other) {
  for (const Use& use : kUses) this->*use.wish = std::max(this->*use.wish, other.*use.wish);
}

ContentSignal ParseContentSignal(std::string_view value) {
  ContentSignal signal;
  std::string_view name;
  bool has_equals = false;
  while (!value.empty()) {
    const std::string_view token = TakeToken(&value);
    if (token == "=") {
      has_equals = true;
      continue;
    }
    if (has_equals) Take(name, WishOf(token), &signal);
    name = has_equals ? std::string_view() : token;
    has_equals = false;
  }
  return signal;
}

std::string TextOf(const ContentSignal& signal) {
  std::string text;
  for (const Use& use : kUses) {
    if (signal.*use.wish == UseWish::kNone) continue;
    text += (text.empty() ? "" : ", ") + std::string(use.name) + (signal.*use.wish == UseWish::kYes ? "=yes" : "=no");
  }
  return text;
}

ContentSignal ContentSignalFor(const std::vector<std::string>& lines, std::string_view path) {
  ContentSignal all;
  for (std::string_view line : lines) {
    if (line.starts_with('/')) {
      const std::string_view scope = line.substr(0, line.find_first_of(" \t"));
      line.remove_prefix(scope.size());
      if (!path.starts_with(scope.substr(0, scope.find_first_of("*$")))) continue;
    }
    all.Merge(ParseContentSignal(line));
  }
  return all;
}

}  // namespace trawl
