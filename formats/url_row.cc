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

bool IsPlainLink(const UrlRow& row) {
  const bool is_link = !row.removed && row.state == UrlState::kUnfetched && row.kind == UrlKind::kPage &&
                       !row.is_seed && row.due_ms == row.discovered_ms && row.fixed_interval_ms == 0 &&
                       row.interval_ms == 0 && row.metadata.empty();
  const bool is_exact = row.depth >= 0 && row.depth <= UINT8_MAX && row.inlinks >= 0 && row.inlinks <= UINT16_MAX;
  if (!is_link || !is_exact) return false;
  const bool was_tried = row.outcome != Outcome::kNone || !row.reason.empty() || row.status != 0 ||
                         row.fetched_ms != 0 || row.changed_ms != 0 || row.fetches != 0 || row.retries != 0 ||
                         row.response_ms != 0 || row.unchanged != 0 || row.change_rate != 0;
  const bool has_content = !row.content_type.empty() || row.bytes != 0 || row.truncated != Truncation::kNone ||
                           !row.etag.empty() || !row.last_modified.empty() || !row.body_digest.empty() ||
                           !row.content_digest.empty() || !row.body_segment.empty() || !row.body_file.empty() ||
                           row.body_row != 0 || row.parser != 0 || !row.redirect_to.empty() ||
                           !row.canonical_to.empty();
  return !was_tried && !has_content;
}

}  // namespace trawl
