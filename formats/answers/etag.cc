#include "formats/answers/etag.h"

#include "formats/digests/digest.h"
#include "formats/text/ascii.h"

namespace trawl {

std::string MakeEtag(int64_t snapshot, std::string_view seal, std::string_view question) {
  // 64 bits of the seal tell snapshots of one number apart, as after a crawl was made anew at the same root.
  return "\"" + std::to_string(snapshot) + "-" + ToHex(Hash64(seal)) + "-" + ToHex(Hash64(question)) + "\"";
}

bool MatchesEtag(std::string_view if_none_match, std::string_view etag) {
  std::string_view rest = TrimBytes(if_none_match, " \t");
  if (rest == "*") return true;
  while (true) {
    const size_t begin = rest.find_first_not_of(" \t,");
    if (begin == std::string_view::npos) return false;
    rest.remove_prefix(begin);
    if (rest.starts_with("W/")) rest.remove_prefix(2);
    const size_t end = rest.starts_with('"') ? rest.find('"', 1) : std::string_view::npos;
    if (end == std::string_view::npos) return false;
    if (rest.substr(0, end + 1) == etag) return true;
    rest.remove_prefix(end + 1);
  }
}

}  // namespace trawl
