// A value of JSON that keeps its numbers as they are written, and its normal form. For the sources of
// formats/structured. Pure; any thread.
//
// The library of formats/documents makes a double of `12.50`, and its writer calls itself for every level of nesting.
// Here a number is its text, and no reader makes a value that is nested deeper than kMostItemDepth.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trawl {

// Levels of arrays and objects in one another.
inline constexpr int kMostItemDepth = 64;

struct ItemValue {
  enum class Kind : uint8_t { kNull, kFalse, kTrue, kNumber, kString, kArray, kObject };

  Kind kind = Kind::kNull;
  // The value of a string, without escapes; a number as written.
  std::string text;
  // The elements of an array, or the members of an object.
  std::vector<ItemValue> parts;
  // The name of a member.
  std::string name;

  static ItemValue String(std::string text);
  static ItemValue Object();
  bool is_string() const { return kind == Kind::kString; }
  bool is_array() const { return kind == Kind::kArray; }
  bool is_object() const { return kind == Kind::kObject; }

  // REQUIRES: the members are in normal order. Null if this is no object, or if it has no such member.
  const ItemValue* Find(std::string_view wanted) const;
  // The text of a string or number; empty for anything else.
  std::string_view Text() const;
};

// Sorts the members of one object by their names, bytewise. If a name occurs twice, the last one counts.
void SortMembers(ItemValue* object);

// Makes members of named values: one value is the member itself, several values of a name become an array in their
// order. The result is in normal order.
ItemValue ObjectOfProperties(std::vector<ItemValue> named);

// Appends the value as JSON on one line, without blanks. REQUIRES: members are in normal order.
void AppendJson(const ItemValue& value, std::string* out);
std::string JsonOf(const ItemValue& value);

}  // namespace trawl
