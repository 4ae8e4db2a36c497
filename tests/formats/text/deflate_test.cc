#include "formats/text/deflate.h"

#include <gtest/gtest.h>

#include <string>

#include "formats/text/gzip.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

std::string Gunzipped(std::string_view member) {
  const auto gunzip = *GunzipMembers::Make();
  std::string text;
  while (true) {
    const GunzipMembers::Step step = gunzip->Read(&member, &text);
    if (step == GunzipMembers::Step::kMemberEnd) return member.empty() ? text : "more";
    if (step != GunzipMembers::Step::kFull) return "no end";
  }
}

TEST(GzipMembers, TheHeaderSaysNothingOfTimeAndPlace) {
  ASSERT_OK_AND_ASSIGN(GzipMembers members, GzipMembers::Make(6));
  ASSERT_OK_AND_ASSIGN(const std::string_view member, members.MemberOf("text"));
  EXPECT_EQ(member.substr(0, 10), std::string_view("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff", 10));
}

TEST(GzipMembers, WhatIsCompressedBeforeChangesNothing) {
  ASSERT_OK_AND_ASSIGN(GzipMembers members, GzipMembers::Make(6));
  std::string large(size_t{20} << 20, '\0');
  for (size_t i = 0; i < large.size(); ++i) large[i] = static_cast<char>((i * 2654435761U) >> 13);
  const std::string texts[] = {"", "text", large, std::string(100, 'x'), "text"};
  for (const std::string& text : texts) {
    ASSERT_OK_AND_ASSIGN(const std::string_view view, members.MemberOf(text));
    const std::string member(view);
    EXPECT_EQ(Gunzipped(member), text);
    ASSERT_OK_AND_ASSIGN(GzipMembers others, GzipMembers::Make(6));
    ASSERT_OK_AND_ASSIGN(const std::string_view same, others.MemberOf(text));
    EXPECT_EQ(member, same);
  }
}

TEST(GzipMembers, LevelsGoFromOneToTwelve) {
  EXPECT_FALSE(GzipMembers::Make(0).ok());
  EXPECT_FALSE(GzipMembers::Make(13).ok());
  EXPECT_OK(GzipMembers::Make(12));
}

}  // namespace
}  // namespace trawl
