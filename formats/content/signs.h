// What an element's attributes say about its place in a page: for outline.cc. Pure; any thread.
//
// Names of classes are split into words where letters end and where a capital follows a small letter, so that
// "relatedPosts" and "related-posts" are the same. Only the first kMostBytes of an attribute are looked at.
#pragma once

#include <cstdint>
#include <string_view>

#include "formats/scan/element.h"

namespace trawl {

// The bits of OutlineSign that roles, itemprop and aria-hidden set.
uint8_t SignsOfRole(const HtmlElement& element);
// Those that the words of a class or id set.
uint8_t SignsOfWords(std::string_view names);

}  // namespace trawl
