// The door of formats/structured: structured data of a page, as items and as a few statements of the page about itself.
//
// StructuredReader (reader.h) takes the parts from the page as its events pass by; ReadStructured makes items of them.
// Syntaxes: JSON-LD, microdata, RDFa Lite, Open Graph, Twitter cards, Dublin Core. Items of all syntaxes have one form: an
// object of JSON with "@type", "@id" and the properties. Nothing is asked for over the network, and no bytes cost more than a
// small multiple of their number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "formats/structured/parts.h"
#include "formats/url/url.h"

namespace trawl {

inline constexpr size_t kMostPageItems = 1'000;
inline constexpr size_t kMostPageItemBytes = 8 << 20;

enum class ItemSyntax : uint8_t { kOpenGraph, kTwitter, kDublinCore, kJsonLd, kMicrodata, kRdfa };
// "opengraph", "twitter", "dublincore", "jsonld", "microdata", "rdfa".
std::string_view ItemSyntaxName(ItemSyntax syntax);

struct PageItem {
  ItemSyntax syntax = ItemSyntax::kJsonLd;
  // The number of the script on the page; 0 for other syntaxes.
  int32_t block = 0;
  // The number of the item in its block.
  int32_t position = 0;
  // The types without the prefix of schema.org, each once, sorted, one space apart.
  std::string type;
  std::string id;
  // In normal form: one line, no blanks, members sorted, numbers as written.
  std::string json;
  // What had to be repaired before the block could be read (json_block.h).
  std::string repaired;
  // Why a block could not be read, or what was left out. Such an item has no json.
  std::string problem;

  bool operator==(const PageItem&) const = default;
};

// Each `…_from` says where the value comes from: "jsonld", "opengraph", "microdata", "rdfa", "twitter", "meta", "time", "url".
// It is empty if there is no value.
struct PageStatements {
  int64_t published_ms = 0;
  std::string published_from;
  int64_t modified_ms = 0;
  std::string modified_from;
  std::string author;
  std::string author_from;
  std::string headline;
  std::string headline_from;
  std::string image;
  std::string image_from;
  std::string site_name;
  std::string site_name_from;
  // The types of schema.org that top items have, each once, sorted, one space apart.
  std::string schema_types;
  std::string og_type;

  bool operator==(const PageStatements&) const = default;
};

struct StructuredContext {
  // What URLs are relative to; null: they stay as written.
  const BaseUrl* base = nullptr;
  // The page's own URL; its path may name a day.
  std::string_view page_url;
  // When the page was fetched: a later date is none.
  int64_t fetched_ms = 0;
};

struct StructuredPage {
  std::vector<PageItem> items;
  PageStatements statements;
};

// Never fails.
StructuredPage ReadStructured(const StructuredParts& parts, const StructuredContext& context);

}  // namespace trawl
