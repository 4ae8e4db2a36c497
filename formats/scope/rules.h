// Files of rules that let URLs in or keep them out, in the form that similar crawlers share. This is the only door to
// RE2.
//
//   # images are not wanted
//   -(?i)\.(?:gif|jpe?g|png)$
//   > www.example.com
//   -/calendar/
//   <
//   +.
//
// A rule is '+' or '-' and a regular expression, which may match anywhere in the URL. The first rule that matches
// decides; where no rule matches, the URL is refused. Rules between "> host or domain" and "<" apply only to URLs of
// that host or registrable domain. Lines that are empty or begin with '#' or a space are skipped.
//
// Expressions are RE2's (https://github.com/google/re2/wiki/Syntax), and matching always takes time linear in the URL.
// An expression that RE2 cannot run is refused with file and line: back references, look-around, possessive
// quantifiers. So are intersections of classes ("[a-z&&[^q]]"), which RE2 would read differently. CrawlScope itself
// finds loops in paths, for which other crawlers need a back reference. Immutable; any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "arrow/result.h"
#include "formats/url/domain.h"

namespace trawl {

class UrlRules {
 public:
  // `file` is the name that messages and verdicts carry.
  static arrow::Result<UrlRules> Parse(std::string_view text, std::string file,
                                       const PublicSuffixes& suffixes = PublicSuffixes::BuiltIn());
  UrlRules(UrlRules&&) noexcept;
  UrlRules& operator=(UrlRules&&) noexcept;
  ~UrlRules();

  struct Verdict {
    bool accepted = false;
    uint32_t line = 0;      // line of the rule that decided; 0 where no rule matched
    std::string_view rule;  // its text; lives as long as the rules
  };
  // `host` is the URL's host, as in UrlPieces; empty where it has none.
  Verdict Check(std::string_view url, std::string_view host) const;
  // The same, but for the rules alone whose line `takes` accepts.
  using TakesLine = std::function<bool(uint32_t line)>;
  Verdict CheckSome(std::string_view url, std::string_view host, const TakesLine& takes) const;

  const std::string& file() const;
  size_t size() const;

 private:
  struct Rules;
  explicit UrlRules(std::unique_ptr<Rules> rules);
  std::unique_ptr<Rules> rules_;
};

}  // namespace trawl
