// Which segment holds a domain, and until when.
#include "jobs/segment/held_domains.h"

#include <gtest/gtest.h>

#include "tests/support/crawl/segment_fixture.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

TEST(HeldDomains, TheHolderIsTheOpenSegmentThatListsTheDomain) {
  SegmentFixture crawl;
  ASSERT_OK(crawl.Put<UrlRow>({UnfetchedRow("com,a)/"), UnfetchedRow("com,a,www)/")}));
  ASSERT_OK(crawl.Generate("s1", crawl.now_ms).status());
  ASSERT_OK(crawl.Put<UrlRow>({UnfetchedRow("com,b)/")}));
  ASSERT_OK(crawl.Generate("s2", crawl.now_ms + 1).status());
  const Manifest present = crawl.Present();
  ASSERT_EQ(present.open_segments.size(), 2U);

  ASSERT_OK_AND_ASSIGN(const HeldDomains held, HeldDomains::Read(crawl.store(), present, crawl.now_ms));
  for (const char* const host : {"com,a", "com,a,www", "com,b"}) {
    const OpenSegment& open = present.open_segments[host == std::string_view("com,b") ? 1 : 0];
    const DomainHolder* const holder = held.HolderOf(HoldingDomainOf(host));
    ASSERT_NE(holder, nullptr) << host;
    EXPECT_EQ(holder->segment, open.id) << host;
    EXPECT_EQ(holder->until_ms, open.until_ms) << host;
  }
  EXPECT_EQ(held.HolderOf("com,c"), nullptr);

  ASSERT_OK_AND_ASSIGN(const HeldDomains later,
                       HeldDomains::Read(crawl.store(), present, present.open_segments[0].until_ms));
  EXPECT_EQ(later.HolderOf("com,a"), nullptr) << "an expired segment holds nothing";
  EXPECT_NE(later.HolderOf("com,b"), nullptr);
}

}  // namespace
}  // namespace trawl
