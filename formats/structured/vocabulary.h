// Names of schema.org, and what trawl knows of its types. For the sources of formats/structured. Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trawl {

// "http://schema.org/Person" → "Person". The scheme may be https, the host may have "www.", and "schema:" in front means
// the same. Anything else comes back as it is.
std::string_view ShortSchemaName(std::string_view name);
// Whether an IRI is that of schema.org itself: the vocabulary of a page, or the context of a block.
bool IsSchemaVocabulary(std::string_view iri);
// "http://schema.org/InStock" → "InStock": an IRI of schema.org with one name that begins with a capital letter.
std::string_view ShortSchemaValue(std::string_view value);

// An article of any kind, and a page or work that one page is about. The dates of the first kind are those of its page.
bool IsArticleType(std::string_view type);
bool IsPageType(std::string_view type);

// Each type once, sorted, one space apart.
std::string JoinTypes(std::vector<std::string> types);

}  // namespace trawl
