#include "formats/url_parameters.h"

#include <algorithm>
#include <iterator>

namespace trawl {

namespace {

// Sorted, in lower case.
constexpr std::string_view kTracking[] = {
    "_ga",            // Google Analytics, between domains
    "_gl",            // the same
    "_hsenc",         // HubSpot
    "_hsmi",          // HubSpot
    "_openstat",      // Openstat
    "dclid",          // Google Display
    "epik",           // Pinterest
    "fb_action_ids",  // Facebook
    "fb_action_types",
    "fb_ref",
    "fb_source",
    "fbclid",         // Facebook
    "gad_source",     // Google Ads
    "gbraid",         // Google Ads, applications
    "gclid",          // Google Ads
    "gclsrc",         // Google Ads
    "hsctatracking",  // HubSpot
    "igshid",         // Instagram
    "li_fat_id",      // LinkedIn
    "mc_cid",         // Mailchimp
    "mc_eid",         // Mailchimp
    "mkt_tok",        // Marketo
    "msclkid",        // Microsoft Advertising
    "oly_anon_id",
    "oly_enc_id",  // Omeda
    "rb_clickid",
    "s_cid",    // Adobe Analytics
    "srsltid",  // Google Merchant
    "ttclid",   // TikTok
    "twclid",   // X
    "vero_conv",
    "vero_id",   // Vero
    "wbraid",    // Google Ads, web to application
    "wickedid",  // Wicked Reports
    "yclid",     // Yandex Direct
    "ysclid",    // Yandex search
};

// Sorted, in lower case.
constexpr std::string_view kSession[] = {
    "cfid", "cftoken", "jsessionid", "oscsid", "phpsessid", "zenid",
};

// Session ids only with a value drawn at random. Sorted, in lower case.
constexpr std::string_view kMaybeSession[] = {"s", "sessid", "session", "session_id", "sessionid", "sid"};

// Sorted, in lower case.
constexpr std::string_view kDefaultDocuments[] = {
    "default.asp", "default.aspx", "default.htm", "default.html", "default.php",
    "index.asp",   "index.aspx",   "index.cfm",   "index.htm",    "index.html",
    "index.jsp",   "index.php",    "index.php3",  "index.php5",   "index.shtml",
};

constexpr size_t kLongestName = 16;
static_assert(std::is_sorted(std::begin(kTracking), std::end(kTracking)));
static_assert(std::is_sorted(std::begin(kSession), std::end(kSession)));
static_assert(std::is_sorted(std::begin(kMaybeSession), std::end(kMaybeSession)));
static_assert(std::is_sorted(std::begin(kDefaultDocuments), std::end(kDefaultDocuments)));

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

// `name` in lower case, in a buffer of its own; empty where it is longer than every name that is listed.
struct LowerName {
  explicit LowerName(std::string_view name) {
    if (name.size() > kLongestName) return;
    std::transform(name.begin(), name.end(), bytes, Lower);
    view = std::string_view(bytes, name.size());
  }
  char bytes[kLongestName];
  std::string_view view;
};

bool StartsWithIgnoringCase(std::string_view text, std::string_view lower) {
  return text.size() >= lower.size() &&
         std::equal(lower.begin(), lower.end(), text.begin(), [](char a, char b) { return a == Lower(b); });
}

template <size_t n>
bool Has(const std::string_view (&names)[n], std::string_view name) {
  return std::binary_search(std::begin(names), std::end(names), name);
}

bool LooksRandom(std::string_view value) {
  size_t digits = 0, letters = 0;
  for (const char c : value) {
    const char lower = Lower(c);
    digits += c >= '0' && c <= '9' ? 1 : 0;
    letters += lower >= 'a' && lower <= 'z' ? 1 : 0;
  }
  return value.size() >= 24 && digits + letters == value.size() && digits >= 4;
}

}  // namespace

bool IsTrackingParameter(std::string_view name) {
  if (StartsWithIgnoringCase(name, "utm_")) return true;
  return Has(kTracking, LowerName(name).view);
}

bool IsSessionParameter(std::string_view name, std::string_view value) {
  if (StartsWithIgnoringCase(name, "aspsessionid")) return true;  // with eight letters of the server's own behind it
  const LowerName lower(name);
  return Has(kSession, lower.view) || (Has(kMaybeSession, lower.view) && LooksRandom(value));
}

bool IsReferrerParameter(std::string_view name) {
  const LowerName lower(name);
  return lower.view == "ref" || lower.view == "source";
}

bool IsDefaultDocument(std::string_view segment) { return Has(kDefaultDocuments, LowerName(segment).view); }

}  // namespace trawl
