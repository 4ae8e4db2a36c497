#include "formats/exports/offer.h"

#include <gtest/gtest.h>

namespace trawl {
namespace {

TEST(ItemOffer, EachWayToStateAPrice) {
  struct Case {
    const char* json;
    ItemOffer offer;
  };
  const Case kCases[] = {
      {R"({"@type":"Product","offers":{"price":12.50,"priceCurrency":"EUR","availability":"InStock"}})",
       {"12.50", "EUR", "InStock", ""}},
      {R"({"offers":[{"price":"1.999,00"},{"price":"7"}],"aggregateRating":{"ratingValue":4.40}})",
       {"1.999,00", "", "", "4.40"}},
      {R"({"offers":{"@type":"AggregateOffer","lowPrice":"10","highPrice":"20","priceCurrency":"USD"}})",
       {"10", "USD", "", ""}},
      {R"({"offers":{"@type":"AggregateOffer","offers":[{"price":5,"priceCurrency":"CHF"}]}})", {"5", "CHF", "", ""}},
      {R"({"@type":"Offer","priceSpecification":{"price":"3.10","priceCurrency":"GBP"},"availability":{"@id":"SoldOut"}})",
       {"3.10", "GBP", "SoldOut", ""}},
      {R"({"product:price:amount":"9.90","product:price:currency":"EUR","product:availability":"instock"})",
       {"9.90", "EUR", "instock", ""}},
      {R"({"@type":"Review","reviewRating":{"ratingValue":"3"}})", {"", "", "", "3"}},
      {R"({"@type":"Rating","ratingValue":"4"})", {"", "", "", "4"}},
      {R"({"@type":"Article","offers":"none"})", {}},
      {"", {}},
  };
  for (const Case& c : kCases) EXPECT_EQ(OfferOfItem(c.json), c.offer) << c.json;
}

}  // namespace
}  // namespace trawl
