#include "jobs/policy/judge.h"

#include "formats/scope/loops.h"
#include "formats/url/domain.h"
#include "formats/url/key.h"
#include "formats/url/pieces.h"

namespace trawl {

namespace {

// What of this URL goes against the check, beside the verdict's own words: "14 of them", the loop itself.
std::string Detail(const JudgedUrl& judged) {
  switch (judged.verdict.by) {
    case UrlCheck::kLength:
      return ": it has " + std::to_string(judged.url.size());
    case UrlCheck::kParameters:
      return ": it has " + std::to_string(judged.parameters);
    case UrlCheck::kLoop:
      return ": " + judged.repeated;
    default:
      return "";
  }
}

std::string TextOf(const CrawlScope& scope, const JudgedUrl& judged) {
  const std::string text = scope.Explain(judged.verdict);
  if (judged.verdict.accepted) return text;
  const std::string_view option = OptionOf(judged.verdict.by);
  return text + Detail(judged) + (option.empty() ? "" : " (--" + std::string(option) + ")");
}

}  // namespace

std::string_view OptionOf(UrlCheck check) {
  switch (check) {
    case UrlCheck::kLength:
      return "urls.max_bytes";
    case UrlCheck::kParameters:
      return "urls.max_parameters";
    case UrlCheck::kLoop:
      return "urls.repeated_segments";
    case UrlCheck::kDepth:
      return "urls.depth";
    case UrlCheck::kScope:
      return "urls.scope";
    case UrlCheck::kRules:
      return "urls.scope_rules";
    case UrlCheck::kAccepted:
    case UrlCheck::kNotNormalised:
    case UrlCheck::kScheme:
    case UrlCheck::kDenyList:
    case UrlCheck::kAllowList:
      break;
  }
  return "";
}

JudgedUrl JudgeUrl(const CrawlScope& scope, std::string_view url, NormalForm form, std::optional<uint32_t> depth) {
  JudgedUrl judged;
  UrlPieces pieces;
  std::string normal;
  judged.no_form = UrlNormalizer(form).Normalize(url, &normal, &pieces);
  if (judged.no_form != UrlRefusal::kNone) {
    judged.verdict.by = UrlCheck::kNotNormalised;
    judged.text = "refused: " + std::string(TextOf(judged.no_form));
    return judged;
  }
  judged.verdict = scope.Check(normal, pieces, depth.value_or(0));
  judged.host = pieces.host;
  judged.domain = PublicSuffixes::BuiltIn().RegistrableDomain(pieces.host);
  judged.parameters = CountParameters(pieces.query);
  judged.repeated = RepeatedSegments(pieces.path, scope.options().repeated_segments);
  WriteKeyOfPieces(pieces, &judged.key);
  judged.url = std::move(normal);  // the pieces are views into it
  judged.text = TextOf(scope, judged);
  return judged;
}

}  // namespace trawl
