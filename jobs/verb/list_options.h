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
                                .Int("limit", &ListOptions::limit, "list only the newest N; 0 lists all", AtLeast(0))
                                .Main();
  return group;
}

}  // namespace trawl
