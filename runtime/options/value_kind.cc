#include "runtime/options/value_kind.h"

#include <algorithm>
#include <iterator>

namespace trawl {

namespace {

struct PlaceholderMeaning {
  std::string_view placeholder;
  ValueKind kind;
};
// In alphabetical order. A test holds that it has every placeholder of every option and verb.
constexpr PlaceholderMeaning kPlaceholders[] = {
    {"ADDRESS", ValueKind::kText},
    {"ARGUMENT", ValueKind::kFile},
    {"DIR", ValueKind::kFolder},
    {"DOMAIN", ValueKind::kText},
    {"FILE", ValueKind::kFile},
    {"FORMAT", ValueKind::kText},
    {"HOST", ValueKind::kText},
    {"HOST:PORT", ValueKind::kText},
    {"JOB", ValueKind::kJob},
    {"KIND", ValueKind::kText},
    {"N", ValueKind::kText},
    {"NAME", ValueKind::kText},
    {"NAME=VALUE", ValueKind::kText},
    {"OUTCOME", ValueKind::kText},
    {"PERCENT", ValueKind::kText},
    {"ROOT", ValueKind::kRoot},
    {"SEED", ValueKind::kFile},
    {"SEGMENT", ValueKind::kSegment},
    {"SETTING", ValueKind::kSetting},
    {"SETTING=VALUE", ValueKind::kSetting},
    {"SHELL", ValueKind::kText},
    {"SIGNAL", ValueKind::kText},
    {"SIZE", ValueKind::kText},
    {"SNAPSHOT", ValueKind::kSnapshot},
    {"STATE", ValueKind::kText},
    {"STATUS", ValueKind::kText},
    {"SUBSET", ValueKind::kText},
    {"TEXT", ValueKind::kText},
    {"TIER", ValueKind::kText},
    {"TIME", ValueKind::kText},
    {"TOKEN", ValueKind::kText},
    {"TYPE", ValueKind::kText},
    {"URL", ValueKind::kText},
    {"WHAT", ValueKind::kText},
    {"WHEN", ValueKind::kText},
    {"X", ValueKind::kText},
    {"http://HOST:PORT", ValueKind::kText},
};

const PlaceholderMeaning* Find(std::string_view placeholder) {
  const auto* const found =
      std::find_if(std::begin(kPlaceholders), std::end(kPlaceholders),
                   [placeholder](const PlaceholderMeaning& known) { return known.placeholder == placeholder; });
  return found == std::end(kPlaceholders) ? nullptr : found;
}

}  // namespace

ValueKind ValueKindOf(std::string_view placeholder) {
  const PlaceholderMeaning* const known = Find(placeholder);
  return known == nullptr ? ValueKind::kText : known->kind;
}

bool IsKnownPlaceholder(std::string_view placeholder) { return Find(placeholder) != nullptr; }

std::vector<std::string> ItemsOf(const OptionType& type) {
  std::vector<std::string> items;
  if (type.placeholder.find('|') == std::string::npos) return items;
  for (size_t begin = 0; begin <= type.placeholder.size();) {
    const size_t end = std::min(type.placeholder.find('|', begin), type.placeholder.size());
    items.push_back(type.placeholder.substr(begin, end - begin));
    begin = end + 1;
  }
  return items;
}

std::vector<std::string> KnownValues(const OptionType& type) {
  if (type.kind == OptionKind::kBool) return {"true", "false"};
  return type.kind == OptionKind::kChoice || type.kind == OptionKind::kList ? ItemsOf(type)
                                                                            : std::vector<std::string>();
}

}  // namespace trawl
