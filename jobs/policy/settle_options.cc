#include "jobs/policy/settle_options.h"

namespace trawl {

const OptionGroup<SettleOptions>& SettleOptionGroup() {
  static const auto group =
      OptionGroup<SettleOptions>("settle", "How duplicates are found, and what becomes of them")
          .Choice("near", &SettleOptions::near_policy,
                  "pages with nearly the same text: mark them and fetch on, treat them as duplicates, or do not look",
                  {{"mark", NearPolicy::kMark}, {"duplicate", NearPolicy::kDuplicate}, {"none", NearPolicy::kNone}})
          .Main()
          .Int("distance", &SettleOptions::distance,
               "most bits in which the fingerprints of two near texts differ, of 64; over 6 the cost may come near "
               "that of comparing all pairs",
               Between(0, 10))
          .Main()
          .Int("tokens", &SettleOptions::tokens,
               "words that a text needs for a fingerprint; shorter ones are compared exactly only. Read by parse",
               Between(1, 10'000))
          .Bool("second_look", &SettleOptions::second_look,
                "texts whose fingerprints are near count as near only where a second look does not tell that they are "
                "other texts in the same template")
          .Choice("store", &SettleOptions::store,
                  "stored once: a body that is the same byte for byte, or also that of pages whose cleaned content is "
                  "the same (what differs outside the content is lost)",
                  {{"body", StoreOnce::kBody}, {"content", StoreOnce::kContent}})
          .Bool("enabled", &SettleOptions::enabled, "trawl crawl and trawl round settle duplicates by themselves");
  return group;
}

}  // namespace trawl
