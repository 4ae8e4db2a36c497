// What placeholders mean, and which values can be listed.
#include "runtime/options/value_kind.h"

#include <gtest/gtest.h>

#include "runtime/options/command_line.h"

namespace trawl {
namespace {

using Words = std::vector<std::string>;

TEST(ValueKind, APlaceholderSaysWhatAValueIs) {
  EXPECT_EQ(ValueKindOf("FILE"), ValueKind::kFile);
  EXPECT_EQ(ValueKindOf("DIR"), ValueKind::kFolder);
  EXPECT_EQ(ValueKindOf("SNAPSHOT"), ValueKind::kSnapshot);
  EXPECT_EQ(ValueKindOf("N"), ValueKind::kText);
  EXPECT_TRUE(IsKnownPlaceholder("N"));
  EXPECT_EQ(ValueKindOf("NOSUCH"), ValueKind::kText);
  EXPECT_FALSE(IsKnownPlaceholder("NOSUCH"));
}

enum class Colour { kRed, kGreen };
struct PaintOptions {
  bool dry = false;
  bool glossy = true;
  Colour colour = Colour::kRed;
  std::vector<std::string> kinds;
  std::vector<std::string> names;
  int32_t coats = 1;
};
const OptionGroup<PaintOptions>& PaintGroup() {
  static const auto group =
      OptionGroup<PaintOptions>("paint", "Paint")
          .Bool("dry", &PaintOptions::dry, "wait")
          .Bool("glossy", &PaintOptions::glossy, "shine")
          .Choice("colour", &PaintOptions::colour, "which", {{"red", Colour::kRed}, {"green", Colour::kGreen}})
          .List("kinds", &PaintOptions::kinds, "which", "oil|water")
          .List("names", &PaintOptions::names, "whose", "NAME")
          .Int("coats", &PaintOptions::coats, "how many");
  return group;
}

TEST(ValueKind, SomeValuesCanBeListed) {
  const std::vector<OptionSpec>& options = PaintGroup().options();
  EXPECT_EQ(KnownValues(options[0].type), (Words{"true", "false"}));
  EXPECT_EQ(KnownValues(options[2].type), (Words{"red", "green"}));
  EXPECT_EQ(KnownValues(options[3].type), (Words{"oil", "water"}));
  EXPECT_EQ(KnownValues(options[4].type), Words{});
  EXPECT_EQ(KnownValues(options[5].type), Words{});
}

struct RoofOptions {
  int32_t coats = 1;
  int32_t paint = 1;
};
const OptionGroup<RoofOptions>& RoofGroup() {
  static const auto group = OptionGroup<RoofOptions>("roof", "Roof")
                                .Int("coats", &RoofOptions::coats, "how many")
                                .Int("paint", &RoofOptions::paint, "how many");
  return group;
}

TEST(OptionNames, AreThoseOfTheCommandLine) {
  Words names, shortest;
  for (const OptionName& name : OptionNames({&PaintGroup(), &RoofGroup()})) {
    names.push_back((name.is_negation ? "not " : "") + name.name);
    if (name.is_shortest) shortest.push_back(name.name);
  }
  // `coats` would stand for two options.
  EXPECT_EQ(names, (Words{"dry", "paint.dry", "not no_dry", "not paint.no_dry", "glossy", "paint.glossy",
                          "not no_glossy", "not paint.no_glossy", "colour", "paint.colour", "kinds", "paint.kinds",
                          "names", "paint.names", "paint.coats", "roof.coats", "paint", "roof.paint"}));
  EXPECT_EQ(shortest, (Words{"dry", "no_dry", "glossy", "no_glossy", "colour", "kinds", "names", "paint.coats",
                             "roof.coats", "paint"}));
}

}  // namespace
}  // namespace trawl
