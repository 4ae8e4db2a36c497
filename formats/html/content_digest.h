// The digest of a page's content: it tells whether the page has changed for a reader, and which pages are the same.
//
// Version 3 is the SHA-256 of this text in UTF-8:
//
//     "trawl content 3\n"
//     the title, without white space             "\n"
//     the readable text, without white space     "\n"
//     for each link that may enter the crawl but a canonical one, in the order of the page:
//         its kind ("a", "next"…) " " where it leads  "\n"
//
// White space here is HTML's white space and the no-break space. One word, one link or the title changes the digest.
// These change nothing: comments, scripts, styles, images, form fields and their tokens, attributes and their order,
// white space between and within texts, the markup itself, the spelling of a link, and links beyond the page's limit.
// A canonical link says which of equal pages counts; often all but one of them have it, so it is no content.
// A page whose text was cut is not for this digest: it is compared by its bytes (jobs/parse/page_parser.h).
//
// Where a link leads (so that mirrors are the same, and pages whose relative links lead to different pages are not):
//  1. An href is resolved against the page's base, as a browser does it. Its fragment goes.
//  2. On the page's own host, path and query are left. With or without "www." and a last dot, by http or https, it is the
//     same host. The port must be the page's, too; 80 and 443 count as none.
//  3. On another host all of it is left. An href "//host/…" stays without scheme.
//  4. An href that has a fragment only, or nothing, is written "#": it leads to the page itself, wherever that lies.
//  5. "?…" is put after the page's path without a last "index.…" and a last "/": a folder has one list of pages, by
//     whichever of its names.
//  6. Rules 4 and 5 are for pages without a <base>. An href that is no URL, or has another scheme, stays as written, and so do
//     all where the page's own URL is none.
//
// The digest is stored, so a change of its input is a new version.
#pragma once

#include <string_view>

#include "formats/digests/digest.h"
#include "formats/html/html.h"

namespace trawl {

inline constexpr int kContentDigestVersion = 3;

// `page_url` is the URL that was asked for, `encoding` the page's encoding, in which queries are sent. Pure; any thread.
Sha256Value ContentDigest(const HtmlPage& page, std::string_view page_url, std::string_view encoding = "UTF-8");

}  // namespace trawl
