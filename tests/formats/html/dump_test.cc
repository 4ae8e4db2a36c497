#include "formats/html/dump.h"

#include <gtest/gtest.h>

#include <string>

namespace trawl {
namespace {

std::string Dump(const std::string& html, const HtmlDumpOptions& options = {}) {
  return DumpHtmlTree(html, options).ValueOr("refused");
}

// The format of html5lib's tree-construction tests: attributes are sorted, foreign names have their namespace,
// templates show their content, and texts stay as they are.
TEST(HtmlDump, WritesEveryKindOfNode) {
  EXPECT_EQ(
      Dump("<!--a--><!DOCTYPE html PUBLIC \"p\" \"s\"><p z=1 a=\"2\">x<!--c--><template>y</template>"),
      "| <!-- a -->\n| <!DOCTYPE html \"p\" \"s\">\n| <html>\n|   <head>\n|   <body>\n|     <p>\n|       a=\"2\"\n"
      "|       z=\"1\"\n|       \"x\"\n|       <!-- c -->\n|       <template>\n|         content\n|           \"y\"");
  EXPECT_EQ(Dump("<svg viewbox=1 xlink:href=q xml:lang=e><foreignobject>x</foreignobject><math>"),
            "| <html>\n|   <head>\n|   <body>\n|     <svg svg>\n|       viewBox=\"1\"\n|       xlink href=\"q\"\n"
            "|       xml lang=\"e\"\n|       <svg foreignObject>\n|         \"x\"\n|       <svg math>");
  EXPECT_EQ(Dump("<math definitionurl=x><mi>y"),
            "| <html>\n|   <head>\n|   <body>\n|     <math math>\n|       definitionURL=\"x\"\n|       <math mi>\n|    "
            "     \"y\"");
  EXPECT_EQ(Dump("<!DOCTYPE>"), "| <!DOCTYPE >\n| <html>\n|   <head>\n|   <body>");
}

// "If there is a Text node immediately before the adjusted insertion location, append to it" (13.2.6.1).
TEST(HtmlDump, NeighbouringTextsAreOne) {
  EXPECT_EQ(Dump("a<table>b<tr>c</table>"),
            "| <html>\n|   <head>\n|   <body>\n|     \"abc\"\n|     <table>\n|       <tbody>\n|         <tr>");
}

TEST(HtmlDump, FragmentHasItsContext) {
  EXPECT_EQ(Dump("<td>x</td>y", {"tr", false}), "| <td>\n|   \"x\"\n| \"y\"");
  EXPECT_EQ(Dump("<td>x", {"div", false}), "| \"x\"");
  EXPECT_EQ(Dump("<g/>", {"svg svg", false}), "| <svg g>");
  EXPECT_EQ(Dump("<b>", {"title", false}), "| \"<b>\"");
  EXPECT_FALSE(DumpHtmlTree("x", {"svg ", false}).ok());
}

TEST(HtmlDump, ScriptingMakesNoscriptText) {
  EXPECT_EQ(Dump("<body><noscript><p>a</noscript>b", {"", true}),
            "| <html>\n|   <head>\n|   <body>\n|     <noscript>\n|       \"<p>a\"\n|     \"b\"");
  EXPECT_EQ(Dump("<body><noscript><p>a</p></noscript>b", {"", false}),
            "| <html>\n|   <head>\n|   <body>\n|     <noscript>\n|       <p>\n|         \"a\"\n|     \"b\"");
  EXPECT_EQ(Dump("<body><script><noscript></script><!--<noscript>-->", {"", true}),
            "| <html>\n|   <head>\n|   <body>\n|     <script>\n|       \"<noscript>\"\n|     <!-- <noscript> -->");
}

// The standard has changed the rules of these elements and attributes since gumbo was written.
TEST(HtmlDump, FollowsTheStandardOfToday) {
  EXPECT_EQ(Dump("<isindex prompt=a>b"),
            "| <html>\n|   <head>\n|   <body>\n|     <isindex>\n|       prompt=\"a\"\n|       \"b\"");
  EXPECT_EQ(Dump("<menuitem>a"), "| <html>\n|   <head>\n|   <body>\n|     <menuitem>\n|       \"a\"");
  EXPECT_EQ(Dump("<p><DIALOG>a</dialog>b"),
            "| <html>\n|   <head>\n|   <body>\n|     <p>\n|     <dialog>\n|       \"a\"\n|     \"b\"");
  EXPECT_EQ(Dump("<svg xml:base=a filterres=b>"),
            "| <html>\n|   <head>\n|   <body>\n|     <svg svg>\n|       filterres=\"b\"\n|       xml:base=\"a\"");
}

}  // namespace
}  // namespace trawl
