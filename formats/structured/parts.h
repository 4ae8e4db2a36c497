// What StructuredReader takes from a page, before anybody makes items of it. For the sources of formats/structured.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/markup/tags.h"

namespace trawl {

// The attributes that mark an element as a part of microdata or RDFa, and that carry a value.
enum class Mark : uint8_t {
  kId,
  kItemScope,
  kItemType,
  kItemId,
  kItemProp,
  kItemRef,
  kVocab,
  kTypeOf,
  kProperty,
  kResource,
  kPrefix,
  // The value of the attribute `content`; of src, href or data, whichever the element has; of value, datetime.
  kContent,
  kUrl,
  kValue,
  kDateTime,
};

// A part of StructuredParts::text.
struct TextRange {
  uint32_t begin = 0;
  uint32_t end = 0;
};

// An element with marks. Only these elements are kept, in the order of the page.
struct MarkedElement {
  static constexpr uint32_t kNone = ~uint32_t{0};

  // The nearest marked element around it.
  uint32_t parent = kNone;
  // The index after its last descendant.
  uint32_t end = 0;
  HtmlTag tag = HtmlTag::kOther;
  std::vector<std::pair<Mark, std::string>> marks;
  TextRange text;

  const std::string* Find(Mark mark) const {
    for (const auto& [name, value] : marks) {
      if (name == mark) return &value;
    }
    return nullptr;
  }
  bool Has(Mark mark) const { return Find(mark) != nullptr; }
};

// A <meta> with a name of a known vocabulary. The name is in lower case.
struct NamedMeta {
  std::string name;
  std::string content;
};

// A <time> in the main part of a page.
struct PageTime {
  bool in_article = false;
  std::string datetime;
  TextRange text;
};

struct StructuredParts {
  // The texts of the blocks of JSON-LD. One that is too long is cut and no longer valid.
  std::vector<std::string> blocks;
  std::vector<MarkedElement> elements;
  std::vector<NamedMeta> metas;
  std::vector<PageTime> times;
  // The outermost <article> elements.
  uint32_t articles = 0;
  // The texts of elements that have a property.
  std::string text;
  // Something was left out because the page has too much of it.
  bool cut = false;

  bool empty() const { return blocks.empty() && elements.empty() && metas.empty() && times.empty(); }
  // Collapsed: one space for every run of white space, none at the ends.
  std::string TextOf(const TextRange& range) const;
};

}  // namespace trawl
