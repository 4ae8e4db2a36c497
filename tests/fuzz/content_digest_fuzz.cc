// Input: a page. A comment at the end of a page, where it cannot be anything else, does not change its digest; nor does the
// host on which it lies, where it names none.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "formats/html/content_digest.h"
#include "formats/html/html.h"
#include "formats/text/utf8.h"

namespace {

// URL parsers read '\\' as '/', and leave out white space.
bool NamesAHost(const std::string& html) {
  char last = 0;
  for (const char c : html) {
    if (c == '\t' || c == '\n' || c == '\r') continue;
    const char read = c == '\\' ? '/' : c;
    if (read == '/' && last == '/') return true;
    last = read;
  }
  return false;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string utf8;
  trawl::AppendRepairedUtf8({reinterpret_cast<const char*>(data), size}, &utf8);
  static trawl::HtmlParser parser;
  const std::string_view url = "http://www.example.com/a/b";
  const trawl::HtmlPage page = parser.Parse(utf8);
  const trawl::Sha256Value digest = trawl::ContentDigest(page, url);
  if (digest != trawl::ContentDigest(parser.Parse(utf8), url)) std::abort();
  // Nothing that could be a scheme or a port, or become one.
  const bool is_tame = utf8.find(':') == std::string::npos && utf8.find('&') == std::string::npos;
  if (is_tame && digest != trawl::ContentDigest(page, "https://example.com/a/b")) std::abort();
  if (is_tame && !NamesAHost(utf8) && digest != trawl::ContentDigest(page, "http://example.org:8080/a/b")) std::abort();
  const std::string plain = "<p>a <a href=b>c</a></p>" + std::string(size % 7, ' ');
  const trawl::Sha256Value before = trawl::ContentDigest(parser.Parse(plain), url);
  std::string comment;
  for (const char c : utf8) {
    if (c != '-' && c != '>' && c != '!' && c != '\0') comment.push_back(c);
  }
  if (before != trawl::ContentDigest(parser.Parse(plain + "<!--x" + comment + "-->"), url)) std::abort();
  return 0;
}
