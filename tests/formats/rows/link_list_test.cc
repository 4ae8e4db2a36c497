// Lists of links: what is written is read, within limits, and damaged bytes are no list.
#include "formats/rows/link_list.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

struct Link {
  std::string key, how, text;
  bool nofollow = false;
  bool operator==(const Link&) const = default;
};

arrow::Result<std::vector<Link>> Read(std::string_view bytes) {
  std::vector<Link> links;
  ARROW_RETURN_NOT_OK(ForEachListedLink(bytes, [&links](const ListedLink& link) {
    links.push_back({std::string(link.key), std::string(link.how), std::string(link.text), link.nofollow});
    return arrow::Status::OK();
  }));
  return links;
}

TEST(LinkList, ReadsWhatWasWritten) {
  const std::vector<Link> links = {{"com,a)/", "a", "home", false},
                                   {"com,a)/long/path?x=1", "canonical", "", true},
                                   {"com,a)/", "area", std::string(200, 'x'), false},
                                   {"org,b)http:8080/", "", "\xC3\xA4", true}};
  LinkListWriter list;
  for (const Link& link : links) EXPECT_TRUE(list.Add({link.key, link.how, link.text, link.nofollow}));
  EXPECT_EQ(list.links(), 4);
  ASSERT_OK_AND_ASSIGN(const std::vector<Link> read, Read(list.bytes()));
  EXPECT_EQ(read, links);
  list.Clear();
  EXPECT_TRUE(list.bytes().empty());
  EXPECT_TRUE(Read("")->empty());
}

TEST(LinkList, EndsAtItsLimitsAndStaysEnded) {
  LinkListWriter many;
  for (int i = 0; i < kMostListedLinks; ++i) ASSERT_TRUE(many.Add({.key = "com,a)/" + std::to_string(i)}));
  EXPECT_FALSE(many.Add({.key = "com,a)/x"}));
  EXPECT_EQ(many.links(), kMostListedLinks);
  LinkListWriter large;
  int32_t added = 0;
  // Keys that share nothing with the one before.
  while (large.Add({.key = std::string(2000, static_cast<char>('a' + added % 2)) + ")/"})) ++added;
  EXPECT_EQ(large.links(), added);
  EXPECT_LE(large.bytes().size(), kMostLinkListBytes);
  EXPECT_GT(large.bytes().size(), kMostLinkListBytes - 3000);
  EXPECT_FALSE(large.Add({.key = "com,a)/"})) << "a short link after the end would make a hole";
}

TEST(LinkList, CutsATextBetweenCharacters) {
  std::string text(kMostAnchorBytes - 1, 'x');
  text += "\xE2\x82\xAC";
  EXPECT_EQ(CutAnchor(text), std::string(kMostAnchorBytes - 1, 'x'));
  EXPECT_EQ(CutAnchor("short"), "short");
}

TEST(LinkList, DamagedBytesAreInvalid) {
  LinkListWriter list;
  list.Add({.key = "com,a)/a", .how = "a", .text = "text"});
  list.Add({.key = "com,a)/b", .how = "a", .text = "text"});
  const std::string whole(list.bytes());
  int whole_lists = 0;
  for (size_t size = 1; size < whole.size(); ++size) whole_lists += Read(whole.substr(0, size)).ok() ? 1 : 0;
  EXPECT_EQ(whole_lists, 1) << "after the first link alone";
  EXPECT_FALSE(Read(std::string("\x05", 1) + whole.substr(1)).ok()) << "shares bytes with no key";
  EXPECT_FALSE(Read(std::string(8, '\xFF')).ok());
}

}  // namespace
}  // namespace trawl
