// `trawl check simhash` and `lang`: the fingerprints and the language of texts.
#include "formats/digests/digest.h"
#include "formats/digests/simhash.h"
#include "formats/text/language.h"
#include "jobs/check/check.h"

namespace trawl {

using arrow::Result;

namespace {

Json HashJson(const std::optional<uint64_t>& hash) { return hash ? Json(ToHex(*hash)) : Json(nullptr); }

Result<Json> AnswerSimHash(const Json& input) {
  ARROW_ASSIGN_OR_RAISE(const std::string a, CheckBytes(input, "a"));
  ARROW_ASSIGN_OR_RAISE(const std::string b, CheckBytes(input, "b"));
  const std::optional<uint64_t> hash_a = SimHashOf(a);
  const std::optional<uint64_t> hash_b = SimHashOf(b);
  Json answer = {{"a", HashJson(hash_a)}, {"b", HashJson(hash_b)}};
  answer["distance"] = hash_a && hash_b ? Json(HammingDistance(*hash_a, *hash_b)) : Json(nullptr);
  return answer;
}

Result<Json> AnswerLanguage(const Json& input) {
  ARROW_ASSIGN_OR_RAISE(const std::string text, CheckBytes(input, "text"));
  const std::string_view language = LanguageOf(text);
  return Json{{"lang", language == kUnknownLanguage ? Json(nullptr) : Json(language)}};
}

}  // namespace

CheckKind SimhashCheck() { return {"simhash", "A B", AnswerSimHash, nullptr}; }
CheckKind LangCheck() { return {"lang", "TEXT", AnswerLanguage, nullptr}; }

}  // namespace trawl
