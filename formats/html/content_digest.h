// The digest of a page's content: it tells whether the page has changed for a reader, and which pages are the same.
//
// Version 2 is the SHA-256 of this text in UTF-8:
//
//     "trawl content 2\n"
//     the title, without white space             "\n"
//     the readable text, without white space     "\n"
//     for each link that may enter the crawl, in the order of the page:
//         its kind ("a", "canonical"…) " " its href, shortened  "\n"
//     "base " the href of the first <base>, shortened  "\n"     if there is one, and rule 3 does not replace it
//
// White space here is HTML's white space and the no-break space. One word, one link or the title changes the digest.
// These change nothing: comments, scripts, styles, images, form fields and their tokens, attributes and their order,
// white space between and within texts, the markup itself, and text and links beyond the page's limits.
//
// Shortened (so that the mirrors of a page are the same, whatever host they name):
//  1. An href stays as written unless it has a host, and that is the page's own: "//host…", "http://host…" or
//     "https://host…". Then scheme, host and port go; at least "/" is left. With or without "www." and a last dot, in
//     capitals, by http or https, it is the same host. The port must be the page's, too; 80 and 443 count as none.
//  2. So an href that is relative to the page's folder stays relative: pages of the same bytes are the same in any folder.
//  3. A <base> that begins with "/" once it is shortened goes: hrefs without scheme and "/" are put after its folder
//     ("?…" after its path, "#…" and nothing after its query, too). Dot segments stay.
//  4. Where a <base> names another host, "own:" stands before what is left by rule 1, since "/…" leads to that host.
//
// The digest is stored, so a change of its input is a new version.
#pragma once

#include <string_view>

#include "formats/digests/digest.h"
#include "formats/html/html.h"

namespace trawl {

inline constexpr int kContentDigestVersion = 2;

// `page_url`: the URL that was asked for; where it is none, no host is the page's own. Pure; any thread.
Sha256Value ContentDigest(const HtmlPage& page, std::string_view page_url);

}  // namespace trawl
