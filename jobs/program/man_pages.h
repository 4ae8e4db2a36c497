// The man pages, made of the same texts as the help: trawl(1), and one for each verb. Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "jobs/program/docs_page.h"
#include "jobs/verb/verb.h"

namespace trawl {

// `date` is that of the pages: "2026-11-20".
std::vector<DocsPage> ManPages(const std::vector<Verb>& verbs, std::string_view date);

// "trawl-readdb-stats": the page about a verb.
std::string ManName(const Verb& verb);

}  // namespace trawl
