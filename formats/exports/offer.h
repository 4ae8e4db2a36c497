// Price, currency, availability and rating of an item, whatever its syntax. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace trawl {

// Each as the page writes it; empty where the item has none. Values of schema.org are short: "InStock".
struct ItemOffer {
  std::string price;
  std::string currency;
  std::string availability;
  std::string rating;

  bool operator==(const ItemOffer&) const = default;
};

// An offer is a part of the item, or the item itself. Of several offers the first one counts; a range of prices counts by its
// lowest one. `json` is that of an item (structured.h).
ItemOffer OfferOfItem(std::string_view json);

}  // namespace trawl
