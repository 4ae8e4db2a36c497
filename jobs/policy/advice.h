// What to type where a URL was refused or failed, and the operator wants it after all. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

#include "formats/rows/url_row.h"

namespace trawl {

// For a refusal that an option lifts: that option, and the command that brings back what was refused before. For another
// URL that is refused, denied, gone, failing or held up: the command alone. Empty where the last answer was what the
// crawl wanted, or there was none.
//
//   "--fetch.allow_private lifts this (trawl config set fetch.allow_private=true for good); then trawl urls set
//   --outcome address_refused --retry asks for all of them now"
std::string AdviceFor(const UrlRow& row);

// The text as one word of a shell: a site chooses where its redirects lead.
std::string ShellWord(std::string_view text);

// A message with `--root ROOT` in every command of Trawl that it names, so that a reader can paste it; an empty root
// leaves the message as it is. Messages are made without a root. What goes to standard error gets the one that was typed
// on its way (jobs/program/rooted_stream.h); advice in an answer gets it where that is made (jobs/verb/typed_root.h).
std::string WithRoot(std::string_view message, std::string_view root);
// The same, with the URL in place of the word URL in advice about it, such as that of AdviceFor.
std::string WithRootAndUrl(std::string message, std::string_view root, std::string_view url);

}  // namespace trawl
