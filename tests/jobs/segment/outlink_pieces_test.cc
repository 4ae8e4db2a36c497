// The links of a page, from pieces in any order.
#include "jobs/segment/outlink_pieces.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

std::string Piece(int64_t place, const std::vector<std::string>& targets) {
  OutlinkPieceMaker piece;
  piece.Begin(place);
  for (const std::string& target : targets) {
    LinkRow link;
    link.to = target;
    link.how = "a";
    piece.Add(link);
  }
  std::string bytes;
  piece.Encode(&bytes);
  return bytes;
}

// The targets of the row of a page with so many links.
std::vector<std::string> Joined(int32_t links, std::vector<std::string> bytes) {
  ParseRow parse;
  parse.fetched_ms = 7;
  parse.links = links;
  std::vector<std::string> targets;
  OutlinksRow row;
  for (int way = 0; way < 2; ++way) {  // the order in which pieces come changes nothing
    OutlinkPieces pieces;
    for (const std::string& piece : bytes) EXPECT_OK(pieces.Add(piece));
    EXPECT_OK(pieces.Join("com,a)/", parse, &row));
    const std::vector<std::string> before = std::exchange(targets, {});
    EXPECT_OK(ForEachListedLink(row.list, [&](const ListedLink& link) {
      targets.emplace_back(link.key);
      return arrow::Status::OK();
    }));
    EXPECT_TRUE(way == 0 || targets == before);
    std::reverse(bytes.begin(), bytes.end());
  }
  EXPECT_EQ(row.key, "com,a)/");
  EXPECT_EQ(row.fetched_ms, 7);
  EXPECT_EQ(row.listed, static_cast<int32_t>(targets.size()));
  EXPECT_EQ(row.links, row.listed);
  return targets;
}

using Targets = std::vector<std::string>;

TEST(OutlinkPieces, OnePieceIsThePage) { EXPECT_EQ(Joined(2, {Piece(5, {"x", "y"})}), Targets({"x", "y"})); }

TEST(OutlinkPieces, PiecesOfSeveralFilesAreOnePage) {
  EXPECT_EQ(Joined(3, {Piece(9, {"z"}), Piece(5, {"x", "y"})}), Targets({"x", "y", "z"}));
}

TEST(OutlinkPieces, OfTwoBodiesTheLastOfThatSizeCounts) {
  EXPECT_EQ(Joined(2, {Piece(0, {"x", "y"}), Piece(20, {"z"})}), Targets({"x", "y"}));
  EXPECT_EQ(Joined(2, {Piece(0, {"x", "y"}), Piece(20, {"z", "x"})}), Targets({"z", "x"}));
}

TEST(OutlinkPieces, WhereNothingFitsAllAreTaken) {
  EXPECT_EQ(Joined(5, {Piece(0, {"x", "y"}), Piece(20, {"z"})}), Targets({"x", "y", "z"}));
}

TEST(OutlinkPieces, APageWithoutLinksHasAnEmptyList) {
  EXPECT_EQ(Joined(0, {}), Targets());
  EXPECT_EQ(Joined(0, {Piece(0, {"of an older body"})}), Targets());
}

TEST(OutlinkPieces, CutOffBytesAreInvalid) {
  OutlinkPieces pieces;
  EXPECT_FALSE(pieces.Add("short").ok());
}

}  // namespace
}  // namespace trawl
