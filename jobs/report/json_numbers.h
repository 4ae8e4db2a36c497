// Members of documents that other versions may have written: what is missing or of another type is null, zero or empty.
// Pure; any thread.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>

#include "formats/documents/json.h"

namespace trawl {

inline const Json& MemberOf(const Json& object, const char* name) {
  static const Json kNull;
  if (!object.is_object()) return kNull;
  const auto found = object.find(name);
  return found == object.end() ? kNull : *found;
}

inline bool HasNumber(const Json& object, const char* name) { return MemberOf(object, name).is_number(); }

inline int64_t CountOf(const Json& object, const char* name) {
  const Json& member = MemberOf(object, name);
  return member.is_number_integer() ? member.get<int64_t>() : 0;
}

// NaN where it is not known.
inline double NumberOf(const Json& object, const char* name) {
  const Json& member = MemberOf(object, name);
  return member.is_number() ? member.get<double>() : std::nan("");
}

inline std::string TextOf(const Json& object, const char* name) {
  const Json& member = MemberOf(object, name);
  return member.is_string() ? member.get<std::string>() : std::string();
}

}  // namespace trawl
