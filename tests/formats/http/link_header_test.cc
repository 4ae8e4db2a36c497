#include "formats/http/link_header.h"

#include <gtest/gtest.h>

namespace trawl {
namespace {

// Writes each link as "target name=value …".
std::vector<std::string> Links(const std::vector<const char*>& values) {
  HeaderList headers;
  for (const char* value : values) headers.Add("Link", value);
  std::vector<std::string> out;
  for (const LinkValue& link : LinksOf(headers)) {
    std::string text(link.target);
    for (const auto& [name, value] : link.parameters) text += " " + name + "=" + value;
    out.push_back(text);
  }
  return out;
}

std::optional<std::string> Canonical(const std::vector<const char*>& values) {
  HeaderList headers;
  for (const char* value : values) headers.Add("Link", value);
  return CanonicalLinkOf(headers);
}

// RFC 8288 appendix B.2 and B.3, and the examples of its section 3.5.
TEST(LinkHeader, LinksAreReadAsTheStandardDoes) {
  const struct {
    const char* value;
    std::vector<std::string> links;
  } cases[] = {
      {"", {}},
      {"</a>", {"/a"}},
      {"<>", {""}},
      {"<http://example.com/TheBook/chapter2>; rel=\"previous\"; title=\"previous chapter\"",
       {"http://example.com/TheBook/chapter2 rel=previous title=previous chapter"}},
      {"</a>; rel=x, </b> ;rel = \"y\" , ,</c>", {"/a rel=x", "/b rel=y", "/c"}},
      {"</a,b;c>; rel=x", {"/a,b;c rel=x"}},
      {"</a>; title=\"a, b; \\\"c\\\" > <d>\"; rel=x, </b>", {"/a title=a, b; \"c\" > <d> rel=x", "/b"}},
      {"</a>; REL=X;crossorigin", {"/a rel=X crossorigin="}},
      {"</a>;;rel=x", {"/a rel=x"}},
      {"</a>; title=\"open", {"/a title=open"}},
      {"</a>; title=\"open\\", {"/a title=open"}},
      {"</a>; title*=UTF-8'de'n%c3%a4chstes", {"/a title*=UTF-8'de'n%c3%a4chstes"}},
      // Links before a syntax error count.
      {"</a>, /b, </c>", {"/a"}},
      {"</a> x, </c>", {"/a"}},
      {"</a", {}},
      {"a", {}},
  };
  for (const auto& c : cases) EXPECT_EQ(Links({c.value}), c.links) << c.value;
}

TEST(LinkHeader, ABrokenFieldLeavesTheNextAlone) {
  EXPECT_EQ(Links({"</a>, b", "</c>"}), (std::vector<std::string>{"/a", "/c"}));
}

TEST(LinkHeader, CanonicalIsTheFirstThatSpeaksOfThePage) {
  EXPECT_EQ(Canonical({"</a>; rel=next", "</b>; rel=\"alternate CANONICAL\", </c>; rel=canonical"}), "/b");
  EXPECT_EQ(Canonical({"</a>; rel=canonical; anchor=\"#part\", </b>; rel=canonical"}), "/b");
  EXPECT_EQ(Canonical({"</a>; rel=\"canonical-ish not\""}), std::nullopt);
  // Section 3.3: "The rel parameter MUST NOT appear more than once in a given link-value; occurrences after the first
  // MUST be ignored by parsers."
  EXPECT_EQ(Canonical({"</a>; rel=next; rel=canonical"}), std::nullopt);
  EXPECT_EQ(Canonical({}), std::nullopt);
}

}  // namespace
}  // namespace trawl
