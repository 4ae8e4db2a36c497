#include "formats/structured/json_ld.h"

#include <algorithm>
#include <utility>

#include "formats/structured/vocabulary.h"

namespace trawl {
namespace {

// Every node of a graph gets a copy of the graph's context. A larger one is left out.
constexpr size_t kMostContextBytes = 4 << 10;

bool IsSchemaContext(const ItemValue& context) {
  if (context.is_string()) return IsSchemaVocabulary(context.text);
  if (context.is_array()) {
    return std::all_of(context.parts.begin(), context.parts.end(), IsSchemaContext);
  }
  if (!context.is_object()) return context.kind == ItemValue::Kind::kNull;
  return std::all_of(context.parts.begin(), context.parts.end(), [](const ItemValue& member) {
    return (member.name == "@vocab" || member.name == "schema") && IsSchemaContext(member);
  });
}

void CutType(ItemValue* type) {
  if (type->is_string()) type->text = std::string(ShortSchemaName(type->text));
  for (ItemValue& one : type->parts) {
    if (type->is_array()) CutType(&one);
  }
}

// `name` is that of the member whose value this is.
void CutPrefixes(std::string_view name, ItemValue* value) {
  if (value->is_string()) {
    if (name == "@id" || name == "url" || name == "sameAs" || name == "@context") return;
    const std::string_view cut = ShortSchemaValue(value->text);
    if (cut.size() < value->text.size()) value->text = std::string(cut);
    return;
  }
  if (value->is_array()) {
    for (ItemValue& element : value->parts) CutPrefixes(name, &element);
    return;
  }
  if (!value->is_object()) return;
  std::erase_if(value->parts,
                [](const ItemValue& member) { return member.name == "@context" && IsSchemaContext(member); });
  bool is_renamed = false;
  for (ItemValue& member : value->parts) {
    if (member.name == "@context") continue;
    const std::string_view cut = ShortSchemaName(member.name);
    if (cut.size() < member.name.size()) {
      member.name = std::string(cut);
      is_renamed = true;
    }
    if (member.name == "@type") {
      CutType(&member);
    } else {
      CutPrefixes(member.name, &member);
    }
  }
  if (is_renamed) SortMembers(value);
}

class Flattener {
 public:
  explicit Flattener(size_t most_items) : most_items_(most_items) {}

  void Walk(ItemValue value, const ItemValue* context) {
    if (items_.size() > most_items_) return;
    if (value.is_array()) {
      for (ItemValue& element : value.parts) Walk(std::move(element), context);
      return;
    }
    if (!value.is_object()) return;
    ItemValue own_context, graph;
    if (Take(&value, "@context", &own_context) && !IsSchemaContext(own_context)) {
      context = JsonOf(own_context).size() > kMostContextBytes ? nullptr : &own_context;
    }
    const bool has_graph = Take(&value, "@graph", &graph);
    const bool says_something = std::any_of(value.parts.begin(), value.parts.end(), [&](const ItemValue& member) {
      return !has_graph || member.name != "@id";
    });
    if (says_something) {
      CutPrefixes({}, &value);
      if (context != nullptr) {
        value.parts.push_back(*context);
        SortMembers(&value);
      }
      items_.push_back(std::move(value));
    }
    if (has_graph) Walk(std::move(graph), context);
  }

  std::vector<ItemValue> Items() { return std::move(items_); }

 private:
  static bool Take(ItemValue* object, std::string_view name, ItemValue* out) {
    const auto member = std::find_if(object->parts.begin(), object->parts.end(),
                                     [name](const ItemValue& part) { return part.name == name; });
    if (member == object->parts.end()) return false;
    *out = std::move(*member);
    object->parts.erase(member);
    return true;
  }

  const size_t most_items_;
  std::vector<ItemValue> items_;
};

}  // namespace

std::vector<ItemValue> ItemsOfJsonLd(ItemValue block, size_t most_items) {
  Flattener flattener(most_items);
  flattener.Walk(std::move(block), nullptr);
  return flattener.Items();
}

std::string TypesOf(const ItemValue& item) {
  const ItemValue* type = item.Find("@type");
  std::vector<std::string> types;
  if (type != nullptr && type->is_string()) types.push_back(type->text);
  if (type != nullptr && type->is_array()) {
    for (const ItemValue& one : type->parts) {
      if (one.is_string()) types.push_back(one.text);
    }
  }
  return JoinTypes(std::move(types));
}

}  // namespace trawl
