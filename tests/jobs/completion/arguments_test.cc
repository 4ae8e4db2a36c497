// Which arguments may come next, by the usage line.
#include "jobs/completion/arguments.h"

#include <gtest/gtest.h>

namespace trawl {
namespace {

using Words = std::vector<std::string>;

TEST(Arguments, TheUsageLineSaysWhatComesNext) {
  const struct {
    const char* arguments;
    std::vector<Words> next;  // after 0, 1, 2… arguments
  } cases[] = {{"", {{}, {}}},
               {"DIR", {{"DIR"}, {}, {}}},
               {"SEED…", {{"SEED"}, {"SEED"}, {"SEED"}, {"SEED"}}},
               {"[SEED…]", {{"SEED"}, {"SEED"}}},
               {"[WHAT] DIR", {{"WHAT", "DIR"}, {"DIR"}, {}}},
               {"[HOST…|-]", {{"HOST", "-"}, {"HOST", "-"}}},
               {"SEGMENT|newest", {{"SEGMENT", "newest"}, {}}},
               {"[KIND [ARGUMENT]…]", {{"KIND"}, {"ARGUMENT"}, {"ARGUMENT"}, {"ARGUMENT"}}},
               {"A [B [C]] D…", {{"A"}, {"B", "D"}, {"C", "D"}, {"D"}, {"D"}, {"D"}}}};
  for (const auto& c : cases) {
    for (size_t before = 0; before < c.next.size(); ++before)
      EXPECT_EQ(ArgumentsAt(c.arguments, before), c.next[before]) << c.arguments << " after " << before;
  }
  EXPECT_EQ(ArgumentsAt("SEED…", 1'000'000'000), Words{"SEED"});
}

}  // namespace
}  // namespace trawl
