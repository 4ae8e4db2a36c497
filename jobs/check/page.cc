#include "jobs/check/page.h"

#include <utility>

#include "formats/http/media_type.h"

namespace trawl {

using arrow::Result;

Result<Charset> CharsetOfInput(const Json& input, std::string_view body) {
  if (!HasMember(input, "content_type") || input.at("content_type").is_null()) return SniffCharset(body, {});
  ARROW_ASSIGN_OR_RAISE(const std::string content_type, GetString(input, "content_type"));
  const std::optional<MediaType> type = ParseMediaType(content_type);
  return SniffCharset(body, type ? type->Encoding() : std::string_view());
}

Json RefreshTarget(Json url) {
  const bool is_script = url.is_string() && url.get_ref<const std::string&>().starts_with("javascript:");
  return is_script ? Json(nullptr) : std::move(url);
}

}  // namespace trawl
