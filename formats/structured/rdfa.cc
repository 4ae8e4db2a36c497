#include "formats/structured/rdfa.h"

#include <algorithm>
#include <string>
#include <utility>

#include "formats/markup/markup.h"
#include "formats/structured/meta_names.h"
#include "formats/structured/microdata.h"
#include "formats/structured/vocabulary.h"
#include "formats/text/ascii.h"

namespace trawl {
namespace {

constexpr uint32_t kMostValueBytes = 256 << 10;

// How names are to be read. Each element has what the element around it has, unless it says otherwise.
struct Names {
  // Null: none was named.
  const std::string* vocabulary = nullptr;
  // The last list of prefixes that names schema.org.
  const std::string* prefixes = nullptr;
};

class Rdfa {
 public:
  Rdfa(const StructuredParts& parts, const BaseUrl* base, ItemBudget* budget)
      : parts_(parts), base_(base), budget_(*budget) {}

  std::vector<ItemValue> TopItems() {
    for (uint32_t i = 0; i < parts_.elements.size() && budget_.Visit(); ++i) {
      while (!open_.empty() && open_.back().end <= i) Leave();
      Enter(i);
    }
    while (!open_.empty()) Leave();
    std::erase_if(tops_, [](const ItemValue& item) { return IsNothing(item); });
    return std::move(tops_);
  }

 private:
  struct Open {
    uint32_t end;
    Names names;
    // Its item, which is made when it is left; false: it has none of its own.
    bool is_item = false;
    // Where the item goes: the names of the property of the item around it. Empty: it is a top item.
    std::vector<std::string> properties;
    size_t top = 0;
    std::vector<ItemValue> named;
  };

  static bool IsNothing(const ItemValue& item) {
    return std::all_of(item.parts.begin(), item.parts.end(), [](const ItemValue& part) { return part.name == "@id"; });
  }

  void Enter(uint32_t index) {
    const MarkedElement& element = parts_.elements[index];
    Names names = open_.empty() ? Names() : open_.back().names;
    if (const std::string* vocabulary = element.Find(Mark::kVocab)) names.vocabulary = vocabulary;
    if (const std::string* prefixes = element.Find(Mark::kPrefix); prefixes != nullptr) names.prefixes = prefixes;
    const std::string* const types = element.Find(Mark::kTypeOf);
    const std::string* const property = element.Find(Mark::kProperty);
    const std::string* const resource = element.Find(Mark::kResource);
    const bool begins_item = types != nullptr || (resource != nullptr && property == nullptr);
    if (!begins_item && property == nullptr && names.vocabulary == nullptr && names.prefixes == nullptr) return;
    Open* const around = ItemAround();
    const std::vector<std::string> properties = PropertiesOf(property, names);
    if (!begins_item) {
      if (around != nullptr && !properties.empty()) AddValue(element, properties, around);
      // Only what holds others is needed later on.
      if (element.end > index + 1) open_.push_back({element.end, names, false, {}, 0, {}});
      return;
    }
    Open open = {element.end, names, true, {}, 0, {}};
    const bool is_inside = around != nullptr && !properties.empty() && open_.size() < kMostItemDepth / 2;
    if (is_inside) {
      open.properties = properties;
    } else {
      open.top = tops_.size();
      tops_.emplace_back();
    }
    for (const std::string_view type : types == nullptr ? std::vector<std::string_view>() : SplitWords(*types)) {
      Add("@type", ItemValue::String(TypeOf(type, names)), &open.named);
    }
    const std::string* id = resource;
    if (id == nullptr && types != nullptr && property != nullptr) id = element.Find(Mark::kUrl);
    if (id != nullptr && !id->empty()) Add("@id", ItemValue::String(ResolvedUrl(*id, base_)), &open.named);
    open_.push_back(std::move(open));
  }

  void Leave() {
    Open open = std::move(open_.back());
    open_.pop_back();
    if (!open.is_item) return;
    ItemValue item = ObjectOfProperties(std::move(open.named));
    Open* const around = ItemAround();
    if (open.properties.empty()) {
      tops_[open.top] = std::move(item);
    } else if (around != nullptr) {
      Add(open.properties.front(), std::move(item), &around->named);
    }
  }

  Open* ItemAround() {
    for (auto open = open_.rbegin(); open != open_.rend(); ++open) {
      if (open->is_item) return &*open;
    }
    return nullptr;
  }

  void AddValue(const MarkedElement& element, const std::vector<std::string>& properties, Open* item) {
    const size_t size = std::min(element.text.end - element.text.begin, kMostValueBytes);
    if (!budget_.Take(size + 16)) return;
    const ItemValue value = ValueOf(element);
    for (const std::string& name : properties) {
      if (!budget_.Take(value.text.size())) return;
      Add(name, value, &item->named);
    }
  }

  ItemValue ValueOf(const MarkedElement& element) const {
    if (const std::string* content = element.Find(Mark::kContent)) return Short(*content);
    for (const Mark mark : {Mark::kResource, Mark::kUrl}) {
      if (const std::string* url = element.Find(mark)) return Short(ResolvedUrl(*url, base_));
    }
    for (const Mark mark : {Mark::kDateTime, Mark::kValue}) {
      if (const std::string* value = element.Find(mark)) return Short(*value);
    }
    TextRange range = element.text;
    range.end = std::min(range.end, range.begin + kMostValueBytes);
    return ItemValue::String(parts_.TextOf(range));
  }
  static ItemValue Short(const std::string& value) { return ItemValue::String(std::string(ShortSchemaValue(value))); }

  static void Add(std::string name, ItemValue value, std::vector<ItemValue>* named) {
    value.name = std::move(name);
    named->push_back(std::move(value));
  }

  std::vector<std::string> PropertiesOf(const std::string* written, const Names& names) const {
    std::vector<std::string> properties;
    if (written == nullptr) return properties;
    for (const std::string_view word : SplitWords(*written)) {
      // Open Graph has an item of its own.
      if (VocabularyOfMeta(AsciiLower(word)) == MetaVocabulary::kOpenGraph || properties.size() == kMostNames) continue;
      std::string name(CutPrefix(word, names));
      if (name.starts_with('@') || std::find(properties.begin(), properties.end(), name) != properties.end()) continue;
      properties.push_back(std::move(name));
    }
    return properties;
  }

  static std::string TypeOf(std::string_view word, const Names& names) {
    const std::string_view name = CutPrefix(word, names);
    const bool is_term = name.size() == word.size() && name.find(':') == std::string_view::npos;
    if (!is_term || names.vocabulary == nullptr || IsSchemaVocabulary(*names.vocabulary)) return std::string(name);
    return *names.vocabulary + std::string(name);
  }

  // "s:Person" → "Person", where the prefixes have "s: http://schema.org/".
  static std::string_view CutPrefix(std::string_view word, const Names& names) {
    const std::string_view cut = ShortSchemaName(word);
    const size_t colon = word.find(':');
    if (cut.size() < word.size() || colon == std::string_view::npos || names.prefixes == nullptr) return cut;
    const std::vector<std::string_view> words = SplitWords(*names.prefixes);
    for (size_t i = 0; i + 1 < words.size(); i += 2) {
      if (words[i] == word.substr(0, colon + 1) && IsSchemaVocabulary(words[i + 1])) return word.substr(colon + 1);
    }
    return cut;
  }

  static constexpr size_t kMostNames = 16;

  const StructuredParts& parts_;
  const BaseUrl* const base_;
  ItemBudget& budget_;
  std::vector<Open> open_;
  std::vector<ItemValue> tops_;
};

}  // namespace

std::vector<ItemValue> ItemsOfRdfa(const StructuredParts& parts, const BaseUrl* base, ItemBudget* budget) {
  return Rdfa(parts, base, budget).TopItems();
}

}  // namespace trawl
