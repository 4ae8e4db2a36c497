// Files of rules that let URLs in or keep them out, in the form that crawlers of this kind share: the one door to RE2.
//
//   # images are not wanted
//   -(?i)\.(?:gif|jpe?g|png)$
//   > www.example.com
//   -/calendar/
//   <
//   +.
//
// A rule is '+' or '-' and a regular expression, which may match anywhere in the URL. The first rule that matches
// decides; where none does, the URL is refused. Rules between "> host or domain" and "<" apply to URLs of that host, or
// of that registrable domain, alone. Lines that are empty or begin with '#' or a space are skipped.
//
// Expressions are RE2's (https://github.com/google/re2/wiki/Syntax), matched in time linear to the URL whatever they
// are. What it cannot run is refused with file and line: back references, look-around, possessive quantifiers; and so
// are intersections of classes ("[a-z&&[^q]]"), which it would read as something else. Loops in paths, for which others
// need a back reference, are found by CrawlScope itself. Immutable; any thread.
#pragma once

#include <cstdint>
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
    uint32_t line = 0;      // of the rule that decided; 0 where none matched
    std::string_view rule;  // its text; lives as long as the rules
  };
  // `host` is that of the URL, as in UrlPieces; empty where it has none.
  Verdict Check(std::string_view url, std::string_view host) const;

  const std::string& file() const;
  size_t size() const;

 private:
  struct Rules;
  explicit UrlRules(std::unique_ptr<Rules> rules);
  std::unique_ptr<Rules> rules_;
};

}  // namespace trawl
