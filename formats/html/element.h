// One start tag as both readers of a page, the tree walk and the flat scan, hand it to HtmlPageBuilder.
#pragma once

#include <string_view>
#include <vector>

#include "formats/markup/tags.h"

namespace trawl {

struct HtmlAttribute {
  // Lower case.
  std::string_view name;
  // References replaced.
  std::string_view value;
};

struct HtmlElement {
  HtmlTagTraits traits;
  std::vector<HtmlAttribute> attributes;

  // Null where there is none; of several the first.
  const std::string_view* Find(std::string_view name) const {
    for (const HtmlAttribute& attribute : attributes) {
      if (attribute.name == name) return &attribute.value;
    }
    return nullptr;
  }
  std::string_view Get(std::string_view name) const {
    const std::string_view* value = Find(name);
    return value == nullptr ? std::string_view() : *value;
  }
};

}  // namespace trawl
