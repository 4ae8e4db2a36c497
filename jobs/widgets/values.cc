#include "jobs/widgets/values.h"

#include <cmath>

#include "runtime/terminal/timestamp.h"

namespace trawl {

const Json& MemberAt(const Json& json, const char* name) {
  static const Json kNothing;
  if (!json.is_object()) return kNothing;
  const auto member = json.find(name);
  return member == json.end() ? kNothing : *member;
}

const Json& ListAt(const Json& json, const char* name) {
  static const Json kEmpty = Json::array();
  const Json& member = MemberAt(json, name);
  return member.is_array() ? member : kEmpty;
}

std::string TextAt(const Json& json, const char* name) {
  const Json& member = MemberAt(json, name);
  return member.is_string() ? member.get<std::string>() : std::string();
}

double NumberAt(const Json& json, const char* name) {
  const Json& member = MemberAt(json, name);
  return member.is_number() ? member.get<double>() : 0;
}

int64_t CountAt(const Json& json, const char* name) {
  const Json& member = MemberAt(json, name);
  if (member.is_number_integer()) return member.get<int64_t>();
  const double number = NumberAt(json, name);
  return std::abs(number) < 9e18 ? std::llround(number) : 0;
}

bool IsAt(const Json& json, const char* name) {
  const Json& member = MemberAt(json, name);
  return member.is_boolean() && member.get<bool>();
}

TimeMs TimeAt(const Json& json, const char* name) {
  const Json& member = MemberAt(json, name);
  if (member.is_string()) return ParseTimestamp(member.get<std::string>()).ValueOr(0);
  return CountAt(json, name);
}

bool HasValue(const Json& json, const char* name) { return !MemberAt(json, name).is_null(); }

std::string Readable(const Json& value) {
  if (value.is_null()) return "";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (!value.is_array()) return DumpJson(value);
  std::string text;
  for (const Json& entry : value) text += (text.empty() ? "" : ", ") + Readable(entry);
  return text;
}

}  // namespace trawl
