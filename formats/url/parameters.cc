#include "formats/url/parameters.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>

#include "formats/text/ascii.h"

namespace trawl {

namespace {

enum class Listed : uint8_t { kTracking, kSession, kMaybeSession, kReferrer };

struct Name {
  std::string_view text;
  Listed as;
};

// Sorted, in lower case. Names that begin with "utm_" or "aspsessionid" (then eight letters that the server chooses)
// count as well.
constexpr Name kNames[] = {
    {"_ga", Listed::kTracking},              // Google Analytics, between domains
    {"_gl", Listed::kTracking},              // the same
    {"_hsenc", Listed::kTracking},           // HubSpot
    {"_hsmi", Listed::kTracking},            // HubSpot
    {"_openstat", Listed::kTracking},        // Openstat
    {"cfid", Listed::kSession},              // ColdFusion
    {"cftoken", Listed::kSession},           // ColdFusion
    {"dclid", Listed::kTracking},            // Google Display
    {"epik", Listed::kTracking},             // Pinterest
    {"fb_action_ids", Listed::kTracking},    // Facebook
    {"fb_action_types", Listed::kTracking},  // Facebook
    {"fb_ref", Listed::kTracking},           // Facebook
    {"fb_source", Listed::kTracking},        // Facebook
    {"fbclid", Listed::kTracking},           // Facebook
    {"gad_source", Listed::kTracking},       // Google Ads
    {"gbraid", Listed::kTracking},           // Google Ads, applications
    {"gclid", Listed::kTracking},            // Google Ads
    {"gclsrc", Listed::kTracking},           // Google Ads
    {"hsctatracking", Listed::kTracking},    // HubSpot
    {"igshid", Listed::kTracking},           // Instagram
    {"jsessionid", Listed::kSession},        // Java servlets
    {"li_fat_id", Listed::kTracking},        // LinkedIn
    {"mc_cid", Listed::kTracking},           // Mailchimp
    {"mc_eid", Listed::kTracking},           // Mailchimp
    {"mkt_tok", Listed::kTracking},          // Marketo
    {"msclkid", Listed::kTracking},          // Microsoft Advertising
    {"oly_anon_id", Listed::kTracking},      // Omeda
    {"oly_enc_id", Listed::kTracking},       // Omeda
    {"oscsid", Listed::kSession},            // osCommerce
    {"phpsessid", Listed::kSession},         // PHP
    {"rb_clickid", Listed::kTracking},       // Rokt
    {"ref", Listed::kReferrer},
    {"s", Listed::kMaybeSession},
    {"s_cid", Listed::kTracking},  // Adobe Analytics
    {"sessid", Listed::kMaybeSession},
    {"session", Listed::kMaybeSession},
    {"session_id", Listed::kMaybeSession},
    {"sessionid", Listed::kMaybeSession},
    {"sid", Listed::kMaybeSession},
    {"source", Listed::kReferrer},
    {"srsltid", Listed::kTracking},    // Google Merchant
    {"ttclid", Listed::kTracking},     // TikTok
    {"twclid", Listed::kTracking},     // X
    {"vero_conv", Listed::kTracking},  // Vero
    {"vero_id", Listed::kTracking},    // Vero
    {"wbraid", Listed::kTracking},     // Google Ads, web to application
    {"wickedid", Listed::kTracking},   // Wicked Reports
    {"yclid", Listed::kTracking},      // Yandex Direct
    {"ysclid", Listed::kTracking},     // Yandex search
    {"zenid", Listed::kSession},       // Zen Cart
};

// Sorted, in lower case.
constexpr std::string_view kDefaultDocuments[] = {
    "default.asp", "default.aspx", "default.htm", "default.html", "default.php",
    "index.asp",   "index.aspx",   "index.cfm",   "index.htm",    "index.html",
    "index.jsp",   "index.php",    "index.php3",  "index.php5",   "index.shtml",
};

constexpr size_t kLongestName = 16;
static_assert(std::is_sorted(std::begin(kNames), std::end(kNames), [](auto& a, auto& b) { return a.text < b.text; }));
static_assert(std::all_of(std::begin(kNames), std::end(kNames), [](auto& a) { return a.text.size() <= kLongestName; }));
static_assert(std::is_sorted(std::begin(kDefaultDocuments), std::end(kDefaultDocuments)));

// Most names on the web are not in the list; one look at their length and ends tells.
constexpr size_t Hint(std::string_view name) {
  const auto first = static_cast<unsigned char>(AsciiLower(name.front()));
  const auto last = static_cast<unsigned char>(AsciiLower(name.back()));
  return (name.size() * 61 + first * 7 + last) % 512;
}
constexpr std::array<bool, 512> kHints = [] {
  std::array<bool, 512> hints{};
  for (const Name& name : kNames) hints[Hint(name.text)] = true;
  return hints;
}();

// `text` in lower case, in a buffer of its own. REQUIRES: at most kLongestName bytes.
struct LowerText {
  explicit LowerText(std::string_view text) : view(bytes, text.size()) {
    for (size_t at = 0; at < text.size(); ++at) bytes[at] = AsciiLower(text[at]);
  }
  char bytes[kLongestName];
  std::string_view view;
};

bool StartsWithIgnoringCase(std::string_view text, std::string_view lower) {
  return text.size() >= lower.size() &&
         std::equal(lower.begin(), lower.end(), text.begin(), [](char a, char b) { return a == AsciiLower(b); });
}

bool LooksRandom(std::string_view value) {
  size_t digits = 0, letters = 0;
  for (const char c : value) {
    digits += IsAsciiDigit(c) ? 1 : 0;
    letters += IsAsciiLetter(c) ? 1 : 0;
  }
  return value.size() >= 24 && digits + letters == value.size() && digits >= 4;
}

}  // namespace

ParameterRole RoleOfParameter(std::string_view name, std::string_view value) {
  if (name.empty()) return ParameterRole::kContent;
  if (StartsWithIgnoringCase(name, "utm_")) return ParameterRole::kTracking;
  if (StartsWithIgnoringCase(name, "aspsessionid")) return ParameterRole::kSession;
  if (name.size() > kLongestName || !kHints[Hint(name)]) return ParameterRole::kContent;
  const LowerText lower(name);
  const Name* found = std::lower_bound(std::begin(kNames), std::end(kNames), lower.view,
                                       [](const Name& a, std::string_view b) { return a.text < b; });
  if (found == std::end(kNames) || found->text != lower.view) return ParameterRole::kContent;
  switch (found->as) {
    case Listed::kTracking:
      return ParameterRole::kTracking;
    case Listed::kSession:
      return ParameterRole::kSession;
    case Listed::kMaybeSession:
      return LooksRandom(value) ? ParameterRole::kSession : ParameterRole::kContent;
    case Listed::kReferrer:
      return ParameterRole::kReferrer;
  }
  return ParameterRole::kContent;
}

bool IsDefaultDocument(std::string_view segment) {
  if (segment.empty() || segment.size() > kLongestName) return false;
  if (AsciiLower(segment.front()) != 'i' && AsciiLower(segment.front()) != 'd') return false;
  const LowerText lower(segment);
  return std::binary_search(std::begin(kDefaultDocuments), std::end(kDefaultDocuments), lower.view);
}

}  // namespace trawl
