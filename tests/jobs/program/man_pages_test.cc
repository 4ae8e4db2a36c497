// The man pages: what they say, and that no text becomes a request of troff.
#include "jobs/program/man_pages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "jobs/program/man_text.h"
#include "jobs/verb/version.h"

namespace trawl {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST(ManText, NothingIsAnEscapeOrARequest) {
  EXPECT_EQ(ManText(".TH x"), "\\&.TH x");
  EXPECT_EQ(ManText("'so x"), "\\(aqso x");
  EXPECT_EQ(ManText("a\\fBb"), "a\\efBb");
  EXPECT_EQ(ManText("--top_n \"x\" `y` ~ ^"), "\\-\\-top_n \\(dqx\\(dq \\(gay\\(ga \\(ti \\(ha");
  EXPECT_EQ(ManText("a…é€😀"), "a\\[u2026]\\[u00E9]\\[u20AC]\\[u1F600]");
  EXPECT_EQ(ManText("\xFF\x1B"), "\\[uFFFD] ");
  EXPECT_EQ(ManText(""), "");
}

TEST(ManText, ALineThatIsFilledBeginsWithNoDot) {
  std::string text = "word";
  for (int i = 0; i < 100; ++i) text += " .br 'so";
  std::istringstream lines(ManLines(text));
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) EXPECT_THAT(line, Not(StartsWith("."))) << line;
  EXPECT_GT(count, 5);
  EXPECT_EQ(ManLines(""), "");
}

TEST(ManPage, IsWhatItsPartsSay) {
  ManPage page("trawl-fetch", "2026-11-20", "Trawl 0.1.0");
  page.Section("NAME");
  page.RawLine("x");
  page.Paragraph("y");
  page.Item(ManBold("-a"), "z");
  page.Example("Do it", ".x 'y'");
  EXPECT_EQ(page.Take(),
            ".TH TRAWL\\-FETCH 1 2026-11-20 \"Trawl 0.1.0\" \"Trawl\"\n.SH "
            "NAME\nx\n.PP\ny\n.TP\n\\fB\\-a\\fR\nz\n.PP\nDo it:\n"
            ".RS 4\n.nf\n\\&.x \\(aqy\\(aq\n.fi\n.RE\n");
}

TEST(ManPages, OneForTrawlAndOneForEachVerb) {
  const std::vector<DocsPage> pages = ManPages(Verbs(), "2026-11-20");
  ASSERT_EQ(pages.size(), Verbs().size() + 1);
  std::set<std::string> files;
  for (const DocsPage& page : pages) {
    EXPECT_TRUE(files.insert(page.file).second) << page.file;
    EXPECT_THAT(page.text, HasSubstr(std::string(" 1 2026-11-20 \"Trawl ") + kVersion + "\"")) << page.file;
    for (const char* section :
         {"NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "ENVIRONMENT", "FILES", "SEE ALSO"})
      EXPECT_THAT(page.text, HasSubstr(std::string("\n.SH ") + section + "\n")) << page.file;
    EXPECT_TRUE(
        std::all_of(page.text.begin(), page.text.end(), [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); }))
        << page.file << ": only ASCII";
  }
  EXPECT_TRUE(files.contains("trawl.1"));
  EXPECT_TRUE(files.contains("trawl-readdb-stats.1"));
}

TEST(ManPages, APageRefersOnlyToPagesThatAreThere) {
  const std::vector<DocsPage> pages = ManPages(Verbs(), "2026-11-20");
  std::set<std::string> files;
  for (const DocsPage& page : pages) files.insert(page.file);
  size_t seen = 0;
  for (const DocsPage& page : pages) {
    std::istringstream lines(page.text.substr(page.text.find("\n.SH SEE ALSO\n")));
    for (std::string line; std::getline(lines, line);) {
      const size_t end = line.find("\\fR(1)");
      if (end == std::string::npos) continue;
      ASSERT_THAT(line, StartsWith("\\fB"));
      std::string name = line.substr(3, end - 3);
      name.erase(std::remove(name.begin(), name.end(), '\\'), name.end());
      EXPECT_TRUE(files.contains(name + ".1")) << page.file << " refers to " << name;
      EXPECT_NE(name + ".1", page.file);
      ++seen;
    }
  }
  EXPECT_GT(seen, Verbs().size());
}

TEST(ManPages, OptionsHaveAllTheirNames) {
  for (const DocsPage& page : ManPages(Verbs(), "2026-11-20")) {
    if (page.file != "trawl-generate.1") continue;
    EXPECT_THAT(
        page.text,
        HasSubstr("\\fB\\-\\-top_n\\fR \\fIN\\fR, \\fB\\-\\-generate.top_n\\fR \\fIN\\fR\nMost URLs per round"));
    EXPECT_THAT(page.text, HasSubstr("\\fB\\-\\-no_probe_errors\\fR"));
    EXPECT_THAT(page.text, Not(HasSubstr("no_dry_run")));
  }
}

}  // namespace
}  // namespace trawl
