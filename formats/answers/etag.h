// Validators of answers (RFC 9110 section 8.8.3). Pure; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace trawl {

// A strong validator, with its quotes: "42-1f0c…-9ab3…". `seal` is that of the snapshot's manifest; `question` is whatever else
// decides the answer: the path with its parameters, in order.
std::string MakeEtag(int64_t snapshot, std::string_view seal, std::string_view question);

// Whether If-None-Match names the validator (section 13.1.2): `*`, or a list of tags of which one is equal, weak or not. A list
// that is malformed matches no further than it can be read.
bool MatchesEtag(std::string_view if_none_match, std::string_view etag);

}  // namespace trawl
