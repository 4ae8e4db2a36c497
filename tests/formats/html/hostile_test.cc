// Pages made to break a parser. tests/bench/hostile_html_bench.cc measures their cost; this file checks the results.
#include <gtest/gtest.h>
#include <gumbo.h>

#include <csetjmp>
#include <string>

#include "formats/html/html.h"
#include "formats/markup/arena.h"
#include "formats/markup/cost.h"
#include "tests/support/web/hostile_pages.h"

namespace trawl {
namespace {

TEST(HtmlHostile, EveryPageIsRead) {
  HtmlParser parser;
  size_t pages = 0;
  for (const HostilePage& hostile : HostilePages()) {
    const std::string page = hostile.make().substr(0, 300'000);
    const HtmlPage parsed = parser.Parse("<title>t</title>" + page);
    EXPECT_EQ(parsed.title, "t") << hostile.name;
    EXPECT_LE(parsed.links.size(), HtmlOptions().max_links) << hostile.name;
    ++pages;
  }
  EXPECT_GE(pages, 90u);
}

// A page whose tree is refused still gives its links and its text.
TEST(HtmlHostile, RefusedPageGivesWhatItHas) {
  const std::string front = "<title>T</title><base href=/b/><p>before <a href=x>link</a>";
  const std::string nested = front + Repeated("<div>", 100'000) + "<p>inside <a href=y>deep</a>";
  const HtmlPage page = HtmlParser().Parse(nested);
  EXPECT_EQ(page.tree, HtmlTreeState::kTooDeep);
  EXPECT_EQ(page.title, "T");
  EXPECT_EQ(page.base_href, "/b/");
  EXPECT_EQ(page.text, "before link\ninside deep");
  ASSERT_EQ(page.links.size(), 2u);
  EXPECT_EQ(page.links[1].text, "deep");
}

TEST(HtmlHostile, EachGuardRefusesItsOwn) {
  std::string multiplies = "<p>";
  for (int i = 0; i < 400; ++i) multiplies += "<b id=" + std::to_string(i) + ">";
  multiplies += Repeated("<p>x", 20'000);
  std::string attributes = "<p";
  for (int i = 0; i < 20'000; ++i) attributes += " a" + std::to_string(i);
  const struct {
    std::string page;
    HtmlTreeState state;
  } cases[] = {
      {Repeated("<p>x<p>y", 1000), HtmlTreeState::kComplete},
      {Repeated("<div>", 300) + "x", HtmlTreeState::kComplete},
      {Repeated("<div>", 300'000), HtmlTreeState::kTooDeep},
      {multiplies, HtmlTreeState::kTooMuchWork},
      {attributes + ">", HtmlTreeState::kTooMuchWork},
      {Repeated("<p>x", 400'000), HtmlTreeState::kTooMuchMemory},
      // An assertion in gumbo fails: "state->_text_node._buffer.length == 0" in handle_in_table.
      {"<table><svg><desc><![CDATA[x]]> ", HtmlTreeState::kParserGaveUp},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(HtmlTreeStateName(HtmlParser().Parse(c.page).tree), HtmlTreeStateName(c.state)) << c.page.substr(0, 40);
  }
}

void* AllocateFrom(void* arena, size_t bytes) { return static_cast<HtmlArena*>(arena)->Allocate(bytes); }
void FreeTo(void* arena, void* pointer) { static_cast<HtmlArena*>(arena)->Free(pointer); }

ArenaExit ParseWith(const std::string& html, const ArenaLimits& limits) {
  HtmlArena arena;
  arena.Reset(limits);
  GumboOptions options = kGumboDefaultOptions;
  options.allocator = AllocateFrom;
  options.deallocator = FreeTo;
  options.userdata = &arena;
  options.max_errors = 0;
  if (setjmp(*arena.jump()) == 0) gumbo_parse_with_options(&options, html.data(), html.size());
  return arena.exit();
}

// The meter follows gumbo's two lists by the order of its requests. This test fixes that order.
TEST(HtmlHostile, MeterSeesTheDepthOfTheTree) {
  const ArenaLimits generous = {size_t{1} << 30, UINT64_MAX, false};
  EXPECT_EQ(ParseWith(Repeated("<div>", 2'000), generous), ArenaExit::kNone);
  EXPECT_EQ(ParseWith(Repeated("<div>", 3'000), generous), ArenaExit::kDepth);
  // These elements are open only because the parser opened them again.
  std::string formatting = "<p>";
  for (int i = 0; i < 2'600; ++i) formatting += "<b id=" + std::to_string(i) + ">";
  EXPECT_EQ(ParseWith(formatting, generous), ArenaExit::kDepth);
}

TEST(HtmlHostile, OrdinaryPagesAreChargedNothing) {
  const std::string page = Repeated("<div class=a><p>Some <b>bold</b> words<ul><li>a<li>b</ul></div>", 2'000);
  EXPECT_EQ(ParseWith(page, {size_t{1} << 30, 0, false}), ArenaExit::kNone);
  EXPECT_EQ(EstimateHtmlCost(page, UINT64_MAX).work, 0u);
  EXPECT_EQ(ParseWith(page, {1 << 20, 0, false}), ArenaExit::kMemory);
  EXPECT_EQ(ParseWith(Repeated("<div>", 200), {size_t{1} << 30, 100, false}), ArenaExit::kWork);
}

// Where the estimate closes an element, gumbo must close it, too.
TEST(HtmlHostile, EstimateKnowsWhatClosesNothing) {
  const uint64_t deep = EstimateHtmlCost(Repeated("<div>", 500), UINT64_MAX).work;
  EXPECT_GT(deep, 0u);
  const std::string as_deep[] = {
      Repeated("<div/>", 500),
      "<svg><desc>" + Repeated("<div/>", 500),
      "<svg><style>" + Repeated("<g>", 500),
      Repeated("<g title='/>'>", 500) + "<svg>",
      "<textareas>" + Repeated("<div>", 500),
      "<!-->" + Repeated("<div>", 500),
      Repeated("<rt>", 500),
      Repeated("<optgroup>", 500),
  };
  for (const std::string& page : as_deep)
    EXPECT_GE(EstimateHtmlCost(page, UINT64_MAX).work, deep) << page.substr(0, 30);
  const std::string flat[] = {
      Repeated("<div></div>", 500),
      Repeated("<ruby>x<rp>(<rt>y<rp>)</ruby><select><optgroup><option>a<optgroup><option>b</select>", 500),
      "<svg>" + Repeated("<path d='M0 0'/>", 500) + "</svg>",
      Repeated("<p>x<li>y<td>z<option>w<br><img>", 500),
      "<script>" + Repeated("if (a<b) c();", 500) + "</script>",
      "<!--" + Repeated("<div>", 500) + "-->",
      "<div title='" + Repeated("<div>", 500) + "'></div>",
  };
  for (const std::string& page : flat) EXPECT_EQ(EstimateHtmlCost(page, UINT64_MAX).work, 0u) << page.substr(0, 30);
}

}  // namespace
}  // namespace trawl
