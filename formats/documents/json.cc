#include "formats/documents/json.h"

#include <openssl/evp.h>

#include <cstdio>

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

// The library escapes U+0000 to U+001F alone. These are commands for a terminal, too, or turn the writing around: U+007F
// to U+009F, U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069.
bool IsControl(std::string_view character) {
  return character == "\x7F" || (character >= "\xC2\x80" && character <= "\xC2\x9F") || character == "\xD8\x9C" ||
         character == "\xE2\x80\x8E" || character == "\xE2\x80\x8F" ||
         (character >= "\xE2\x80\xAA" && character <= "\xE2\x80\xAE") ||
         (character >= "\xE2\x81\xA6" && character <= "\xE2\x81\xA9");
}

uint32_t CodeOf(std::string_view character) {
  uint32_t code = static_cast<uint8_t>(character[0]);
  if (character.size() == 2) code &= 0x1FU;
  if (character.size() == 3) code &= 0x0FU;
  for (const char byte : character.substr(1)) code = code << 6 | (static_cast<uint8_t>(byte) & 0x3FU);
  return code;
}

// Escapes those characters in a dump. They stand in strings only, since the dump's own characters are ASCII.
std::string WithoutControls(std::string dump) {
  constexpr std::string_view kFirstBytes = "\x7F\xC2\xD8\xE2";
  size_t at = dump.find_first_of(kFirstBytes);
  if (at == std::string::npos) return dump;
  std::string out;
  size_t copied = 0;
  for (; at != std::string::npos; at = dump.find_first_of(kFirstBytes, at + 1)) {
    const auto first = static_cast<uint8_t>(dump[at]);
    const std::string_view character = std::string_view(dump).substr(at, first < 0x80 ? 1 : first < 0xE0 ? 2 : 3);
    if (!IsControl(character)) continue;
    char escaped[8];
    std::snprintf(escaped, sizeof escaped, "\\u%04x", CodeOf(character));
    out.append(dump, copied, at - copied).append(escaped);
    copied = at + character.size();
  }
  return copied == 0 ? dump : out.append(dump, copied);
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

std::string DumpJson(const Json& value) {
  return WithoutControls(value.dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::string DumpJsonPretty(const Json& value) {
  return WithoutControls(value.dump(2, ' ', false, Json::error_handler_t::replace));
}

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
