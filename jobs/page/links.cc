#include "jobs/page/links.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include "formats/url/key.h"
#include "jobs/parse/page_parser.h"
#include "jobs/policy/judge.h"

namespace trawl {

namespace {

// Takes every URL that a key can hold.
const CrawlScope& AnyUrl() {
  constexpr auto kNoLimit = std::numeric_limits<size_t>::max();
  static const CrawlScope scope =
      CrawlScope::Make({.max_url_bytes = kNoLimit, .max_parameters = kNoLimit, .repeated_segments = 0}).ValueOrDie();
  return scope;
}

std::string ReasonAgainst(const LinkRow& link, uint32_t depth, NormalForm form, const CrawlScope* scope) {
  constexpr std::string_view kRefused = "refused: ";
  if (scope == nullptr) return "not judged";
  const JudgedUrl judged = JudgeUrl(*scope, UrlOfKey(link.to).ValueOr(""), form, depth);
  if (!judged.accepted()) return judged.text.substr(judged.text.starts_with(kRefused) ? kRefused.size() : 0);
  if (link.enters) return "";
  return link.nofollow ? "nofollow" : "a link of this kind is only recorded";
}

}  // namespace

BodyLinks AllLinksOf(const ContentRow& body, const PageParserOptions& options, NormalForm form) {
  PageParser parser(options, form, AnyUrl());
  ParsedPage parsed;
  parser.Parse(body, &parsed);
  return {.links = std::move(parsed.links),
          .left_out = parsed.row.links_cut,
          .unreadable = parsed.row.failed ? parsed.row.reason : ""};
}

std::vector<PageLink> JudgeLinks(std::vector<LinkRow> links, int32_t page_depth, NormalForm form,
                                 const CrawlScope* scope) {
  const auto depth = static_cast<uint32_t>(std::max(page_depth, 0)) + 1;
  std::vector<PageLink> judged;
  judged.reserve(links.size());
  for (LinkRow& link : links) {
    std::string reason = ReasonAgainst(link, depth, form, scope);
    link.enters = reason.empty();
    judged.push_back({std::move(link), std::move(reason)});
  }
  return judged;
}

}  // namespace trawl
