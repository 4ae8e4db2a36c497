#include "formats/structured/meta_names.h"

#include <algorithm>
#include <iterator>

namespace trawl {

constexpr std::string_view kPublishedMetas[18] = {"dcterms.issued",   "dc.date.issued",    "dcterms.created",
                                                  "dc.date.created",  "dcterms.date",      "dc.date",
                                                  "parsely-pub-date", "sailthru.date",     "pubdate",
                                                  "publish-date",     "publish_date",      "publishdate",
                                                  "datepublished",    "publication_date",  "citation_publication_date",
                                                  "citation_date",    "article.published", "date"};
constexpr std::string_view kModifiedMetas[6] = {"dcterms.modified", "dc.date.modified", "datemodified",
                                                "article.updated",  "lastmod",          "revised"};
constexpr std::string_view kAuthorMetas[7] = {"author",          "dcterms.creator", "dc.creator", "parsely-author",
                                              "sailthru.author", "citation_author", "byl"};
constexpr std::string_view kHeadlineMetas[6] = {"dcterms.title", "dc.title",       "headline",
                                                "parsely-title", "sailthru.title", "citation_title"};
constexpr std::string_view kImageMetas[4] = {"parsely-image-url", "sailthru.image.full", "thumbnail", "image_src"};

namespace {

struct Prefix {
  std::string_view text;
  MetaVocabulary vocabulary;
};
constexpr Prefix kPrefixes[] = {
    {"og:", MetaVocabulary::kOpenGraph},       {"article:", MetaVocabulary::kOpenGraph},
    {"book:", MetaVocabulary::kOpenGraph},     {"profile:", MetaVocabulary::kOpenGraph},
    {"music:", MetaVocabulary::kOpenGraph},    {"video:", MetaVocabulary::kOpenGraph},
    {"product:", MetaVocabulary::kOpenGraph},  {"place:", MetaVocabulary::kOpenGraph},
    {"business:", MetaVocabulary::kOpenGraph}, {"restaurant:", MetaVocabulary::kOpenGraph},
    {"fb:", MetaVocabulary::kOpenGraph},       {"twitter:", MetaVocabulary::kTwitter},
    {"dc.", MetaVocabulary::kDublinCore},      {"dc:", MetaVocabulary::kDublinCore},
    {"dcterms.", MetaVocabulary::kDublinCore}, {"dcterms:", MetaVocabulary::kDublinCore},
};

template <size_t N>
bool Has(const std::string_view (&names)[N], std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

}  // namespace

MetaVocabulary VocabularyOfMeta(std::string_view lower_name) {
  for (const Prefix& prefix : kPrefixes) {
    if (lower_name.size() > prefix.text.size() && lower_name.starts_with(prefix.text)) return prefix.vocabulary;
  }
  const bool is_other = Has(kPublishedMetas, lower_name) || Has(kModifiedMetas, lower_name) ||
                        Has(kAuthorMetas, lower_name) || Has(kHeadlineMetas, lower_name) ||
                        Has(kImageMetas, lower_name) || lower_name == "application-name";
  return is_other ? MetaVocabulary::kOther : MetaVocabulary::kNone;
}

}  // namespace trawl
