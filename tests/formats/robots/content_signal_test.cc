#include "formats/robots/content_signal.h"

#include <gtest/gtest.h>

namespace trawl {
namespace {

TEST(ContentSignal, IsReadInAllItsForms) {
  const struct {
    const char* value;
    const char* text;
  } cases[] = {
      {"search=yes, ai-train=no", "ai-train=no, search=yes"},
      {"search=yes,ai-train=no,use=reference", "ai-train=no, search=yes"},
      {" AI-Train = NO ; Search= yes", "ai-train=no, search=yes"},
      {"search=yes ai-input=no\tai-train=no", "ai-input=no, ai-train=no, search=yes"},
      {"\"ai-train\"='no'", "ai-train=no"},
      {"ai-train=no, ai-train=yes", "ai-train=no"},
      {"ai-train=yes, ai-train=no", "ai-train=no"},
      {"ai-train=maybe, search=1", ""},
      {"ai-train, no", ""},
      {"=no", ""},
      {"ai-train==no", "ai-train=no"},
      {"ai-train=, search=no", ""},
      {"ai-training=no, xai-train=no", ""},
      {"", ""},
      {"==,;", ""},
  };
  for (const auto& c : cases) EXPECT_EQ(TextOf(ParseContentSignal(c.value)), c.text) << c.value;
}

TEST(ContentSignal, ItsTextReadsBack) {
  const ContentSignal signal = {.search = UseWish::kNo, .ai_train = UseWish::kYes};
  EXPECT_EQ(ParseContentSignal(TextOf(signal)), signal);
}

TEST(ContentSignal, ALineOfRobotsTxtMayNameAPath) {
  const std::vector<std::string> lines = {"search=yes, ai-train=yes", "/private ai-train=no", "/a/*/b$ ai-input=no"};
  EXPECT_EQ(TextOf(ContentSignalFor(lines, "/")), "ai-train=yes, search=yes");
  EXPECT_EQ(TextOf(ContentSignalFor(lines, "/private/x?y")), "ai-train=no, search=yes");
  EXPECT_EQ(TextOf(ContentSignalFor(lines, "/a/x")), "ai-input=no, ai-train=yes, search=yes");
  EXPECT_EQ(TextOf(ContentSignalFor({"/only"}, "/only")), "");
}

}  // namespace
}  // namespace trawl
