#include "formats/scope/loops.h"

#include <gtest/gtest.h>

namespace trawl {
namespace {

TEST(UrlLoops, AGroupOfUpToEightSegmentsThreeTimesInSuccession) {
  struct {
    const char* path;
    bool repeated;
  } cases[] = {
      {"/", false},
      {"/a", false},
      {"/a/a", false},
      {"/a/a/", false},
      {"/a/a/a", true},
      {"/x/a/a/a/y", true},
      {"/a/a/b/a", false},
      {"/a/b/a/b/a", false},
      {"/a/b/a/b/a/b", true},
      {"/x/y/a/b/a/b/a/b/z", true},
      {"/a/b/c/a/b/c/a/b/d", false},
      {"/a/b/c/a/b/c/a/b/c", true},
      {"/1/2/3/4/5/6/7/8/1/2/3/4/5/6/7/8/1/2/3/4/5/6/7/8", true},
      {"/1/2/3/4/5/6/7/8/1/2/3/4/5/6/7/8/1/2/3/4/5/6/7/9", false},
      {"/1/2/3/4/5/6/7/8/9/1/2/3/4/5/6/7/8/9/1/2/3/4/5/6/7/8/9", false},
      {"/a//b", false},
      {"/a////b", true},
      {"/a/ab/abc", false},
      {"", false},
  };
  for (const auto& c : cases) EXPECT_EQ(!RepeatedSegments(c.path, 3).empty(), c.repeated) << c.path;
}

TEST(UrlLoops, SayWhatRepeatsAndHowOftenItMay) {
  EXPECT_EQ(RepeatedSegments("/x/a/b/a/b/a/b/y", 3), "/a/b/a/b/a/b");
  EXPECT_EQ(RepeatedSegments("/a/a/a", 3), "/a/a/a");
  EXPECT_EQ(RepeatedSegments("/a/b/a/b", 2), "/a/b/a/b");
  EXPECT_EQ(RepeatedSegments("/a/b/a/b/a/b", 4), "");
  EXPECT_EQ(RepeatedSegments("/a/b/a/b/a/b/a/b", 4), "/a/b/a/b/a/b/a/b");
  EXPECT_EQ(RepeatedSegments("/a/a/a/a/a/a/a/a", 0), "");
  EXPECT_EQ(RepeatedSegments("/a/a", 1), "");
}

}  // namespace
}  // namespace trawl
