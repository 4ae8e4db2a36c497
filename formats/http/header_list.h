// The fields of one HTTP answer, in the order in which they came, and the ways to read several fields of one name. The
// meanings of the fields are in fields.h, media_type.h, link_header.h, refresh.h and formats/robots/directives.h.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trawl {

// A list of views: the caller keeps names and values, which must outlive the list. Bytes are raw; nothing is decoded.
class HeaderList {
 public:
  // White space at both ends of the value (space, tab, CR, LF) is not part of it.
  void Add(std::string_view name, std::string_view value);

  // Names are compared without ASCII case. For a field that may come once, the first one counts.
  std::optional<std::string_view> First(std::string_view name) const;
  std::vector<std::string_view> All(std::string_view name) const;
  // All values joined by ", " (RFC 9110 section 5.3); nothing where there is no such field.
  std::optional<std::string> Combined(std::string_view name) const;

  struct Field {
    std::string_view name;
    std::string_view value;
  };
  const std::vector<Field>& fields() const { return fields_; }

 private:
  std::vector<Field> fields_;
};

// A field value cut at the commas outside quoted strings. Spaces and tabs around each part are removed; empty parts are
// kept. (WHATWG Fetch, "get, decode, and split".)
std::vector<std::string_view> SplitAtCommas(std::string_view value);

// `text` without spaces and tabs at both ends.
std::string_view TrimSpaceAndTab(std::string_view text);

}  // namespace trawl
