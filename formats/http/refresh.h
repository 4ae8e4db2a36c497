// A page that names its successor: the Refresh field and <meta http-equiv=refresh>, which share WHATWG HTML's "shared
// declarative refresh steps". Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace trawl {

struct Refresh {
  int64_t delay_s = 0;
  // As written, to be resolved against the page. Empty means the page itself.
  std::string url;
};

// Nothing where `text` does not ask for a refresh.
std::optional<Refresh> ParseRefresh(std::string_view text);

}  // namespace trawl
