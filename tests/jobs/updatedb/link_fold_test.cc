// What the links and sitemaps of a round say of one URL: as bytes, and folded into one whatever their order.
#include "jobs/updatedb/link_fold.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "formats/rows/times.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

TEST(LinkEvent, WordsComeBackAndCostNothingWhereThereAreNone) {
  std::string plain, worded;
  const LinkEvent link = {.counts = true, .depth = 3, .source_host = 7, .via = "com,a)/", .spelling = "http://a.com"};
  EncodeLinkEvent(link, &plain);
  LinkEvent entry = {.is_entry = true, .kind = UrlKind::kSitemap, .via = "com,a)/s.xml"};
  entry.words = {.priority = 1, .interval_ms = kHourMs, .lastmod_ms = 5};
  EncodeLinkEvent(entry, &worded);
  LinkEvent read;
  ASSERT_OK(DecodeLinkEvent(plain, &read));
  EXPECT_TRUE(read.counts && !read.is_entry && !read.is_named && !read.is_guess);
  EXPECT_EQ(read.spelling, "http://a.com");
  EXPECT_EQ(read.words, StatedWords());
  ASSERT_OK(DecodeLinkEvent(worded, &read));
  EXPECT_TRUE(read.is_entry && !read.counts);
  EXPECT_EQ(read.kind, UrlKind::kSitemap);
  EXPECT_EQ(read.via, "com,a)/s.xml");
  EXPECT_EQ(read.words, entry.words);
  for (size_t size = 0; size < worded.size() - entry.via.size(); ++size) {
    EXPECT_FALSE(DecodeLinkEvent(std::string_view(worded).substr(0, size), &read).ok()) << size;
  }
}

TEST(LinkFold, TheOrderOfSitemapsDoesNotMatter) {
  std::vector<LinkEvent> links = {
      {.counts = true, .depth = 2, .source_host = 1, .via = "com,b)/"},
      {.is_entry = true, .via = "com,a)/s2.xml", .words = {.priority = 800'000, .interval_ms = kDayMs}},
      {.is_entry = true, .via = "com,a)/s1.xml", .words = {.priority = 200'000, .lastmod_ms = 10}},
      {.is_entry = true, .via = "com,a)/s3.xml", .words = {.interval_ms = kHourMs, .lastmod_ms = 9}},
      {.is_guess = true, .kind = UrlKind::kSitemap}};
  std::vector<size_t> order = {0, 1, 2, 3, 4};
  int orders = 0;
  do {
    LinkFold fold;
    for (const size_t i : order) fold.Add(links[i]);
    const std::optional<LinkNews> news = fold.News();
    ASSERT_TRUE(news);
    EXPECT_EQ(news->depth, 0);
    EXPECT_EQ(news->via, "com,a)/s1.xml");
    EXPECT_EQ(news->sitemap, "com,a)/s1.xml");
    EXPECT_EQ(news->kind, UrlKind::kPage);
    EXPECT_EQ(news->words, (StatedWords{800'000, kHourMs, 10}));
    EXPECT_TRUE(news->is_entry && !news->is_guess);
    EXPECT_EQ(news->inlinks, 1);
    ++orders;
  } while (std::next_permutation(order.begin(), order.end()));
  EXPECT_EQ(orders, 120);
}

TEST(LinkFold, AGuessCountsWhereNothingElseNamesTheUrl) {
  LinkFold fold;
  fold.Add({.is_guess = true, .kind = UrlKind::kSitemap});
  ASSERT_TRUE(fold.News());
  EXPECT_TRUE(fold.News()->is_guess);
  EXPECT_EQ(fold.links(), 0);
  fold.Clear();
  EXPECT_FALSE(fold.News());
}

}  // namespace
}  // namespace trawl
