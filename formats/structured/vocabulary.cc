#include "formats/structured/vocabulary.h"

#include <algorithm>
#include <iterator>

#include "formats/text/ascii.h"

namespace trawl {
namespace {

// The subtypes of Article and of SocialMediaPosting at schema.org.
constexpr std::string_view kArticleTypes[] = {
    "APIReference",
    "AdvertiserContentArticle",
    "AnalysisNewsArticle",
    "Article",
    "AskPublicNewsArticle",
    "BackgroundNewsArticle",
    "BlogPosting",
    "DiscussionForumPosting",
    "LiveBlogPosting",
    "MedicalScholarlyArticle",
    "NewsArticle",
    "OpinionNewsArticle",
    "Report",
    "ReportageNewsArticle",
    "ReviewNewsArticle",
    "SatiricalArticle",
    "ScholarlyArticle",
    "SocialMediaPosting",
    "TechArticle",
};
constexpr std::string_view kPageTypes[] = {
    "AboutPage",         "Book",     "CheckoutPage",   "CollectionPage", "ContactPage",    "FAQPage",     "HowTo",
    "ImageGallery",      "ItemPage", "MedicalWebPage", "Movie",          "PodcastEpisode", "ProfilePage", "QAPage",
    "RealEstateListing", "Recipe",   "Review",         "TVEpisode",      "VideoGallery",   "VideoObject", "WebPage",
};

size_t SchemaPrefix(std::string_view iri) {
  constexpr std::string_view kSchemes[] = {"http://", "https://"};
  constexpr std::string_view kHosts[] = {"schema.org", "www.schema.org"};
  for (const std::string_view scheme : kSchemes) {
    if (!EqualsIgnoringAsciiCase(iri.substr(0, scheme.size()), scheme)) continue;
    for (const std::string_view host : kHosts) {
      const size_t size = scheme.size() + host.size();
      if (EqualsIgnoringAsciiCase(iri.substr(scheme.size(), host.size()), host) &&
          (iri.size() == size || iri[size] == '/' || iri[size] == '#')) {
        return std::min(size + 1, iri.size());
      }
    }
  }
  return 0;
}

template <size_t N>
bool IsOneOf(const std::string_view (&sorted)[N], std::string_view name) {
  return std::find(std::begin(sorted), std::end(sorted), name) != std::end(sorted);
}

}  // namespace

std::string_view ShortSchemaName(std::string_view name) {
  constexpr std::string_view kPrefix = "schema:";
  if (name.starts_with(kPrefix) && name.size() > kPrefix.size()) return name.substr(kPrefix.size());
  const size_t prefix = SchemaPrefix(name);
  return prefix == 0 || prefix == name.size() ? name : name.substr(prefix);
}

bool IsSchemaVocabulary(std::string_view iri) {
  const size_t prefix = SchemaPrefix(iri);
  // Some contexts name the file: https://schema.org/docs/jsonldcontext.json.
  return prefix != 0 && (prefix == iri.size() || iri.substr(prefix).starts_with("docs/jsonldcontext"));
}

std::string_view ShortSchemaValue(std::string_view value) {
  const size_t prefix = SchemaPrefix(value);
  if (prefix == 0) return value;
  const std::string_view name = value.substr(prefix);
  if (name.empty() || name.front() < 'A' || name.front() > 'Z') return value;
  return std::all_of(name.begin(), name.end(), [](char c) { return IsAsciiLetter(c) || IsAsciiDigit(c); }) ? name
                                                                                                           : value;
}

bool IsArticleType(std::string_view type) { return IsOneOf(kArticleTypes, type); }
bool IsPageType(std::string_view type) { return IsOneOf(kPageTypes, type); }

std::string JoinTypes(std::vector<std::string> types) {
  std::sort(types.begin(), types.end());
  types.erase(std::unique(types.begin(), types.end()), types.end());
  std::string joined;
  for (const std::string& type : types) {
    if (type.empty()) continue;
    if (!joined.empty()) joined.push_back(' ');
    joined += type;
  }
  return joined;
}

}  // namespace trawl
