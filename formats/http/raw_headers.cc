#include "formats/http/raw_headers.h"

namespace trawl {

HeaderList ParseRawHeaders(std::string_view raw) {
  HeaderList headers;
  bool is_status_line = true;
  while (!raw.empty()) {
    const size_t end = raw.find('\n');
    const std::string_view line = raw.substr(0, end);
    raw.remove_prefix(end == std::string_view::npos ? raw.size() : end + 1);
    const size_t colon = line.find(':');
    const bool is_field = !is_status_line && !line.empty() && line.front() != ' ' && line.front() != '\t';
    is_status_line = false;
    if (!is_field || colon == std::string_view::npos) continue;
    headers.Add(TrimSpaceAndTab(line.substr(0, colon)), line.substr(colon + 1));
  }
  return headers;
}

}  // namespace trawl
