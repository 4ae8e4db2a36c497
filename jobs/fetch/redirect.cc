#include "jobs/fetch/redirect.h"

#include <algorithm>

#include "formats/url/key.h"
#include "formats/url/url.h"

namespace trawl {

RedirectTarget RedirectReader::Read(const std::string& url, const std::string& location, int32_t depth) {
  RedirectTarget target;
  const arrow::Result<Url> parsed = ParseUrlIn(location, url, "UTF-8");
  if (!parsed.ok()) {
    target.reason = "its target is no URL";
    return target;
  }
  std::string normal;
  UrlPieces pieces;
  const UrlRefusal refusal = normalizer_.Normalize(*parsed, &normal, &pieces);
  if (refusal != UrlRefusal::kNone) {
    target.reason = "its target: " + std::string(TextOf(refusal));
    return target;
  }
  WriteKeyOfPieces(pieces, &target.key);
  target.url = parsed->without_fragment();
  // Credentials in a target are never sent, so the URL without them is asked for.
  if (parsed->has_userinfo()) target.url = normal;
  const UrlVerdict verdict = scope_.Check(normal, pieces, static_cast<uint32_t>(std::max(depth, 0)));
  if (!verdict.accepted) target.reason = "its target: " + scope_.Explain(verdict);
  return target;
}

}  // namespace trawl
