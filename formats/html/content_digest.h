// The digest of a page's content: it tells whether the page has changed for a reader.
//
// Version 1 is the SHA-256 of this text in UTF-8:
//
//     "trawl content 1\n"
//     the title, without white space             "\n"
//     the readable text, without white space     "\n"
//     for each link that may enter the crawl, in the order of the page:
//         its kind ("a", "canonical"…) " " its href as written "\n"
//     "base " the href of the first <base> "\n"  if there is one
//
// White space here is HTML's white space and the no-break space. One word, one link or the title changes the digest.
// These change nothing: comments, scripts, styles, images, form fields and their tokens, attributes and their order,
// white space between and within texts, the markup itself, and text and links beyond the page's limits. The digest is
// stored, so a change of its input is a new version.
#pragma once

#include "formats/digests/digest.h"
#include "formats/html/html.h"

namespace trawl {

inline constexpr int kContentDigestVersion = 1;

// Pure; any thread.
Sha256Value ContentDigest(const HtmlPage& page);

}  // namespace trawl
