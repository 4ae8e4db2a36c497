#include "formats/content/quality.h"

#include <algorithm>
#include <iterator>

#include "formats/markup/markup.h"

namespace trawl {
namespace {

struct FieldSign {
  const char* field;
  std::string_view value;  // a beginning, in lower case
  const char* who;
};
constexpr FieldSign kFields[] = {
    {"cf-mitigated", "challenge", "cloudflare"},
    {"x-amzn-waf-action", "challenge", "aws-waf"},
    {"x-amzn-waf-action", "captcha", "aws-waf"},
    {"x-datadome-cid", "", "datadome"},
};

struct PageSign {
  std::string_view bytes;
  const char* who;
};
constexpr PageSign kPages[] = {
    {"_cf_chl_opt", "cloudflare"},
    {"cf-browser-verification", "cloudflare"},
    {"cf_captcha_kind", "cloudflare"},
    {"Attention Required! | Cloudflare", "cloudflare"},
    {"sec-if-cpt-container", "akamai"},
    {"/_sec/cp_challenge", "akamai"},
    {"bm-verify", "akamai"},
    {"errors.edgesuite.net", "akamai"},
    {"captcha-delivery.com", "datadome"},
    {"_Incapsula_Resource", "imperva"},
    {"Pardon Our Interruption", "imperva"},
    {"px-captcha", "perimeterx"},
    {"awsWafCookieDomainList", "aws-waf"},
    {"gokuProps", "aws-waf"},
    {"KPSDK", "kasada"},
    {"sucuri_cloudproxy", "sucuri"},
    {"check.ddos-guard.net", "ddos-guard"},
};
// A form of a page may have one of these, too.
constexpr std::string_view kCaptchas[] = {"g-recaptcha", "h-captcha", "cf-turnstile"};

constexpr int64_t kFewWords = 150;
constexpr int64_t kHardlyAnyWords = 40;
constexpr size_t kLookedAt = 64 << 10;

// In lower case as far as it is ASCII.
constexpr std::string_view kNotThere[] = {
    "404 error",
    "error 404",
    "404 not found",
    "page not found",
    "not found",
    "page cannot be found",
    "page can't be found",
    "page can’t be found",
    "page could not be found",
    "page doesn't exist",
    "page doesn’t exist",
    "page does not exist",
    "no longer available",
    "seite nicht gefunden",
    "nicht gefunden",
    "existiert nicht",
    "page introuvable",
    "page non trouvée",
    "n'existe pas",
    "n’existe pas",
    "no encontrada",
    "no encontrado",
    "no existe",
    "non trovata",
    "não encontrada",
    "niet gevonden",
    "nie znaleziono",
    "nie została znaleziona",
    "не найдена",
    "не найден",
    "не существует",
    "не знайдено",
    "bulunamadı",
    "sidan hittades inte",
    "ikke fundet",
    "finnes ikke",
    "ei löytynyt",
    "nenalezena",
    "页面不存在",
    "找不到",
    "頁面不存在",
    "見つかりません",
    "찾을 수 없습니다",
};

bool SaysNotThere(std::string_view text) {
  std::string lower = AsciiLower(text);
  return std::any_of(std::begin(kNotThere), std::end(kNotThere),
                     [&lower](std::string_view words) { return lower.find(words) != std::string::npos; });
}

// "404" as a number of its own.
bool Has404(std::string_view text) {
  const auto is_digit = [&](size_t at) { return at < text.size() && text[at] >= '0' && text[at] <= '9'; };
  for (size_t at = text.find("404"); at != std::string_view::npos; at = text.find("404", at + 1)) {
    if (!is_digit(at + 3) && !(at > 0 && is_digit(at - 1))) return true;
  }
  return false;
}

// The first one of the first rank.
std::string_view HeadingOf(const PageOutline& outline, std::string_view text) {
  const OutlineNode* first = nullptr;
  for (const OutlineNode& node : outline.nodes()) {
    if (node.part != HtmlPart::kHeading1 && node.part != HtmlPart::kHeading2) continue;
    if (first == nullptr || (node.part < first->part)) first = &node;
    if (node.part == HtmlPart::kHeading1) break;
  }
  if (first == nullptr || first->text_begin >= text.size()) return {};
  return text.substr(first->text_begin, first->text_end - first->text_begin);
}

}  // namespace

std::string ChallengeOf(const HeaderList& fields, std::string_view html, int64_t words) {
  for (const FieldSign& sign : kFields) {
    const auto value = fields.First(sign.field);
    if (value && AsciiLower(*value).starts_with(sign.value)) return sign.who;
  }
  if (words >= kFewWords) return {};
  html = html.substr(0, kLookedAt);
  for (const PageSign& sign : kPages) {
    if (html.find(sign.bytes) != std::string_view::npos) return sign.who;
  }
  if (words >= kHardlyAnyWords) return {};
  const bool has_captcha = std::any_of(std::begin(kCaptchas), std::end(kCaptchas), [html](std::string_view bytes) {
    return html.find(bytes) != std::string_view::npos;
  });
  return has_captcha ? "captcha" : "";
}

std::string Soft404Of(std::string_view title, const PageOutline& outline, std::string_view text, int64_t words) {
  std::string where;
  if (words >= kFewWords) return where;
  const auto add = [&where](const char* place) { where += (where.empty() ? "" : ",") + std::string(place); };
  if (SaysNotThere(title) || Has404(title)) add("title");
  const std::string_view heading = HeadingOf(outline, text);
  if (SaysNotThere(heading) || Has404(heading)) add("heading");
  if (SaysNotThere(text.substr(0, kLookedAt))) add("text");
  return where;
}

}  // namespace trawl
