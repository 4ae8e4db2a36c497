// The names of <meta> elements that say something of a page: Open Graph, Twitter cards, Dublin Core, and those from which
// dates and authors are taken. For the sources of formats/structured. Pure; any thread.
#pragma once

#include <string_view>

namespace trawl {

enum class MetaVocabulary : unsigned char { kNone, kOpenGraph, kTwitter, kDublinCore, kOther };

// The vocabulary of a name in lower case; kNone where nobody asks for it.
MetaVocabulary VocabularyOfMeta(std::string_view lower_name);

inline bool IsKnownMetaName(std::string_view lower_name) {
  return VocabularyOfMeta(lower_name) != MetaVocabulary::kNone;
}

// In the order in which they count. All are of kDublinCore or kOther.
extern const std::string_view kPublishedMetas[18];
extern const std::string_view kModifiedMetas[6];
extern const std::string_view kAuthorMetas[7];
extern const std::string_view kHeadlineMetas[6];
extern const std::string_view kImageMetas[4];

}  // namespace trawl
