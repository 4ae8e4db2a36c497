#include "formats/html/content_digest.h"

#include <string>
#include <string_view>

namespace trawl {
namespace {

// The texts of HtmlPage have no white space except spaces and line feeds.
void UpdateWithWords(std::string_view text, Sha256* digest) {
  std::string words(text.size() + 1, '\n');
  char* end = words.data();
  for (const char c : text) {
    *end = c;
    end += c != ' ' && c != '\n';
  }
  *end = '\n';
  words.resize(static_cast<size_t>(end - words.data()) + 1);
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
