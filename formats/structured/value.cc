#include "formats/structured/value.h"

#include <algorithm>
#include <utility>

namespace trawl {
namespace {

bool IsBefore(const ItemValue& a, const ItemValue& b) { return a.name < b.name; }

void AppendString(std::string_view text, std::string* out) {
  constexpr char kDigits[] = "0123456789abcdef";
  out->push_back('"');
  size_t from = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<uint8_t>(text[i]);
    if (byte >= 0x20 && byte != '"' && byte != '\\') continue;
    out->append(text.substr(from, i - from));
    from = i + 1;
    out->push_back('\\');
    switch (byte) {
      case '\n':
        out->push_back('n');
        break;
      case '\t':
        out->push_back('t');
        break;
      case '\r':
        out->push_back('r');
        break;
      case '"':
      case '\\':
        out->push_back(text[i]);
        break;
      default:
        out->append("u00");
        out->push_back(kDigits[byte >> 4]);
        out->push_back(kDigits[byte & 15]);
    }
  }
  out->append(text.substr(from));
  out->push_back('"');
}

}  // namespace

ItemValue ItemValue::String(std::string text) {
  ItemValue value;
  value.kind = Kind::kString;
  value.text = std::move(text);
  return value;
}

ItemValue ItemValue::Object() {
  ItemValue value;
  value.kind = Kind::kObject;
  return value;
}

const ItemValue* ItemValue::Find(std::string_view wanted) const {
  if (!is_object()) return nullptr;
  const auto found =
      std::lower_bound(parts.begin(), parts.end(), wanted,
                       [](const ItemValue& member, std::string_view other) { return member.name < other; });
  return found == parts.end() || found->name != wanted ? nullptr : &*found;
}

std::string_view ItemValue::Text() const {
  return kind == Kind::kString || kind == Kind::kNumber ? std::string_view(text) : std::string_view();
}

void SortMembers(ItemValue* object) {
  std::vector<ItemValue>& members = object->parts;
  if (!std::is_sorted(members.begin(), members.end(), IsBefore)) {
    std::stable_sort(members.begin(), members.end(), IsBefore);
  }
  size_t kept = 0;
  for (size_t i = 0; i < members.size(); ++i) {
    if (i + 1 < members.size() && members[i + 1].name == members[i].name) continue;
    if (kept != i) members[kept] = std::move(members[i]);
    ++kept;
  }
  members.resize(kept);
}

ItemValue ObjectOfProperties(std::vector<ItemValue> named) {
  std::stable_sort(named.begin(), named.end(), IsBefore);
  ItemValue object = ItemValue::Object();
  for (size_t i = 0; i < named.size();) {
    size_t end = i + 1;
    while (end < named.size() && named[end].name == named[i].name) ++end;
    if (end == i + 1) {
      object.parts.push_back(std::move(named[i]));
    } else {
      ItemValue& list = object.parts.emplace_back();
      list.kind = ItemValue::Kind::kArray;
      list.name = named[i].name;
      for (size_t k = i; k < end; ++k) {
        named[k].name.clear();
        list.parts.push_back(std::move(named[k]));
      }
    }
    i = end;
  }
  return object;
}

void AppendJson(const ItemValue& value, std::string* out) {
  switch (value.kind) {
    case ItemValue::Kind::kNull:
      out->append("null");
      return;
    case ItemValue::Kind::kFalse:
      out->append("false");
      return;
    case ItemValue::Kind::kTrue:
      out->append("true");
      return;
    case ItemValue::Kind::kNumber:
      out->append(value.text);
      return;
    case ItemValue::Kind::kString:
      AppendString(value.text, out);
      return;
    case ItemValue::Kind::kArray:
    case ItemValue::Kind::kObject:
      break;
  }
  out->push_back(value.is_array() ? '[' : '{');
  for (size_t i = 0; i < value.parts.size(); ++i) {
    if (i > 0) out->push_back(',');
    if (value.is_object()) {
      AppendString(value.parts[i].name, out);
      out->push_back(':');
    }
    AppendJson(value.parts[i], out);
  }
  out->push_back(value.is_array() ? ']' : '}');
}

std::string JsonOf(const ItemValue& value) {
  std::string json;
  AppendJson(value, &json);
  return json;
}

}  // namespace trawl
