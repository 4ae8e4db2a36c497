#include "formats/xml/mender.h"

#include <gtest/gtest.h>

#include <string>

namespace trawl {
namespace {

std::string Mended(std::string_view text, size_t piece_bytes, bool is_utf8 = true) {
  XmlMender mender(is_utf8);
  std::string out;
  for (size_t at = 0; at < text.size(); at += piece_bytes) out += mender.Mend(text.substr(at, piece_bytes));
  return out += mender.Finish();
}

TEST(XmlMender, EveryCutOfTheInputGivesTheSame) {
  const struct {
    std::string text, mended;
  } cases[] = {
      {"<a>x</a>", "<a>x</a>"},
      {"&amp;&#38;&#x26;&b.c-d_e:f;", "&amp;&#38;&#x26;&b.c-d_e:f;"},
      {"&", "&amp;"},
      {"&&amp", "&amp;&amp;amp"},
      {"&;&#;&#x;&#xg;&1;& b;", "&amp;;&amp;#;&amp;#x;&amp;#xg;&amp;1;&amp; b;"},
      {"&" + std::string(60, 'a') + ";", "&amp;" + std::string(60, 'a') + ";"},
      {"<![CDATA[&]]&]]>&", "<![CDATA[&]]&]]>&amp;"},
      {"<![CDATA&<![", "<![CDATA&amp;<!["},
      {"\x01\t\x1F", " \t "},
      {"\xC3\xBC\xFC\xE2\x82", "\u00FC\uFFFD\uFFFD"},
      {"\xDC\x84\x8F\x81\xA3", "\u0704\uFFFD\uFFFD\uFFFD"},
      {"\xF0\x9F\x92\xA9\xF0\x9F\x92", "\U0001F4A9\uFFFD"},
  };
  for (const auto& wanted : cases) {
    for (const size_t piece_bytes : {1, 2, 3, 5, 1000}) {
      EXPECT_EQ(Mended(wanted.text, piece_bytes), wanted.mended) << wanted.text << " by " << piece_bytes;
    }
  }
}

TEST(XmlMender, OtherEncodingsKeepTheirBytes) { EXPECT_EQ(Mended("\xFC&\xC3", 1, false), "\xFC&amp;\xC3"); }

}  // namespace
}  // namespace trawl
