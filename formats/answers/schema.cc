#include "formats/answers/schema.h"

#include <algorithm>
#include <string_view>

namespace trawl {

namespace {

constexpr size_t kMostFaults = 10;

bool IsOfType(const std::string& type, const Json& value) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "integer") return value.is_number_integer();
  if (type == "number") return value.is_number();
  if (type == "boolean") return value.is_boolean();
  return type == "null" && value.is_null();
}

// "a string or null".
std::string TypeText(const Json& type) {
  const auto one = [](const std::string& name) {
    if (name == "null") return name;
    const bool is_vowel = std::string_view("aeio").find(name[0]) != std::string_view::npos;
    return (is_vowel ? "an " : "a ") + name;
  };
  if (type.is_string()) return one(type.get<std::string>());
  std::string text;
  for (const Json& name : type) text += (text.empty() ? "" : " or ") + one(name.get<std::string>());
  return text;
}

// As JSON Schema counts the length of a string: in code points.
int64_t CodePoints(const std::string& text) {
  return std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
}

// A name in a JSON pointer (RFC 6901).
std::string PointerName(const std::string& name) {
  std::string out;
  for (const char c : name.substr(0, 100)) out += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  return out;
}

class Checker {
 public:
  std::vector<ProblemField> Take() { return std::move(faults_); }

  void Check(const Json& schema, const Json& value, const std::string& at) {
    if (faults_.size() >= kMostFaults) return;
    if (schema.is_boolean()) {
      if (!schema.get<bool>()) Say(at, "it is not taken here");
      return;
    }
    if (schema.contains("type") && !CheckType(schema["type"], value, at)) return;
    for (const auto& [keyword, rule] : schema.items()) CheckKeyword(schema, keyword, rule, value, at);
  }

 private:
  void Say(const std::string& at, std::string detail) {
    if (faults_.size() < kMostFaults) faults_.push_back({at, std::move(detail)});
  }

  bool CheckType(const Json& type, const Json& value, const std::string& at) {
    const bool fits = type.is_string() ? IsOfType(type.get<std::string>(), value)
                                       : std::any_of(type.begin(), type.end(), [&value](const Json& one) {
                                           return IsOfType(one.get<std::string>(), value);
                                         });
    if (!fits) Say(at, "it must be " + TypeText(type));
    return fits;
  }

  void CheckKeyword(const Json& schema, const std::string& keyword, const Json& rule, const Json& value,
                    const std::string& at) {
    if (keyword == "enum") {
      if (std::find(rule.begin(), rule.end(), value) == rule.end()) Say(at, "it must be one of " + DumpJson(rule));
    } else if (keyword == "const") {
      const std::string why = schema.contains("description") ? ": " + schema["description"].get<std::string>() : "";
      if (rule != value) Say(at, "it must be " + DumpJson(rule) + why);
    } else if (keyword == "anyOf") {
      CheckAnyOf(rule, value, at);
    } else if (value.is_object()) {
      CheckObject(schema, keyword, rule, value, at);
    } else if (value.is_array()) {
      CheckArray(keyword, rule, value, at);
    } else if (value.is_string()) {
      CheckLength(keyword, rule, CodePoints(value.get_ref<const std::string&>()), "character", at);
    } else if (value.is_number()) {
      if (keyword == "minimum" && value < rule) Say(at, "it must be at least " + DumpJson(rule));
      if (keyword == "maximum" && value > rule) Say(at, "it must be at most " + DumpJson(rule));
    }
  }

  void CheckAnyOf(const Json& rules, const Json& value, const std::string& at) {
    std::vector<ProblemField> first;
    for (const Json& rule : rules) {
      Checker one;
      one.Check(rule, value, at);
      if (one.faults_.empty()) return;
      if (first.empty()) first = one.Take();
    }
    for (ProblemField& fault : first) Say(fault.pointer, std::move(fault.detail));
  }

  void CheckObject(const Json& schema, const std::string& keyword, const Json& rule, const Json& value,
                   const std::string& at) {
    if (keyword == "required") {
      for (const Json& name : rule) {
        if (!value.contains(name.get<std::string>())) Say(at, "the member " + DumpJson(name) + " is missing");
      }
    } else if (keyword == "properties") {
      for (const auto& [name, part] : rule.items()) {
        if (value.contains(name)) Check(part, value[name], at + "/" + PointerName(name));
      }
    } else if (keyword == "additionalProperties") {
      const Json known = schema.contains("properties") ? schema["properties"] : Json::object();
      for (const auto& [name, part] : value.items()) {
        if (known.contains(name)) continue;
        if (rule == false) {
          Say(at + "/" + PointerName(name), kUnknownMember);
        } else {
          Check(rule, part, at + "/" + PointerName(name));
        }
      }
    } else if (keyword == "propertyNames") {
      for (const auto& [name, part] : value.items()) Check(rule, Json(name), at + "/" + PointerName(name));
    } else if (keyword == "maxProperties" || keyword == "minProperties") {
      CheckLength(keyword == "maxProperties" ? "maxItems" : "minItems", rule, static_cast<int64_t>(value.size()),
                  "member", at);
    }
  }

  void CheckArray(const std::string& keyword, const Json& rule, const Json& value, const std::string& at) {
    if (keyword == "items") {
      for (size_t i = 0; i < value.size(); ++i) Check(rule, value[i], at + "/" + std::to_string(i));
    } else {
      CheckLength(keyword, rule, static_cast<int64_t>(value.size()), "item", at);
    }
  }

  void CheckLength(const std::string& keyword, const Json& rule, int64_t length, const char* what,
                   const std::string& at) {
    const bool is_least = keyword == "minLength" || keyword == "minItems";
    const bool is_most = keyword == "maxLength" || keyword == "maxItems";
    const std::string count = DumpJson(rule) + " " + what + (rule == 1 ? "" : "s");
    if (is_least && length < rule) Say(at, "it must have at least " + count);
    if (is_most && length > rule) Say(at, "it must have at most " + count);
  }

  std::vector<ProblemField> faults_;
};

}  // namespace

std::vector<ProblemField> FaultsBySchema(const Json& schema, const Json& value, const std::string& at) {
  Checker checker;
  checker.Check(schema, value, at);
  return checker.Take();
}

}  // namespace trawl
