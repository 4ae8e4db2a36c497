#include "formats/structured/structured.h"

#include <utility>

#include "formats/structured/budget.h"
#include "formats/structured/json_block.h"
#include "formats/structured/json_ld.h"
#include "formats/structured/meta_names.h"
#include "formats/structured/microdata.h"
#include "formats/structured/rdfa.h"
#include "formats/structured/statements.h"
#include "formats/structured/value.h"

namespace trawl {
namespace {

// An item's types and id are columns of their own.
constexpr size_t kMostColumnBytes = 4 << 10;

std::string CutColumn(std::string text) {
  if (text.size() <= kMostColumnBytes) return text;
  size_t bytes = kMostColumnBytes;
  while (bytes > 0 && (static_cast<uint8_t>(text[bytes]) & 0xC0) == 0x80) --bytes;
  text.resize(bytes);
  return text;
}

class ItemList {
 public:
  void Add(ItemSyntax syntax, int32_t block, int32_t position, const std::string& repaired, const ItemValue& value) {
    if (is_full()) return;
    PageItem item;
    item.syntax = syntax;
    item.block = block;
    item.position = position;
    item.type = CutColumn(TypesOf(value));
    if (const ItemValue* id = value.Find("@id"); id != nullptr) item.id = CutColumn(std::string(id->Text()));
    item.json = JsonOf(value);
    item.repaired = repaired;
    bytes_ += item.json.size();
    if (bytes_ > kMostPageItemBytes) return Stop("more than 8 MiB of items: the rest was left out");
    items_.push_back(std::move(item));
  }
  void AddProblem(ItemSyntax syntax, int32_t block, std::string problem) {
    if (is_full()) return;
    PageItem& item = items_.emplace_back();
    item.syntax = syntax;
    item.block = block;
    item.problem = std::move(problem);
  }
  void Stop(std::string problem) {
    if (stopped_.empty()) stopped_ = std::move(problem);
  }
  bool is_full() {
    if (stopped_.empty() && items_.size() == kMostPageItems) stopped_ = "more than 1,000 items: the rest was left out";
    return !stopped_.empty();
  }

  std::vector<PageItem> Take(ItemSyntax last) {
    if (!stopped_.empty()) {
      PageItem& end = items_.emplace_back();
      end.syntax = last;
      end.block = -1;
      end.problem = std::move(stopped_);
    }
    return std::move(items_);
  }

 private:
  std::vector<PageItem> items_;
  size_t bytes_ = 0;
  std::string stopped_;
};

// One item of the page for each vocabulary of <meta> elements.
void AddMetas(const StructuredParts& parts, ItemList* list) {
  struct Vocabulary {
    MetaVocabulary vocabulary;
    ItemSyntax syntax;
    std::string_view type;
  };
  constexpr Vocabulary kVocabularies[] = {{MetaVocabulary::kOpenGraph, ItemSyntax::kOpenGraph, "og:type"},
                                          {MetaVocabulary::kTwitter, ItemSyntax::kTwitter, "twitter:card"},
                                          {MetaVocabulary::kDublinCore, ItemSyntax::kDublinCore, "dc.type"}};
  for (const Vocabulary& vocabulary : kVocabularies) {
    std::vector<ItemValue> named;
    std::string type;
    for (const NamedMeta& meta : parts.metas) {
      if (VocabularyOfMeta(meta.name) != vocabulary.vocabulary) continue;
      ItemValue& value = named.emplace_back(ItemValue::String(meta.content));
      value.name = meta.name;
      if (meta.name == vocabulary.type && type.empty()) type = meta.content;
    }
    if (named.empty()) continue;
    if (!type.empty()) {
      ItemValue& value = named.emplace_back(ItemValue::String(std::move(type)));
      value.name = "@type";
    }
    list->Add(vocabulary.syntax, 0, 0, {}, ObjectOfProperties(std::move(named)));
  }
}

void AddBlock(const std::string& text, int32_t number, ItemList* list, std::vector<StatedItem>* stated) {
  JsonBlock block = ReadJsonBlock(text);
  if (!block.value) return list->AddProblem(ItemSyntax::kJsonLd, number, std::move(block.problem));
  std::vector<ItemValue> items = ItemsOfJsonLd(std::move(*block.value), kMostPageItems);
  if (items.empty()) list->AddProblem(ItemSyntax::kJsonLd, number, "no item in it");
  int32_t position = 0;
  for (ItemValue& item : items) {
    if (list->is_full()) return;
    list->Add(ItemSyntax::kJsonLd, number, position++, block.repaired, item);
    stated->push_back({ItemSyntax::kJsonLd, std::move(item)});
  }
}

void AddMarkup(ItemSyntax syntax, std::vector<ItemValue> items, ItemList* list, std::vector<StatedItem>* stated) {
  int32_t position = 0;
  for (ItemValue& item : items) {
    if (list->is_full()) return;
    list->Add(syntax, 0, position++, {}, item);
    stated->push_back({syntax, std::move(item)});
  }
}

}  // namespace

std::string_view ItemSyntaxName(ItemSyntax syntax) {
  switch (syntax) {
    case ItemSyntax::kOpenGraph:
      return "opengraph";
    case ItemSyntax::kTwitter:
      return "twitter";
    case ItemSyntax::kDublinCore:
      return "dublincore";
    case ItemSyntax::kJsonLd:
      return "jsonld";
    case ItemSyntax::kMicrodata:
      return "microdata";
    case ItemSyntax::kRdfa:
      break;
  }
  return "rdfa";
}

StructuredPage ReadStructured(const StructuredParts& parts, const StructuredContext& context) {
  StructuredPage page;
  ItemList list;
  std::vector<StatedItem> stated;
  if (!parts.metas.empty()) AddMetas(parts, &list);
  for (size_t i = 0; i < parts.blocks.size(); ++i) AddBlock(parts.blocks[i], static_cast<int32_t>(i), &list, &stated);
  bool is_cut = parts.cut;
  if (!parts.elements.empty()) {
    for (const ItemSyntax syntax : {ItemSyntax::kMicrodata, ItemSyntax::kRdfa}) {
      ItemBudget budget;
      const auto items_of = syntax == ItemSyntax::kMicrodata ? ItemsOfMicrodata : ItemsOfRdfa;
      AddMarkup(syntax, items_of(parts, context.base, &budget), &list, &stated);
      is_cut |= budget.is_empty();
    }
  }
  if (is_cut) list.Stop("more structured data than a page may have: the rest was left out");
  page.statements = StatementsOf(parts, stated, context);
  page.items = list.Take(ItemSyntax::kMicrodata);
  return page;
}

}  // namespace trawl
