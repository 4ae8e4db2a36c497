// The digest of a page's content: what says whether a page has changed for a reader.
//
// Version 1 is the SHA-256 of, in UTF-8:
//
//     "trawl content 1\n"
//     the title, without white space             "\n"
//     the readable text, without white space     "\n"
//     for each link that may enter the crawl, in the order of the page:
//         its kind ("a", "canonical"…) " " its href as written "\n"
//     "base " the href of the first <base> "\n"  where there is one
//
// where white space is that of HTML and the no-break space. Comments, scripts, styles, images, form fields and their
// tokens, attributes and their order, white space between and within texts, the markup itself have no part in it; one
// word, one link, the title have. Text and links beyond the page's limits have none either. Stored: a change of what is
// digested is a new version.
#pragma once

#include "formats/digests/digest.h"
#include "formats/html/html.h"

namespace trawl {

inline constexpr int kContentDigestVersion = 1;

// Pure; any thread.
Sha256Value ContentDigest(const HtmlPage& page);

}  // namespace trawl
