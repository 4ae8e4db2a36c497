#include "formats/exports/offer.h"

#include <initializer_list>

#include "formats/structured/json_block.h"
#include "formats/structured/value.h"

namespace trawl {
namespace {

const ItemValue* First(const ItemValue* value) {
  while (value != nullptr && value->is_array()) value = value->parts.empty() ? nullptr : &value->parts.front();
  return value;
}

// The text of the first of these members that has one.
void Take(const ItemValue* item, std::initializer_list<std::string_view> names, std::string* out) {
  for (const std::string_view name : names) {
    const ItemValue* value = item == nullptr || !out->empty() ? nullptr : First(item->Find(name));
    // {"@type": "QuantitativeValue", "value": 7}; {"@id": "InStock"}
    if (value != nullptr && value->is_object()) {
      const ItemValue* inner = First(value->Find("value"));
      value = inner != nullptr ? inner : First(value->Find("@id"));
    }
    if (value != nullptr) *out = std::string(value->Text());
  }
}

void TakeOffer(const ItemValue* offer, ItemOffer* out) {
  if (offer == nullptr || !offer->is_object()) return;
  const ItemValue* const specification = First(offer->Find("priceSpecification"));
  for (const ItemValue* const part : {offer, specification}) {
    Take(part, {"price", "lowPrice", "minPrice"}, &out->price);
    Take(part, {"priceCurrency"}, &out->currency);
  }
  Take(offer, {"availability"}, &out->availability);
}

}  // namespace

ItemOffer OfferOfItem(std::string_view json) {
  ItemOffer found;
  const JsonBlock block = ReadJsonBlock(json);
  if (!block.value) return found;
  const ItemValue* const item = &*block.value;
  const ItemValue* const offer = First(item->Find("offers"));
  TakeOffer(offer, &found);
  // An AggregateOffer may have its offers inside.
  if (found.price.empty() && offer != nullptr) TakeOffer(First(offer->Find("offers")), &found);
  TakeOffer(item, &found);
  Take(item, {"product:price:amount", "og:price:amount"}, &found.price);
  Take(item, {"product:price:currency", "og:price:currency"}, &found.currency);
  Take(item, {"product:availability", "og:availability"}, &found.availability);
  const ItemValue* rating = First(item->Find("aggregateRating"));
  if (rating == nullptr) rating = First(item->Find("reviewRating"));
  Take(rating, {"ratingValue"}, &found.rating);
  Take(item, {"ratingValue"}, &found.rating);
  return found;
}

}  // namespace trawl
