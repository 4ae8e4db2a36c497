#include "formats/content_digest.h"

#include <string>
#include <string_view>

namespace trawl {
namespace {

// HtmlPage's texts have no white space but spaces and line feeds.
void UpdateWithWords(std::string_view text, Sha256* digest) {
  std::string words;
  words.reserve(text.size() + 1);
  for (const char c : text) {
    if (c != ' ' && c != '\n') words.push_back(c);
  }
  words.push_back('\n');
  digest->Update(words);
}

}  // namespace

Sha256Value ContentDigest(const HtmlPage& page) {
  Sha256 digest;
  digest.Update("trawl content 1\n");
  UpdateWithWords(page.title, &digest);
  UpdateWithWords(page.text, &digest);
  std::string line;
  for (const HtmlLink& link : page.links) {
    line = LinkKindName(link.kind);
    line += ' ';
    line += link.href;
    line += '\n';
    digest.Update(line);
  }
  if (page.has_base) digest.Update("base " + page.base_href + "\n");
  return digest.Finish();
}

}  // namespace trawl
