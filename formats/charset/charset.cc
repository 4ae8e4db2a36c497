#include "formats/charset/charset.h"

#include "formats/charset/labels.h"
#include "formats/charset/prescan.h"

namespace trawl {
namespace {

std::string_view EncodingFromBom(std::string_view body) {
  if (body.starts_with("\xEF\xBB\xBF")) return "UTF-8";
  if (body.starts_with("\xFE\xFF")) return "UTF-16BE";
  if (body.starts_with("\xFF\xFE")) return "UTF-16LE";
  return {};
}

}  // namespace

std::string_view CharsetSourceName(CharsetSource source) {
  switch (source) {
    case CharsetSource::kBom:
      return "bom";
    case CharsetSource::kHttp:
      return "http";
    case CharsetSource::kMeta:
      return "meta";
    case CharsetSource::kXml:
      return "xml";
    case CharsetSource::kDetected:
      return "detected";
    case CharsetSource::kDefault:
      break;
  }
  return "default";
}

Charset SniffCharset(std::string_view body, std::string_view http_label) {
  if (const std::string_view found = EncodingFromBom(body); !found.empty()) return {found, CharsetSource::kBom};
  if (const std::string_view found = EncodingForLabel(http_label); !found.empty()) return {found, CharsetSource::kHttp};
  if (const std::string_view found = EncodingFromMeta(body); !found.empty()) return {found, CharsetSource::kMeta};
  if (const std::string_view found = EncodingFromXmlDeclaration(body); !found.empty()) {
    return {found, CharsetSource::kXml};
  }
  if (const std::string_view found = DetectCharset(body); !found.empty()) return {found, CharsetSource::kDetected};
  return {"windows-1252", CharsetSource::kDefault};
}

}  // namespace trawl
