// Input: a base, a newline, a reference. It is resolved in every encoding, normalised in every form and checked by a
// policy. Serialisations must be ASCII and parse to themselves, pieces must add up, normal forms must be fixed points
// that build on each other, and each normalised URL must have a key that gives it back.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "formats/scope/crawl_scope.h"
#include "formats/scope/loops.h"
#include "formats/url/domain.h"
#include "formats/url/key.h"
#include "formats/url/normal.h"
#include "formats/url/url.h"

namespace trawl {
namespace {

void Check(bool holds) {
  if (!holds) std::abort();
}

void CheckSerialisation(const Url& url) {
  for (const char c : url.href()) Check(c > 0x20 || (c == 0x20 && !url.is_web()));
  Url again;
  Check(again.Parse(url.href()));
  Check(again.href() == url.href());
  Check(url.before_path().size() + url.path().size() + url.query().size() + (url.has_query() ? 1 : 0) +
            url.fragment().size() + (url.has_fragment() ? 1 : 0) ==
        url.href().size());
}

void CheckNormalForms(const Url& url) {
  static const CrawlScope policy = *CrawlScope::Make({});
  std::string normal, again, weaker, key, back;
  UrlPieces pieces, split;
  for (const NormalForm form : {NormalForm::kStrict, NormalForm::kStandard, NormalForm::kFold}) {
    UrlNormalizer normalizer(form);
    if (normalizer.Normalize(url, &normal, &pieces) != UrlRefusal::kNone) continue;
    Check(normalizer.Normalize(normal, &again) == UrlRefusal::kNone && again == normal);
    if (UrlNormalizer(NormalForm::kStrict).Normalize(url, &weaker) == UrlRefusal::kNone) {
      Check(normalizer.Normalize(weaker, &again) == UrlRefusal::kNone && again == normal);
    }
    Check(SplitWebUrl(normal, &split));
    Check(split.scheme == pieces.scheme && split.host == pieces.host && split.port == pieces.port);
    Check(split.origin == pieces.origin && split.path == pieces.path && split.query == pieces.query);
    Check(split.has_query == pieces.has_query && split.host_form == pieces.host_form);
    Check(WriteKeyOfUrl(normal, &key) && WriteUrlOfKey(key, &back) && back == normal);
    Check(HostOfKey(key) == pieces.host && SlotOfKey(key) == SlotOfHost(pieces.host));
    Check(policy.Check(normal, 0).by != UrlCheck::kNotNormalised);
    const std::string_view domain = PublicSuffixes::BuiltIn().RegistrableDomain(pieces.host);
    Check(pieces.host.ends_with(domain));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const size_t end = input.find('\n');
  const std::string_view base_text = input.substr(0, end);
  const std::string_view reference = end == std::string_view::npos ? input : input.substr(end + 1);
  static constexpr const char* kEncodings[] = {"UTF-8",   "windows-1252", "Big5",        "EUC-JP",    "EUC-KR",
                                               "gb18030", "GBK",          "ISO-2022-JP", "Shift_JIS", "x-user-defined"};
  Url url;
  for (const char* encoding : kEncodings) {
    const auto base = BaseUrl::Make(base_text, encoding);
    if (!base.ok() || !url.Resolve(reference, *base)) continue;
    CheckSerialisation(url);
    CheckNormalForms(url);
  }
  if (url.Parse(input)) {
    CheckSerialisation(url);
    CheckNormalForms(url);
  }
  (void)HostToAscii(input);
  (void)RepeatedSegments(input, 3);
  (void)PublicSuffixes::BuiltIn().RegistrableDomain(input);
  return 0;
}

}  // namespace trawl
