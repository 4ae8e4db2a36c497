#include "formats/url_row.h"

#include <array>

namespace trawl {

namespace {

template <typename Enum, size_t kCount>
std::string TextFrom(const std::array<const char*, kCount>& texts, Enum value) {
  const auto number = static_cast<size_t>(static_cast<uint8_t>(value));
  return number < kCount ? texts[number] : "unknown-" + std::to_string(number);
}

}  // namespace

std::string TextOf(UrlKind kind) {
  static constexpr std::array<const char*, 4> kTexts = {"", "page", "sitemap", "feed"};
  return TextFrom(kTexts, kind);
}

std::string TextOf(UrlState state) {
  static constexpr std::array<const char*, 9> kTexts = {"",     "unfetched", "fetched", "redirected", "failing",
                                                        "gone", "denied",    "refused", "duplicate"};
  return TextFrom(kTexts, state);
}

std::string TextOf(Outcome outcome) {
  static constexpr std::array<const char*, 27> kTexts = {"",
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
                                                         "not_reached"};
  return TextFrom(kTexts, outcome);
}

std::string TextOf(Truncation truncation) {
  static constexpr std::array<const char*, 5> kTexts = {"", "size", "ratio", "time", "incomplete"};
  return TextFrom(kTexts, truncation);
}

}  // namespace trawl
