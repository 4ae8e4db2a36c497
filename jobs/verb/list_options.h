// The option --limit of all verbs that list a history.
#pragma once

#include <cstdint>

#include "runtime/options/options.h"

namespace trawl {

struct ListOptions {
  int64_t limit = 20;
};

inline const OptionGroup<ListOptions>& ListOptionGroup() {
  static const auto group = OptionGroup<ListOptions>("list", "How much is listed")
                                .Int("limit", &ListOptions::limit, "the newest so many; 0 is all", AtLeast(0));
  return group;
}

}  // namespace trawl
