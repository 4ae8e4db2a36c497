#include "formats/documents/json.h"

#include <gtest/gtest.h>

#include <string>

namespace trawl {
namespace {

// What a terminal takes for a command, or what turns the writing around, is escaped; nothing is lost by it.
TEST(Json, DumpsHaveNoControlCharacters) {
  const struct {
    std::string text, dump;
  } cases[] = {
      {"\x1b[2J", R"("\u001b[2J")"},
      {"a\x7f", R"("a\u007f")"},
      {"\u0080\u009b\u009f\u00a0", "\"\\u0080\\u009b\\u009f\u00a0\""},
      {"\u202a\u202e\u202f", "\"\\u202a\\u202e\u202f\""},
      {"\u2066x\u2069\u200e\u200f\u061c", R"("\u2066x\u2069\u200e\u200f\u061c")"},
      {"\u2065\u00e9\u20ac\u0627\U0001F642", "\"\u2065\u00e9\u20ac\u0627\U0001F642\""},
      {"\xff", "\"\ufffd\""},
      {"", "\"\""},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(DumpJson(c.text), c.dump);
    EXPECT_EQ(DumpJsonPretty(c.text), c.dump);
    EXPECT_EQ(*ParseJson(c.dump), c.text == "\xff" ? "\ufffd" : c.text);
  }
  EXPECT_EQ(DumpJson({{"\x7f", "\u202e"}}), R"({"\u007f":"\u202e"})");
}

}  // namespace
}  // namespace trawl
