// Listings: tables that fit a terminal, and the same rows as JSON and comma-separated values.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "jobs/list/table.h"
#include "runtime/terminal/cells.h"
#include "tests/support/process/trawl_command.h"

namespace trawl {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Cells, AWideCharacterTakesTwoColumnsAndAMarkNone) {
  EXPECT_EQ(CountCells("abc"), 3u);
  EXPECT_EQ(CountCells("日本語"), 6u);
  EXPECT_EQ(CountCells("한국"), 4u);
  EXPECT_EQ(CountCells("e\xCC\x81"), 1u);
  EXPECT_EQ(CountCells("\xF0\x9F\x98\x80"), 2u);
  EXPECT_EQ(CountCells("é"), 1u);
}

TEST(Cells, TextOfThePageCannotLeaveItsCell) {
  EXPECT_EQ(CellText("a\x1b[2Jb\rc\nd\te"), "a [2Jb c d e");
  EXPECT_EQ(CellText("\xC2\x9B"
                     "31mred"),
            "31mred")
      << "U+009B is a control sequence of its own";
  EXPECT_EQ(CellText("evil\xE2\x80\xAEtxt.exe"), "eviltxt.exe") << "U+202E turns the line around";
  EXPECT_EQ(CellText("a\xE2\x80\xA8"
                     "b"),
            "a b")
      << "U+2028 is a line break";
  EXPECT_EQ(CellText("a\xFF\xC0\xAF"
                     "b"),
            "ab")
      << "not UTF-8";
  EXPECT_EQ(CellText("  x  y  "), "x y");
  std::string zalgo = "z";
  for (int i = 0; i < 50; ++i) zalgo += "\xCC\x81";
  EXPECT_EQ(CellText(zalgo).size(), 1u + 4 * 2);
}

TEST(Cells, ACutCellFillsItsColumnsAtMost) {
  EXPECT_EQ(CutCell("abcdef", 6), "abcdef");
  EXPECT_EQ(CutCell("abcdef", 4), "abc…");
  EXPECT_EQ(CutCell("日本語", 4), "日…") << "half of a wide character is no use";
  EXPECT_EQ(CutCell("abc", 0), "");
}

TEST(Table, ColumnsThatGiveWayAreCutAndNumbersAreNot) {
  const std::vector<TableColumn> table = {
      {.title = "url", .gives_way = true}, {.title = "n", .is_right = true}, {.title = "state"}};
  const std::vector<std::vector<std::string>> rows = {{"https://www.example.com/a/very/long/path", "1,234", "fetched"},
                                                      {"https://b.example/", "7", "-"}};
  const auto widths = TableWidths(table, rows, 30);
  EXPECT_EQ(TableHead(table, widths), "url                 n  state");
  for (const auto& row : rows) EXPECT_LE(CountCells(TableLine(table, widths, row)), 30u);
  EXPECT_THAT(TableLine(table, widths, rows[0]), HasSubstr("…  1,234  fetched"));
  EXPECT_THAT(TableLine(table, widths, rows[1]), HasSubstr("      7  -"));
}

TEST(Table, AColumnForWhichThereIsNoPlaceIsLeftOut) {
  const std::vector<TableColumn> table = {
      {.title = "job"}, {.title = "snapshot", .is_right = true}, {.title = "about"}};
  EXPECT_THAT(TableWidths(table, {{"20260101T000000Z-inject-1", "12", "nothing"}}, 20), ElementsAre(6, 8, 0));
}

TEST(Table, WhatPeopleCopyIsNeverCut) {
  const std::string url = "https://www.example.com/a/very/long/path";
  const std::vector<TableColumn> last = {
      {.title = "state"}, {.title = "text", .gives_way = true}, {.title = "url", .is_whole = true}};
  const std::vector<std::vector<std::string>> rows = {{"fetched", "one two three four five six", url}};
  const auto widths = TableWidths(last, rows, 50);
  EXPECT_EQ(TableLine(last, widths, rows[0]), "fetched  one two three …  " + url);
  EXPECT_EQ(TableLine(last, TableWidths(last, rows, 20), rows[0]), "fetched  one t…  " + url);

  const std::vector<TableColumn> first = {{.title = "host", .is_whole = true}, {.title = "pages", .is_right = true}};
  const std::vector<std::vector<std::string>> hosts = {{"a.example", "7"}, {std::string(60, 'h'), "8"}};
  const auto wide = TableWidths(first, hosts, 40);
  EXPECT_EQ(TableLine(first, wide, hosts[0]), "a.example" + std::string(17, ' ') + "7") << "a long one has no say";
  EXPECT_EQ(TableLine(first, wide, hosts[1]), hosts[1][0] + "      8");
}

class Listings : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(Trawl({"inject", "--root", root_, "--quiet", "--now", "2026-01-01T00:00:00Z", "https://a.example/",
                     "https://b.example/" + std::string(300, 'x')})
                  .exit_code,
              0);
    ASSERT_EQ(Trawl({"config", "set", "job.file_size=64MiB", "--root", root_, "--quiet"}).exit_code, 0);
  }
  std::string Out(std::vector<std::string> words) {
    words.insert(words.end(), {"--root", root_});
    const BinaryResult result = Trawl(words);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  }

  TemporaryFolder folder_;
  const std::string root_ = folder_.path() + "/crawl";
};

TEST_F(Listings, EveryListingHasTheFourForms) {
  const std::vector<std::vector<std::string>> verbs = {
      {"jobs"},           {"rounds"},          {"segments", "list"}, {"snapshot", "list"}, {"readseg", "list"},
      {"readdb", "dump"}, {"readdb", "hosts"}, {"config", "get"}};
  for (const auto& verb : verbs) {
    SCOPED_TRACE(verb.back());
    const auto as = [&](const char* format) {
      std::vector<std::string> words = verb;
      words.insert(words.end(), {"--format", format});
      return Out(words);
    };
    const auto array = ParseJson(as("json"));
    ASSERT_TRUE(array.ok()) << array.status().ToString();
    ASSERT_TRUE(array->is_array());
    const std::string lines = as("jsonl"), csv = as("csv"), table = as("table");
    EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), static_cast<long>(array->size()));
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), static_cast<long>(array->size()) + 1);
    EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), static_cast<long>(array->size()) + 1);
    for (size_t begin = 0; begin < table.size();) {
      const size_t end = table.find('\n', begin);
      const std::string line = table.substr(begin, end - begin);
      EXPECT_TRUE(CountCells(line) <= 80 || line.ends_with("xxx")) << line;
      begin = end + 1;
    }
  }
}

TEST_F(Listings, TheWidthIsThatOfColumnsAndUrlsAreWhole) {
  const auto at = [&](const char* columns) {
    return RunBinary({.arguments = {"readdb", "dump", "--format", "table", "--root", root_},
                      .environment = {std::string("COLUMNS=") + columns}})
        .out;
  };
  const std::string url = "https://b.example/" + std::string(300, 'x') + "\n";
  for (const char* columns : {"30", "200", "wide", "0"}) EXPECT_THAT(at(columns), HasSubstr(url)) << columns;
  EXPECT_THAT(at("200"), HasSubstr("2026-01-01T00:00:00Z  https://a.example/\n"));
}

TEST_F(Listings, JsonStaysOneObjectALine) {
  EXPECT_EQ(Out({"jobs", "--json"}), Out({"jobs", "--format", "jsonl"}));
  EXPECT_EQ(Out({"snapshot", "list", "--json"}), Out({"snapshot", "list", "--format", "jsonl"}));
  EXPECT_EQ(Out({"readdb", "dump"}), Out({"readdb", "dump", "--json"}));
  EXPECT_EQ(Out({"config", "get"}), "job.file_size = 64MiB\n");
  EXPECT_EQ(Out({"config", "get", "--json"}), "{\"job.file_size\":\"64MiB\"}\n");
}

TEST_F(Listings, TheFirstColumnOfJobsIsNeverCut) {
  const auto jobs = ParseJson(Out({"jobs", "--format", "json"}));
  ASSERT_TRUE(jobs.ok());
  const std::string table = Out({"jobs"});
  for (const Json& job : *jobs) EXPECT_THAT(table, HasSubstr(job["job"].get<std::string>() + "  done"));
  EXPECT_THAT(table, Not(HasSubstr("bad"))) << "counters are for --counters";
  EXPECT_THAT(Out({"jobs", "--counters"}), HasSubstr("  new"));
}

}  // namespace
}  // namespace trawl
