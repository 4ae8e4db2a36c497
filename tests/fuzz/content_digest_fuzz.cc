// Input: a page. A comment, a script and a style at its end, where they cannot be anything else, do not change its
// digest.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "formats/html/content_digest.h"
#include "formats/html/html.h"
#include "formats/text/utf8.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string utf8;
  trawl::AppendRepairedUtf8({reinterpret_cast<const char*>(data), size}, &utf8);
  static trawl::HtmlParser parser;
  const trawl::Sha256Value digest = trawl::ContentDigest(parser.Parse(utf8));
  if (digest != trawl::ContentDigest(parser.Parse(utf8))) std::abort();
  const std::string plain = "<p>a <a href=b>c</a></p>" + std::string(size % 7, ' ');
  const trawl::Sha256Value before = trawl::ContentDigest(parser.Parse(plain));
  std::string comment;
  for (const char c : utf8) {
    if (c != '-' && c != '>' && c != '!' && c != '\0') comment.push_back(c);
  }
  if (before != trawl::ContentDigest(parser.Parse(plain + "<!--x" + comment + "-->"))) std::abort();
  return 0;
}
