#include "formats/rows/url_row.h"

#include <array>

#include "formats/text/enum_text.h"
#include "formats/url/key.h"

namespace trawl {

std::string TextOf(UrlKind kind) {
  static constexpr std::array<const char*, 5> kTexts = {"", "page", "sitemap", "feed", "probe"};
  return TextFrom(kTexts, kind);
}

std::string TextOf(UrlState state) {
  static constexpr std::array<const char*, 9> kTexts = {"",     "unfetched", "fetched", "redirected", "failing",
                                                        "gone", "denied",    "refused", "duplicate"};
  return TextFrom(kTexts, state);
}

std::string TextOf(TierChoice tier) {
  static constexpr std::array<const char*, 4> kTexts = {"", "high", "medium", "low"};
  return TextFrom(kTexts, tier);
}

bool IsPlainLink(const UrlRow& row) {
  const bool is_link = !row.removed && row.state == UrlState::kUnfetched && row.kind == UrlKind::kPage &&
                       !row.is_seed && row.due_ms == row.discovered_ms && row.fixed_interval_ms == 0 &&
                       row.interval_ms == 0 && row.metadata.empty() && row.tier == TierChoice::kByRule &&
                       !row.fixed_score && row.due_set_ms == 0 && row.stated_priority == 0 &&
                       row.stated_interval_ms == 0 && row.stated_lastmod_ms == 0 && row.sitemap.empty();
  const bool is_exact = row.depth >= 0 && row.depth <= UINT8_MAX && row.inlinks >= 0 && row.inlinks <= UINT16_MAX;
  if (!is_link || !is_exact) return false;
  const bool was_tried = row.outcome != Outcome::kNone || !row.reason.empty() || row.status != 0 ||
                         row.fetched_ms != 0 || row.changed_ms != 0 || row.fetches != 0 || row.retries != 0 ||
                         row.response_ms != 0 || row.unchanged != 0 || row.change_rate != 0;
  const bool has_content = !row.content_type.empty() || row.bytes != 0 || row.truncated != Truncation::kNone ||
                           !row.etag.empty() || !row.last_modified.empty() || !row.body_digest.empty() ||
                           !row.content_digest.empty() || !row.body_segment.empty() || !row.body_file.empty() ||
                           row.body_row != 0 || row.parser != 0 || !row.redirect_to.empty() ||
                           !row.canonical_to.empty() || row.entries != 0 || !row.parse_segment.empty() ||
                           !row.parse_file.empty() || row.parse_row != 0 || row.read_policy != 0 || row.signals != 0 ||
                           !row.duplicate_of.empty() || !row.near_duplicate_of.empty() || row.distance != 0 ||
                           row.simhash != 0 || row.shares_body || !row.text_sketch.empty();
  return !was_tried && !has_content;
}

std::string RequestUrl(const UrlRow& row) {
  if (!row.spelling.empty()) return row.spelling;
  const auto url = UrlOfKey(row.key);
  return url.ok() ? *url : row.key;
}

}  // namespace trawl
