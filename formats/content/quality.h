// Facts that tell a page worth reading from one that is not: whether it asks for a proof that a person reads, and whether
// it says that it is not there. They are facts and no verdict. Pure; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "formats/content/outline.h"
#include "formats/http/header_list.h"

namespace trawl {

// Who stands before the page and asks for a proof: "cloudflare", "akamai", "datadome", "imperva", "perimeterx", "aws-waf",
// "kasada", "sucuri", "ddos-guard", or "captcha" where nobody is known. Empty: nobody.
//
// Header fields tell it of any page. The page's own bytes tell it where the page has few words, for sites behind such a
// service have its scripts on all pages.
std::string ChallengeOf(const HeaderList& fields, std::string_view html, int64_t words);

// Where a short page says that it is not there: some of "title", "heading" and "text", a comma apart. `words` are those of
// the main text, or of the whole text where there is none.
std::string Soft404Of(std::string_view title, const PageOutline& outline, std::string_view text, int64_t words);

}  // namespace trawl
