#include "formats/structured/statements.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "formats/markup/markup.h"
#include "formats/structured/dates.h"
#include "formats/structured/json_ld.h"
#include "formats/structured/meta_names.h"
#include "formats/structured/microdata.h"
#include "formats/structured/vocabulary.h"

namespace trawl {
namespace {

constexpr size_t kMostTextBytes = 1 << 10;
constexpr size_t kMostUrlBytes = 2 << 10;
constexpr size_t kMostTypesBytes = 1 << 10;
constexpr size_t kMostAuthors = 20;

// On one line; nothing for a text that is longer than such a text can be.
std::string Line(std::string_view text) {
  std::string line;
  if (text.size() > 4 * kMostTextBytes) return line;
  for (const std::string_view word : SplitWords(text)) {
    if (!line.empty()) line.push_back(' ');
    line += word;
  }
  std::erase_if(line, [](char c) { return static_cast<uint8_t>(c) < 0x20; });
  return line.size() > kMostTextBytes ? std::string() : line;
}

bool IsUrl(std::string_view text) { return text.starts_with("http://") || text.starts_with("https://"); }

// The first value of a property, if it has several.
const ItemValue* First(const ItemValue* value) {
  while (value != nullptr && value->is_array()) value = value->parts.empty() ? nullptr : &value->parts.front();
  return value;
}

class Statements {
 public:
  Statements(const StructuredParts& parts, const std::vector<StatedItem>& items, const StructuredContext& context)
      : parts_(parts), context_(context) {
    for (const StatedItem& item : items) Sort(item.syntax, item.value);
    for (const StatedItem& item : items) {
      if (const ItemValue* id = item.value.Find("@id")) by_id_.emplace_back(id->Text(), &item.value);
    }
    std::stable_sort(by_id_.begin(), by_id_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  }

  PageStatements Take() {
    TakePublished();
    TakeModified();
    TakeAuthor();
    TakeHeadline();
    TakeImage();
    TakeSiteName();
    out_.og_type = Line(MetaContent("og:type"));
    return std::move(out_);
  }

  void TakeTypes(const std::vector<StatedItem>& items) {
    std::set<std::string> types;
    for (const StatedItem& item : items) {
      const std::string joined = TypesOf(item.value);
      for (const std::string_view type : SplitWords(joined)) {
        if (type.size() <= 64 && type.find_first_of(":/") == std::string_view::npos) types.emplace(type);
      }
    }
    for (const std::string& type : types) {
      if (out_.schema_types.size() + type.size() >= kMostTypesBytes) return;
      if (!out_.schema_types.empty()) out_.schema_types.push_back(' ');
      out_.schema_types += type;
    }
  }

 private:
  struct Source {
    ItemSyntax syntax;
    const ItemValue* item;
  };

  void Sort(ItemSyntax syntax, const ItemValue& item) {
    for (const std::string_view type : TypesIn(item)) {
      if (IsArticleType(type)) {
        articles_.push_back({syntax, &item});
        break;
      }
      if (IsPageType(type)) {
        pages_.push_back({syntax, &item});
        const ItemValue* const main = First(item.Find("mainEntity"));
        if (main != nullptr && main->is_object()) Sort(syntax, *main);
        break;
      }
      if (type == "WebSite") sites_.push_back({syntax, &item});
    }
  }
  static std::vector<std::string_view> TypesIn(const ItemValue& item) {
    std::vector<std::string_view> types;
    const ItemValue* type = item.Find("@type");
    if (type == nullptr) return types;
    if (type->is_string()) types.push_back(type->text);
    for (const ItemValue& one : type->parts) types.push_back(one.Text());
    return types;
  }

  std::string_view MetaContent(std::string_view name) const {
    for (const NamedMeta& meta : parts_.metas) {
      if (meta.name == name) return meta.content;
    }
    return {};
  }

  // Calls `take(item, syntax)` for items of one kind and syntax until it is satisfied.
  template <typename Take>
  static bool Any(const std::vector<Source>& sources, bool of_json, const Take& take) {
    return std::any_of(sources.begin(), sources.end(), [&](const Source& source) {
      return (source.syntax == ItemSyntax::kJsonLd) == of_json && take(*source.item, ItemSyntaxName(source.syntax));
    });
  }
  template <size_t N, typename Take>
  bool AnyMeta(const std::string_view (&names)[N], const Take& take) const {
    return std::any_of(std::begin(names), std::end(names), [&](std::string_view name) {
      const std::string_view content = MetaContent(name);
      return !content.empty() && take(content, "meta");
    });
  }
  // The text of an element that has this property, whatever item it belongs to.
  template <typename Take>
  bool AnyStray(std::string_view property, const Take& take) const {
    for (const MarkedElement& element : parts_.elements) {
      const std::string* names = element.Find(Mark::kItemProp);
      if (names == nullptr || *names != property || element.Has(Mark::kItemScope)) continue;
      return take(ValueOfMicrodata(parts_, element, context_.base).text, "microdata");
    }
    return false;
  }

  void TakePublished() {
    const auto take = [&](std::string_view text, std::string_view from) {
      const std::optional<int64_t> date = PageDateMs(text, context_.fetched_ms);
      if (date) out_.published_ms = *date;
      if (date) out_.published_from = from;
      return date.has_value();
    };
    const auto take_item = [&](const ItemValue& item, std::string_view from) {
      return Text(item, "datePublished", take, from) || Text(item, "dateCreated", take, from);
    };
    if (Any(articles_, true, take_item) || take(MetaContent("article:published_time"), "opengraph") ||
        Any(articles_, false, take_item) || AnyStray("datePublished", take) || Any(pages_, true, take_item) ||
        Any(pages_, false, take_item) || AnyMeta(kPublishedMetas, take) || AnyTime(take)) {
      return;
    }
    Url url;
    if (!url.Parse(context_.page_url)) return;
    const std::optional<int64_t> date = DateOfPathMs(url.path(), context_.fetched_ms);
    if (!date) return;
    out_.published_ms = *date;
    out_.published_from = "url";
  }

  void TakeModified() {
    const auto take = [&](std::string_view text, std::string_view from) {
      const std::optional<int64_t> date = PageDateMs(text, context_.fetched_ms);
      if (date) out_.modified_ms = *date;
      if (date) out_.modified_from = from;
      return date.has_value();
    };
    const auto take_item = [&](const ItemValue& item, std::string_view from) {
      return Text(item, "dateModified", take, from);
    };
    const bool done = Any(articles_, true, take_item) || take(MetaContent("article:modified_time"), "opengraph") ||
                      take(MetaContent("og:updated_time"), "opengraph") || Any(articles_, false, take_item) ||
                      AnyStray("dateModified", take) || Any(pages_, true, take_item) || Any(pages_, false, take_item) ||
                      AnyMeta(kModifiedMetas, take);
    static_cast<void>(done);
  }

  // The times of a list of articles are those of its articles, not that of the page.
  template <typename Take>
  bool AnyTime(const Take& take) const {
    if (parts_.articles > 1) return false;
    for (const PageTime& time : parts_.times) {
      if (parts_.articles == 1 && !time.in_article) continue;
      if (take(time.datetime.empty() ? parts_.TextOf(Short(time.text)) : time.datetime, "time")) return true;
    }
    return false;
  }
  static TextRange Short(TextRange range) {
    constexpr uint32_t kMostTimeBytes = 256;
    range.end = std::min(range.end, range.begin + kMostTimeBytes);
    return range;
  }

  template <typename Take>
  static bool Text(const ItemValue& item, std::string_view property, const Take& take, std::string_view from) {
    const ItemValue* value = First(item.Find(property));
    // {"@type": "DateTime", "@value": "2026-01-02"}
    if (value != nullptr && value->is_object()) value = First(value->Find("@value"));
    return value != nullptr && take(value->Text(), from);
  }

  void TakeAuthor() {
    const auto take = [&](std::string_view text, std::string_view from) {
      std::string line = Line(text);
      if (line.empty() || IsUrl(line)) return false;
      out_.author = std::move(line);
      out_.author_from = from;
      return true;
    };
    const auto take_item = [&](const ItemValue& item, std::string_view from) {
      return take(NamesOf(item.Find("author")), from) || take(NamesOf(item.Find("creator")), from);
    };
    const bool done = Any(articles_, true, take_item) || take(MetaContent("article:author"), "opengraph") ||
                      Any(articles_, false, take_item) || AnyStray("author", take) || Any(pages_, true, take_item) ||
                      Any(pages_, false, take_item) || AnyMeta(kAuthorMetas, take);
    static_cast<void>(done);
  }

  // The names of people: texts, items with a name, or references to such items.
  std::string NamesOf(const ItemValue* people) const {
    std::vector<std::string> names;
    const auto add = [&](const ItemValue& person) {
      std::string name = Line(NameOf(person));
      if (name.empty() || names.size() == kMostAuthors) return;
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
    };
    if (people != nullptr && people->is_array()) {
      for (const ItemValue& person : people->parts) add(person);
    } else if (people != nullptr) {
      add(*people);
    }
    std::string joined;
    for (const std::string& name : names) joined += (joined.empty() ? "" : ", ") + name;
    return joined;
  }
  std::string_view NameOf(const ItemValue& person) const {
    if (!person.is_object()) return IsUrl(person.Text()) ? std::string_view() : person.Text();
    const ItemValue* name = First(person.Find("name"));
    if (name == nullptr) {
      const ItemValue* const whole = ItemOfId(person);
      if (whole != nullptr) name = First(whole->Find("name"));
    }
    return name == nullptr ? std::string_view() : name->Text();
  }
  const ItemValue* ItemOfId(const ItemValue& reference) const {
    const ItemValue* const id = reference.Find("@id");
    if (id == nullptr || id->Text().empty()) return nullptr;
    const auto found = std::lower_bound(by_id_.begin(), by_id_.end(), id->Text(),
                                        [](const auto& entry, std::string_view text) { return entry.first < text; });
    return found == by_id_.end() || found->first != id->Text() ? nullptr : found->second;
  }

  void TakeHeadline() {
    const auto take = [&](std::string_view text, std::string_view from) {
      out_.headline = Line(text);
      if (!out_.headline.empty()) out_.headline_from = from;
      return !out_.headline.empty();
    };
    const auto take_item = [&](const ItemValue& item, std::string_view from) {
      return Text(item, "headline", take, from) || Text(item, "name", take, from);
    };
    const auto take_headline = [&](const ItemValue& item, std::string_view from) {
      return Text(item, "headline", take, from);
    };
    const bool done = Any(articles_, true, take_item) || take(MetaContent("og:title"), "opengraph") ||
                      take(MetaContent("twitter:title"), "twitter") || Any(articles_, false, take_item) ||
                      AnyStray("headline", take) || Any(pages_, true, take_headline) || AnyMeta(kHeadlineMetas, take);
    static_cast<void>(done);
  }

  void TakeImage() {
    const auto take = [&](std::string_view text, std::string_view from) {
      if (text.empty() || text.size() > kMostUrlBytes) return false;
      std::string url = ResolvedUrl(std::string(text), context_.base);
      if (!IsUrl(url) || url.size() > kMostUrlBytes) return false;
      out_.image = std::move(url);
      out_.image_from = from;
      return true;
    };
    const auto take_item = [&](const ItemValue& item, std::string_view from) {
      return take(ImageOf(First(item.Find("image"))), from) || take(ImageOf(First(item.Find("thumbnailUrl"))), from);
    };
    bool done = Any(articles_, true, take_item);
    for (const char* name : {"og:image:secure_url", "og:image", "og:image:url"}) {
      done = done || take(MetaContent(name), "opengraph");
    }
    for (const char* name : {"twitter:image", "twitter:image:src"}) done = done || take(MetaContent(name), "twitter");
    done = done || Any(articles_, false, take_item) || AnyStray("image", take) || Any(pages_, true, take_item) ||
           Any(pages_, false, take_item) || AnyMeta(kImageMetas, take);
    static_cast<void>(done);
  }
  std::string_view ImageOf(const ItemValue* image) const {
    if (image == nullptr || !image->is_object()) return image == nullptr ? std::string_view() : image->Text();
    for (const ItemValue* const one : {image, ItemOfId(*image)}) {
      for (const char* name : {"url", "contentUrl"}) {
        const ItemValue* url = one == nullptr ? nullptr : First(one->Find(name));
        if (url != nullptr && url->is_object()) url = First(url->Find("@id"));
        if (url != nullptr && !url->Text().empty()) return url->Text();
      }
    }
    return {};
  }

  void TakeSiteName() {
    const auto take = [&](std::string_view text, std::string_view from) {
      out_.site_name = Line(text);
      if (!out_.site_name.empty()) out_.site_name_from = from;
      return !out_.site_name.empty();
    };
    const auto take_name = [&](const ItemValue& item, std::string_view from) { return Text(item, "name", take, from); };
    const auto take_publisher = [&](const ItemValue& item, std::string_view from) {
      return take(NamesOf(item.Find("publisher")), from);
    };
    const bool done = take(MetaContent("og:site_name"), "opengraph") || Any(sites_, true, take_name) ||
                      Any(sites_, false, take_name) || Any(articles_, true, take_publisher) ||
                      Any(articles_, false, take_publisher) || take(MetaContent("application-name"), "meta");
    static_cast<void>(done);
  }

  const StructuredParts& parts_;
  const StructuredContext& context_;
  std::vector<Source> articles_, pages_, sites_;
  std::vector<std::pair<std::string_view, const ItemValue*>> by_id_;
  PageStatements out_;
};

}  // namespace

PageStatements StatementsOf(const StructuredParts& parts, const std::vector<StatedItem>& items,
                            const StructuredContext& context) {
  Statements statements(parts, items, context);
  statements.TakeTypes(items);
  return statements.Take();
}

}  // namespace trawl
