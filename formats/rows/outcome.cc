#include "formats/rows/outcome.h"

#include <array>

#include "formats/rows/page_facts_row.h"
#include "formats/text/enum_text.h"

namespace trawl {

std::string TextOf(Outcome outcome) {
  static constexpr std::array<const char*, 28> kTexts = {"",
                                                         "fetched",
                                                         "not_modified",
                                                         "redirect",
                                                         "redirect_loop",
                                                         "redirect_limit",
                                                         "redirect_refused",
                                                         "gone",
                                                         "client_error",
                                                         "throttled",
                                                         "server_error",
                                                         "robots_denied",
                                                         "robots_deferred",
                                                         "address_refused",
                                                         "scheme_refused",
                                                         "type_refused",
                                                         "header_limit",
                                                         "too_slow",
                                                         "timeout",
                                                         "dns_failed",
                                                         "connect_failed",
                                                         "tls_failed",
                                                         "connection_reset",
                                                         "protocol_error",
                                                         "decode_error",
                                                         "breaker_open",
                                                         "not_reached",
                                                         "dropped"};
  return TextFrom(kTexts, outcome);
}

std::string TextOf(Truncation truncation) {
  static constexpr std::array<const char*, 6> kTexts = {"", "size", "ratio", "time", "incomplete", "coding"};
  return TextFrom(kTexts, truncation);
}

// That of page_facts_row.h.
std::string TextOf(MainFrom from) {
  static constexpr std::array<const char*, 3> kTexts = {"none", "article", "density"};
  return TextFrom(kTexts, from);
}

}  // namespace trawl
