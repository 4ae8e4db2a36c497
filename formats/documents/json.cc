#include "formats/documents/json.h"

#include <openssl/evp.h>

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr int kMaxDepth = 64;

Result<const Json*> Member(const Json& object, const char* name) {
  if (!object.is_object()) return Status::Invalid("not a JSON object where member '", name, "' is wanted");
  const auto found = object.find(name);
  if (found == object.end()) return Status::Invalid("member '", name, "' is missing");
  return &*found;
}

Status WrongType(const char* name, const char* wanted) {
  return Status::Invalid("member '", name, "' is not ", wanted);
}

}  // namespace

Result<Json> ParseJson(std::string_view text) {
  bool too_deep = false;
  const auto guard = [&too_deep](int depth, Json::parse_event_t, Json&) {
    too_deep = too_deep || depth > kMaxDepth;
    return depth <= kMaxDepth;
  };
  Json value = Json::parse(text, guard, /*allow_exceptions=*/false);
  if (too_deep) return Status::Invalid("JSON is nested deeper than ", kMaxDepth);
  if (value.is_discarded()) return Status::Invalid("not valid JSON");
  return value;
}

std::string DumpJson(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string DumpJsonPretty(const Json& value) { return value.dump(2, ' ', false, Json::error_handler_t::replace); }

bool HasMember(const Json& object, const char* name) { return object.is_object() && object.contains(name); }

Result<std::string> GetString(const Json& object, const char* name) {
  ARROW_ASSIGN_OR_RAISE(const Json* member, Member(object, name));
  if (!member->is_string()) return WrongType(name, "a string");
  return member->get<std::string>();
}

Result<int64_t> GetInt(const Json& object, const char* name) {
  ARROW_ASSIGN_OR_RAISE(const Json* member, Member(object, name));
  const bool fits = member->is_number_integer() &&
                    (!member->is_number_unsigned() || member->get<uint64_t>() <= static_cast<uint64_t>(INT64_MAX));
  if (!fits) return WrongType(name, "a whole number of 64 bits");
  return member->get<int64_t>();
}

Result<bool> GetBool(const Json& object, const char* name) {
  ARROW_ASSIGN_OR_RAISE(const Json* member, Member(object, name));
  if (!member->is_boolean()) return WrongType(name, "true or false");
  return member->get<bool>();
}

Result<const Json*> GetArray(const Json& object, const char* name) {
  ARROW_ASSIGN_OR_RAISE(const Json* member, Member(object, name));
  if (!member->is_array()) return WrongType(name, "an array");
  return member;
}

Result<const Json*> GetObject(const Json& object, const char* name) {
  ARROW_ASSIGN_OR_RAISE(const Json* member, Member(object, name));
  if (!member->is_object()) return WrongType(name, "an object");
  return member;
}

Result<std::vector<std::string>> GetStrings(const Json& object, const char* name) {
  ARROW_ASSIGN_OR_RAISE(const Json* array, GetArray(object, name));
  std::vector<std::string> out;
  for (const Json& element : *array) {
    if (!element.is_string()) return WrongType(name, "an array of strings");
    out.push_back(element.get<std::string>());
  }
  return out;
}

Result<std::string> Base64Decode(std::string_view text) {
  std::string out(text.size() / 4 * 3, '\0');
  if (text.size() % 4 != 0) return Status::Invalid("base64 of a length that is not a multiple of 4");
  const int size = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                                   reinterpret_cast<const unsigned char*>(text.data()), static_cast<int>(text.size()));
  if (size < 0) return Status::Invalid("not base64");
  // EVP_DecodeBlock counts the padding as zero bytes of data.
  size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  out.resize(static_cast<size_t>(size) - padding);
  return out;
}

}  // namespace trawl
