#include "formats/robots/directives.h"

#include <algorithm>

#include "formats/http/date.h"
#include "formats/http/date_scanner.h"
#include "formats/text/ascii.h"

namespace trawl {

namespace {

constexpr std::string_view kUnavailableAfter = "unavailable_after";
constexpr std::string_view kMaxSnippet = "max-snippet";  // no snippet of more than so many characters

// Directives that have a value after a colon ("max-snippet:20"), and so are not the name of an agent.
bool HasValue(std::string_view name) {
  return EqualsIgnoringAsciiCase(name, kUnavailableAfter) || EqualsIgnoringAsciiCase(name.substr(0, 4), "max-");
}

bool IsAgentName(std::string_view name) {
  return !name.empty() && name.find_first_of(" \t") == std::string_view::npos && !HasValue(name);
}

// The next directive of `rest`, up to its comma. The comma after a weekday is part of a date: "Fri, 25 Jun 2010" and
// "Friday, 25-Jun-10".
std::string_view TakeDirective(std::string_view* rest) {
  size_t comma = rest->find(',');
  if (comma != std::string_view::npos) {
    const std::string_view name = TrimSpaceAndTab(rest->substr(0, std::min(rest->find(':'), comma)));
    const std::string_view before = TrimSpaceAndTab(rest->substr(0, comma));
    const std::string_view last_word = before.substr(before.find_last_of(" \t:") + 1);
    const bool is_date = name.size() < before.size() && before.find(':') != std::string_view::npos;
    if (is_date && IsWeekdayName(last_word)) comma = rest->find(',', comma + 1);
  }
  const std::string_view directive = TrimSpaceAndTab(rest->substr(0, comma));
  *rest = comma == std::string_view::npos ? std::string_view() : rest->substr(comma + 1);
  return directive;
}

void SetFlag(std::string_view word, RobotsDirectives* out) {
  static constexpr struct {
    std::string_view word;
    bool RobotsDirectives::*flag;
  } kFlags[] = {{"noindex", &RobotsDirectives::noindex},         {"nofollow", &RobotsDirectives::nofollow},
                {"noarchive", &RobotsDirectives::noarchive},     {"nocache", &RobotsDirectives::noarchive},
                {"nosnippet", &RobotsDirectives::nosnippet},     {"noimageindex", &RobotsDirectives::noimageindex},
                {"notranslate", &RobotsDirectives::notranslate}, {"noai", &RobotsDirectives::noai},
                {"noimageai", &RobotsDirectives::noimageai}};
  for (const auto& known : kFlags) {
    if (EqualsIgnoringAsciiCase(word, known.word)) out->*known.flag = true;
  }
  if (EqualsIgnoringAsciiCase(word, "none")) out->noindex = out->nofollow = true;
}

void SetEarliest(std::optional<int64_t> time_ms, std::optional<int64_t>* earliest_ms) {
  if (time_ms && (!*earliest_ms || *time_ms < **earliest_ms)) *earliest_ms = time_ms;
}

// Some write "noindex nofollow" or "noindex; nofollow".
void SetFlags(std::string_view words, RobotsDirectives* out) {
  constexpr std::string_view kBetween = " \t\r\n\f;";
  while (!words.empty()) {
    const size_t end = std::min(words.find_first_of(kBetween), words.size());
    SetFlag(words.substr(0, end), out);
    words.remove_prefix(std::min(end + 1, words.size()));
  }
}

void AddDirective(std::string_view directive, int64_t now_ms, RobotsDirectives* out) {
  const size_t colon = directive.find(':');
  if (colon == std::string_view::npos) return SetFlags(directive, out);
  const std::string_view name = TrimSpaceAndTab(directive.substr(0, colon));
  const std::string_view value = TrimSpaceAndTab(directive.substr(colon + 1));
  if (EqualsIgnoringAsciiCase(name, kMaxSnippet) && value == "0") out->nosnippet = true;
  if (!EqualsIgnoringAsciiCase(name, kUnavailableAfter)) return;
  SetEarliest(ParseAnyDateMs(value, now_ms), &out->unavailable_after_ms);
}

void AddField(std::string_view value, std::string_view agent, int64_t now_ms, RobotsDirectives* out) {
  bool is_for_us = true;
  while (!value.empty()) {
    std::string_view directive = TakeDirective(&value);
    const size_t colon = directive.find(':');
    const std::string_view name = TrimSpaceAndTab(directive.substr(0, colon));
    if (colon != std::string_view::npos && IsAgentName(name)) {
      is_for_us = name == "*" || (!agent.empty() && EqualsIgnoringAsciiCase(name, agent));
      directive = TrimSpaceAndTab(directive.substr(colon + 1));
    }
    if (is_for_us) AddDirective(directive, now_ms, out);
  }
}

}  // namespace

void RobotsDirectives::Merge(const RobotsDirectives& other) {
  for (bool RobotsDirectives::*flag :
       {&RobotsDirectives::noindex, &RobotsDirectives::nofollow, &RobotsDirectives::noarchive,
        &RobotsDirectives::nosnippet, &RobotsDirectives::noimageindex, &RobotsDirectives::notranslate,
        &RobotsDirectives::noai, &RobotsDirectives::noimageai}) {
    this->*flag |= other.*flag;
  }
  SetEarliest(other.unavailable_after_ms, &unavailable_after_ms);
}

RobotsDirectives ParseRobotsDirectives(std::string_view content, int64_t now_ms) {
  RobotsDirectives directives;
  while (!content.empty()) AddDirective(TakeDirective(&content), now_ms, &directives);
  return directives;
}

RobotsDirectives XRobotsTagOf(const HeaderList& headers, std::string_view agent, int64_t now_ms) {
  RobotsDirectives directives;
  for (const std::string_view value : headers.All("x-robots-tag")) AddField(value, agent, now_ms, &directives);
  return directives;
}

}  // namespace trawl
