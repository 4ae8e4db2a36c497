#include "formats/rows/url_row.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <type_traits>

namespace trawl {
namespace {

UrlRow PlainRow() {
  UrlRow row;
  row.key = "com,a)/x";
  row.spelling = "https://a.com/x?utm_source=y";
  row.discovered_ms = row.due_ms = 1'767'225'600'000;
  row.via = "com,a)/";
  row.depth = 3;
  row.score = 200'000;
  row.inlinks = 7;
  return row;
}

TEST(UrlRow, SidecarOfAPlainRowSaysDepthAndInlinks) {
  const SidecarEntry entry = SidecarOf(PlainRow());
  EXPECT_TRUE(entry.plain);
  EXPECT_EQ(entry.state, static_cast<uint8_t>(UrlState::kUnfetched));
  EXPECT_EQ(entry.depth, 3);
  EXPECT_EQ(entry.inlinks, 7);
}

// Code that rewrites a plain row from a few columns must lose nothing: a row with any other field set is not plain.
TEST(UrlRow, AnyOtherFieldMakesItLessThanPlain) {
  const std::set<std::string> free = {"key", "spelling", "via", "depth", "score", "inlinks"};
  UrlRow row = PlainRow();
  UrlRow::VisitFields(row, [&](const char* name, auto& field, auto...) {
    using T = std::remove_reference_t<decltype(field)>;
    const T before = field;
    if constexpr (std::is_same_v<T, std::string>) {
      field += "x";
    } else if constexpr (std::is_same_v<T, bool>) {
      field = !field;
    } else {
      field = static_cast<T>(static_cast<int64_t>(field) + 1);
    }
    EXPECT_EQ(IsPlainLink(row), free.contains(name)) << name;
    field = before;
  });
  EXPECT_TRUE(IsPlainLink(row));
}

TEST(UrlRow, WhatTheSidecarCannotHoldIsNotPlain) {
  UrlRow row = PlainRow();
  row.depth = 255;
  row.inlinks = 65'535;
  EXPECT_TRUE(IsPlainLink(row));
  row.depth = 256;
  EXPECT_FALSE(IsPlainLink(row));
  row.depth = 0;
  row.inlinks = 65'536;
  EXPECT_FALSE(IsPlainLink(row));
}

}  // namespace
}  // namespace trawl
