#include "formats/http/header_list.h"

#include <algorithm>

#include "formats/text/ascii.h"

namespace trawl {

void HeaderList::Add(std::string_view name, std::string_view value) {
  fields_.push_back({name, TrimBytes(value, " \t\r\n")});
}

std::optional<std::string_view> HeaderList::First(std::string_view name) const {
  for (const Field& field : fields_) {
    if (EqualsIgnoringAsciiCase(field.name, name)) return field.value;
  }
  return std::nullopt;
}

std::vector<std::string_view> HeaderList::All(std::string_view name) const {
  std::vector<std::string_view> values;
  for (const Field& field : fields_) {
    if (EqualsIgnoringAsciiCase(field.name, name)) values.push_back(field.value);
  }
  return values;
}

std::optional<std::string> HeaderList::Combined(std::string_view name) const {
  std::optional<std::string> combined;
  for (const std::string_view value : All(name)) {
    if (combined) {
      combined->append(", ").append(value);
    } else {
      combined.emplace(value);
    }
  }
  return combined;
}

std::vector<std::string_view> SplitAtCommas(std::string_view value) {
  std::vector<std::string_view> parts;
  size_t begin = 0;
  bool quoted = false;
  for (size_t at = 0; at < value.size(); ++at) {
    if (value[at] == '"') {
      quoted = !quoted;
    } else if (quoted && value[at] == '\\') {
      ++at;
    } else if (!quoted && value[at] == ',') {
      parts.push_back(TrimSpaceAndTab(value.substr(begin, at - begin)));
      begin = at + 1;
    }
  }
  parts.push_back(TrimSpaceAndTab(value.substr(begin)));
  return parts;
}

std::string_view TrimSpaceAndTab(std::string_view text) { return TrimBytes(text, " \t"); }

}  // namespace trawl
