#include "formats/structured/microdata.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include "formats/markup/markup.h"
#include "formats/structured/vocabulary.h"

namespace trawl {
namespace {

// A longer text is no fact that somebody looks up; the text of the page has it.
constexpr uint32_t kMostValueBytes = 256 << 10;

class Microdata {
 public:
  Microdata(const StructuredParts& parts, const BaseUrl* base, ItemBudget* budget)
      : parts_(parts), base_(base), budget_(*budget), crawled_(parts.elements.size(), 0) {}

  std::vector<ItemValue> TopItems() {
    std::vector<ItemValue> items;
    for (uint32_t i = 0; i < parts_.elements.size() && !budget_.is_empty(); ++i) {
      const MarkedElement& element = parts_.elements[i];
      if (element.Has(Mark::kItemScope) && !element.Has(Mark::kItemProp)) items.push_back(ItemAt(i));
    }
    return items;
  }

 private:
  ItemValue ItemAt(uint32_t index) {
    const MarkedElement& element = parts_.elements[index];
    std::vector<ItemValue> named;
    AddTypes(element, &named);
    if (const std::string* id = element.Find(Mark::kItemId); id != nullptr && !id->empty()) {
      Add("@id", ItemValue::String(ResolvedUrl(*id, base_)), &named);
    }
    path_.push_back(index);
    for (const uint32_t property : PropertiesOf(index)) AddProperty(parts_.elements[property], property, &named);
    path_.pop_back();
    return ObjectOfProperties(std::move(named));
  }

  static void Add(std::string name, ItemValue value, std::vector<ItemValue>* named) {
    value.name = std::move(name);
    named->push_back(std::move(value));
  }

  static void AddTypes(const MarkedElement& element, std::vector<ItemValue>* named) {
    const std::string* types = element.Find(Mark::kItemType);
    if (types == nullptr) return;
    for (const std::string_view type : SplitWords(*types)) {
      Add("@type", ItemValue::String(std::string(ShortSchemaName(type))), named);
    }
  }

  void AddProperty(const MarkedElement& element, uint32_t index, std::vector<ItemValue>* named) {
    const std::vector<std::string_view> names = SplitWords(*element.Find(Mark::kItemProp));
    if (names.empty() || budget_.is_empty()) return;
    ItemValue value;
    if (!element.Has(Mark::kItemScope)) {
      // Paid before it is made.
      const size_t size = std::min(element.text.end - element.text.begin, kMostValueBytes);
      if (!budget_.Take(size * names.size() + 16)) return;
      value = ValueOfMicrodata(parts_, element, base_);
      if (!budget_.Take(value.text.size())) return;
    } else if (std::find(path_.begin(), path_.end(), index) != path_.end() || path_.size() >= kMostPath) {
      const std::string* id = element.Find(Mark::kItemId);
      if (id == nullptr || id->empty()) return;
      value = ItemValue::Object();
      Add("@id", ItemValue::String(ResolvedUrl(*id, base_)), &value.parts);
    } else {
      value = ItemAt(index);
    }
    // A word that is repeated is one name.
    for (size_t i = 0; i < names.size() && i < kMostNames; ++i) {
      const std::string_view name = ShortSchemaName(names[i]);
      if (name.starts_with('@') || std::find(names.begin(), names.begin() + i, names[i]) != names.begin() + i) continue;
      if (!value.is_object() && i > 0 && !budget_.Take(value.text.size())) return;
      // An item is not written once more for another of its names.
      if (value.is_object() && i > 0) return;
      Add(std::string(name), value, named);
    }
  }

  // "To crawl the properties of an item" (5.2.5), in the order of the page.
  std::vector<uint32_t> PropertiesOf(uint32_t root) {
    const uint32_t crawl = ++crawls_;
    crawled_[root] = crawl;
    std::vector<uint32_t> properties;
    Crawl(root + 1, parts_.elements[root].end, crawl, &properties);
    const std::string* references = parts_.elements[root].Find(Mark::kItemRef);
    if (references == nullptr) return properties;
    for (const std::string_view id : SplitWords(*references)) {
      if (!budget_.Visit()) break;
      const uint32_t index = ElementOfId(std::string(id));
      if (index != MarkedElement::kNone) Crawl(index, parts_.elements[index].end, crawl, &properties);
    }
    std::sort(properties.begin(), properties.end());
    return properties;
  }

  // Takes the elements from `begin` to `end`, which lie in one another or after one another.
  void Crawl(uint32_t begin, uint32_t end, uint32_t crawl, std::vector<uint32_t>* properties) {
    for (uint32_t i = begin; i < end && budget_.Visit();) {
      const MarkedElement& element = parts_.elements[i];
      if (crawled_[i] == crawl) {
        i = element.end;
        continue;
      }
      crawled_[i] = crawl;
      if (element.Has(Mark::kItemProp)) properties->push_back(i);
      i = element.Has(Mark::kItemScope) ? element.end : i + 1;
    }
  }

  uint32_t ElementOfId(const std::string& id) {
    if (ids_.empty()) {
      for (uint32_t i = 0; i < parts_.elements.size(); ++i) {
        const std::string* own = parts_.elements[i].Find(Mark::kId);
        if (own != nullptr) ids_.emplace(*own, i);
      }
      ids_.emplace(std::string(), MarkedElement::kNone);
    }
    const auto found = ids_.find(id);
    return found == ids_.end() ? MarkedElement::kNone : found->second;
  }

  // With what stands around an item, a value stays within kMostItemDepth.
  static constexpr size_t kMostPath = kMostItemDepth / 2;
  static constexpr size_t kMostNames = 16;

  const StructuredParts& parts_;
  const BaseUrl* const base_;
  ItemBudget& budget_;
  // The last crawl that saw an element.
  std::vector<uint32_t> crawled_;
  uint32_t crawls_ = 0;
  // The items that are being made, each inside the one before.
  std::vector<uint32_t> path_;
  std::unordered_map<std::string, uint32_t> ids_;
};

}  // namespace

std::string ResolvedUrl(const std::string& written, const BaseUrl* base) {
  Url url;
  return base != nullptr && url.Resolve(written, *base) ? std::string(url.href()) : written;
}

ItemValue ValueOfMicrodata(const StructuredParts& parts, const MarkedElement& element, const BaseUrl* base) {
  const std::string* const content = element.Find(Mark::kContent);
  const std::string* value = nullptr;
  switch (element.tag) {
    case HtmlTag::kMeta:
      return ItemValue::String(content == nullptr ? std::string() : *content);
    case HtmlTag::kA:
    case HtmlTag::kArea:
    case HtmlTag::kAudio:
    case HtmlTag::kEmbed:
    case HtmlTag::kIframe:
    case HtmlTag::kImg:
    case HtmlTag::kLink:
    case HtmlTag::kObject:
    case HtmlTag::kSource:
    case HtmlTag::kTrack:
    case HtmlTag::kVideo: {
      const std::string* url = element.Find(Mark::kUrl);
      if (url == nullptr && content != nullptr) url = content;
      if (url == nullptr || url->empty()) return ItemValue::String({});
      return ItemValue::String(std::string(ShortSchemaValue(ResolvedUrl(*url, base))));
    }
    case HtmlTag::kData:
    case HtmlTag::kMeter:
      value = element.Find(Mark::kValue);
      break;
    case HtmlTag::kTime:
      value = element.Find(Mark::kDateTime);
      break;
    default:
      break;
  }
  if (value == nullptr) value = content;
  if (value != nullptr) return ItemValue::String(std::string(ShortSchemaValue(*value)));
  TextRange range = element.text;
  range.end = std::min(range.end, range.begin + kMostValueBytes);
  return ItemValue::String(parts.TextOf(range));
}

std::vector<ItemValue> ItemsOfMicrodata(const StructuredParts& parts, const BaseUrl* base, ItemBudget* budget) {
  return Microdata(parts, base, budget).TopItems();
}

}  // namespace trawl
