// The fields of one HTTP answer, in the order in which they came, and the ways in which several fields of one name are
// read. What the fields mean is in http_fields.h, media_type.h, robots_directives.h, link_header.h and refresh.h.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trawl {

// A list of views: names and values stay the caller's, and must outlive it. Bytes are raw; nothing is decoded.
class HeaderList {
 public:
  // White space at both ends of the value (space, tab, CR, LF) is no part of it.
  void Add(std::string_view name, std::string_view value);

  // Names are compared without ASCII case. For a field that may come once, the first one counts.
  std::optional<std::string_view> First(std::string_view name) const;
  std::vector<std::string_view> All(std::string_view name) const;
  // All values joined by ", " (RFC 9110 section 5.3); nothing where there is no such field.
  std::optional<std::string> Combined(std::string_view name) const;

 private:
  struct Field {
    std::string_view name;
    std::string_view value;
  };
  std::vector<Field> fields_;
};

// A field value cut at the commas outside quoted strings, spaces and tabs around each part taken away; empty parts are
// kept. (WHATWG Fetch, "get, decode, and split".)
std::vector<std::string_view> SplitAtCommas(std::string_view value);

// Spaces and tabs at both ends taken away.
std::string_view TrimSpaceAndTab(std::string_view text);

}  // namespace trawl
