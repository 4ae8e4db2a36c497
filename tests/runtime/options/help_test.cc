#include "runtime/options/help.h"

#include <gtest/gtest.h>

namespace trawl {
namespace {

enum class Color { kRed, kGreen };

struct ShownOptions {
  bool follow = true;
  bool dry_run = false;
  int64_t memory_bytes = 1 << 20;
  int64_t pause_ms = 1'000;
  std::string contact;
  Color color = Color::kGreen;
  std::vector<std::string> an_option_with_a_long_name;
};

const OptionGroup<ShownOptions>& ShownGroup() {
  using S = ShownOptions;
  static const auto group =
      OptionGroup<S>("shown", "What is shown")
          .Bool("follow", &S::follow, "follow links")
          .Bool("dry_run", &S::dry_run, "only say what would be done")
          .Size("memory", &S::memory_bytes, "memory", AtLeast(1024))
          .Main()
          .Duration("pause", &S::pause_ms,
                    "a help that is so long that it does not fit on one line by far, "
                    "which is why it goes on below")
          .String("contact", &S::contact, "an address", "URL")
          .Main()
          .Choice("color", &S::color, "which | color", {{"red", Color::kRed}, {"green", Color::kGreen}})
          .List("an_option_with_a_long_name", &S::an_option_with_a_long_name, "a list");
  return group;
}

TEST(OptionsHelp, OptionsAreAlignedWithDefaultsAndUnits) {
  EXPECT_EQ(OptionsHelp({&ShownGroup()}),
            "What is shown (shown.NAME in files, TRAWL_SHOWN_NAME in the environment):\n"
            "  --[no_]follow               follow links\n"
            "  --dry_run                   only say what would be done\n"
            "  --memory SIZE               memory [1MiB]\n"
            "  --pause TIME                a help that is so long that it does not fit on one\n"
            "                              line by far, which is why it goes on below [1s]\n"
            "  --contact URL               an address\n"
            "  --color red|green           which | color [green]\n"
            "  --an_option_with_a_long_name TEXT\n"
            "                              a list\n"
            "\n"
            "SIZE is like 64MiB, 1.5GiB or 300KB. TIME is like 30s, 250ms, 1h30m or 7d. A\n"
            "list has commas between its items, or is given several times.\n");
}

TEST(OptionsHelp, APickOfOptionsStandsUnderTitlesAlone) {
  const auto is_main = [](const OptionSpec& option) { return option.is_main; };
  EXPECT_EQ(OptionsHelp({&ShownGroup()}, is_main),
            "What is shown:\n"
            "  --memory SIZE               memory [1MiB]\n"
            "  --contact URL               an address\n"
            "\n"
            "SIZE is like 64MiB, 1.5GiB or 300KB.\n");
  EXPECT_EQ(OptionsHelp({&ShownGroup()}, [](const OptionSpec&) { return false; }), "");
}

TEST(OptionsHelp, ThePageIsATable) {
  const std::string page = OptionsMarkdown(ShownGroup());
  EXPECT_NE(page.find("| `shown.memory` | a size like 64MiB, of at least 1KiB | `1MiB` | memory |\n"),
            std::string::npos)
      << page;
  EXPECT_NE(page.find("| `shown.color` | red or green | `green` | which \\| color |\n"), std::string::npos) << page;
  EXPECT_NE(page.find("| `shown.contact` | a text |  | an address |\n"), std::string::npos) << page;
}

}  // namespace
}  // namespace trawl
