#include "formats/rows/page_facts_row.h"

#include <array>

#include "formats/rows/enum_text.h"

namespace trawl {

std::string TextOf(MainFrom from) {
  static constexpr std::array<const char*, 3> kTexts = {"none", "article", "density"};
  return TextFrom(kTexts, from);
}

}  // namespace trawl
