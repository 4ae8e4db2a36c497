#include "formats/charset/charset.h"

#include <gtest/gtest.h>

#include <string>

#include "formats/charset/decode.h"
#include "formats/charset/prescan.h"
#include "formats/text/utf8.h"

namespace trawl {
namespace {

using namespace std::string_literals;

struct Case {
  std::string name;
  std::string body;
  std::string http_label;
  std::string encoding;
  std::string source;
};

void Check(const Case& wanted) {
  const Charset charset = SniffCharset(wanted.body, wanted.http_label);
  EXPECT_EQ(charset.encoding, wanted.encoding) << wanted.name;
  EXPECT_EQ(CharsetSourceName(charset.source), wanted.source) << wanted.name;
}

// HTML Standard 13.2.3.2, "determine the character encoding": the first of these that names one decides.
TEST(Charset, FirstDeclarationDecides) {
  const std::string meta = "<meta charset=koi8-r>";
  const std::string xml = "<?xml version='1.0' encoding='iso-8859-2'?>";
  const Case cases[] = {
      {"mark over all", "\xEF\xBB\xBF" + meta, "iso-8859-5", "UTF-8", "bom"},
      {"UTF-16 marks", "\xFF\xFE<\0"s, "utf-8", "UTF-16LE", "bom"},
      {"UTF-16 marks", "\xFE\xFF\0<"s, "utf-8", "UTF-16BE", "bom"},
      {"header over meta", meta, "iso-8859-5", "ISO-8859-5", "http"},
      {"unknown label is none", meta, "klingon", "KOI8-R", "meta"},
      {"meta over XML", xml + meta, "", "KOI8-R", "meta"},
      {"XML", xml + "<p>x", "", "ISO-8859-2", "xml"},
      {"latin1 is windows-1252", "<p>x", "latin1", "windows-1252", "http"},
      {"all ASCII", "<p>plain", "", "windows-1252", "default"},
      {"nothing", "", "", "windows-1252", "default"},
      {"valid UTF-8", "<p>gr\xC3\xBC\xC3\x9F", "", "UTF-8", "detected"},
  };
  for (const Case& wanted : cases) Check(wanted);
}

// "prescan a byte stream to determine its encoding", step by step.
TEST(Charset, PrescanFollowsTheStandard) {
  const struct {
    std::string body, encoding;
  } cases[] = {
      {"<meta charset=koi8-r>", "KOI8-R"},
      {"<META CHARSET='koi8-r'>", "KOI8-R"},
      {"<meta/charset=koi8-r/>", ""},  // the slash belongs to the value
      {"<meta/charset=koi8-r />", "KOI8-R"},
      {"<metacharset=koi8-r>", ""},
      {"<meta http-equiv=content-type content='text/html; charset=koi8-r'>", "KOI8-R"},
      {"<meta content='text/html; charset=koi8-r' http-equiv=Content-Type>", "KOI8-R"},
      {"<meta content='text/html; charset=koi8-r'>", ""},          // needs the pragma
      {"<meta http-equiv=refresh content='charset=koi8-r'>", ""},  // the wrong pragma
      {"<meta charset=utf-16>", "UTF-8"},
      {"<meta charset=x-user-defined>", "windows-1252"},
      {"<meta charset=klingon><meta charset=koi8-r>", "KOI8-R"},
      {"<meta charset=utf-8 charset=koi8-r>", "UTF-8"},
      {"<!-- <meta charset=utf-8> --><meta charset=koi8-r>", "KOI8-R"},
      {"<!--><meta charset=koi8-r>", "KOI8-R"},
      {"<a title='<meta charset=utf-8>'><meta charset=koi8-r>", "KOI8-R"},
      {"</a x='<meta charset=utf-8>'><meta charset=koi8-r>", "KOI8-R"},
      {"<?php '<meta charset=utf-8>' ?><meta charset=koi8-r>", "KOI8-R"},  // ends at the first '>'
      {"<meta charset=koi8-r", ""},
      {"<meta charset = \"koi8-r\" >", "KOI8-R"},
      {"< meta charset=utf-8><meta charset=koi8-r>", "KOI8-R"},
  };
  for (const auto& wanted : cases) EXPECT_EQ(EncodingFromMeta(wanted.body), wanted.encoding) << wanted.body;
}

// 13.2.3.4: a meta element after the first 1,024 bytes changes the encoding, unless it is text.
TEST(Charset, LateMetaCountsOutsideOfText) {
  const std::string far = "<!--" + std::string(5000, 'x') + "-->";
  EXPECT_EQ(EncodingFromMeta(far + "<meta charset=koi8-r>"), "KOI8-R");
  EXPECT_EQ(EncodingFromMeta(far + "<script>'<meta charset=koi8-r>'</script>"), "");
  EXPECT_EQ(EncodingFromMeta(far + "<title><meta charset=koi8-r></title><meta charset=big5>"), "Big5");
  EXPECT_EQ(EncodingFromMeta(std::string(kLateMetaBytes, ' ') + "<meta charset=koi8-r>"), "");
}

// "extracting a character encoding from a meta element" (2.5.3).
TEST(Charset, MetaContentNamesAnEncoding) {
  const struct {
    std::string content, encoding;
  } cases[] = {
      {"text/html; charset=koi8-r", "KOI8-R"}, {"charset=koi8-r;x", "KOI8-R"},
      {"charset  =  'koi8-r'", "KOI8-R"},      {"charset='koi8-r", ""},
      {"charset charset=koi8-r", "KOI8-R"},    {"charset=", ""},
      {"CHARSET=\"koi8-r\"", "KOI8-R"},        {"xcharset=koi8-r", "KOI8-R"},
  };
  for (const auto& wanted : cases)
    EXPECT_EQ(EncodingFromMetaContent(wanted.content), wanted.encoding) << wanted.content;
}

TEST(Charset, XmlDeclarationStandsAtTheFront) {
  EXPECT_EQ(EncodingFromXmlDeclaration("<?xml encoding = \"koi8-r\" ?>"), "KOI8-R");
  EXPECT_EQ(EncodingFromXmlDeclaration("<?xml encoding='utf-16'?>"), "UTF-8");
  EXPECT_EQ(EncodingFromXmlDeclaration("<?xml encoding='koi8 r'?>"), "");
  EXPECT_EQ(EncodingFromXmlDeclaration(" <?xml encoding='koi8-r'?>"), "");
  EXPECT_EQ(EncodingFromXmlDeclaration("<?xml version='1.0'?> encoding='koi8-r'"), "");
  EXPECT_EQ(EncodingFromXmlDeclaration("<\0?\0x\0m\0"s), "UTF-16LE");
  EXPECT_EQ(EncodingFromXmlDeclaration("\0<\0?\0x\0m"s), "UTF-16BE");
}

TEST(Charset, AlmostValidUtf8IsUtf8) {
  std::string body;
  for (int i = 0; i < 40; ++i) body += "\xD0\xBF\xD1\x80\xD0\xB8 ";
  EXPECT_EQ(DetectCharset(body + "\xFF"), "UTF-8");
  EXPECT_EQ(DetectCharset(body + "\xD0"), "UTF-8");  // cut off within a character
}

TEST(Charset, LegacyTextIsDetected) {
  // "This is a sentence in Russian, and here is one more." in windows-1251, several times.
  std::string russian;
  for (int i = 0; i < 8; ++i) {
    russian +=
        "\xDD\xF2\xEE \xEF\xF0\xE5\xE4\xEB\xEE\xE6\xE5\xED\xE8\xE5 \xED\xE0 \xF0\xF3\xF1\xF1\xEA\xEE\xEC "
        "\xFF\xE7\xFB\xEA\xE5, "
        "\xE8 \xE2\xEE\xF2 \xE5\xF9\xB8 \xEE\xE4\xED\xEE. ";
  }
  Check({"Russian", russian, "", "windows-1251", "detected"});
  // "Welcome to our shop. New goods every day." in Shift_JIS.
  std::string japanese;
  for (int i = 0; i < 8; ++i) {
    japanese +=
        "\x93\x96\x93\x58\x82\xD6\x82\xE6\x82\xA4\x82\xB1\x82\xBB\x81\x42\x96\x88\x93\xFA\x90\x56\x82\xB5\x82\xA2\x8F"
        "\xA4"
        "\x95\x69\x82\xAA\x93\xFC\x89\xD7\x82\xB5\x82\xDC\x82\xB7\x81\x42";
  }
  Check({"Japanese", japanese, "", "Shift_JIS", "detected"});
}

// Both have the same words; in the Macintosh's encoding capitals and the last letter have other bytes.
TEST(Charset, ShortCyrillicIsOfWindowsUnlessItsCapitalsSayOtherwise) {
  // "Tasty bread every day in our bakery.", "I love my family, and my family loves me. Apples and cherries grow in the
  // garden."
  const std::string bread =
      "\xC2\xEA\xF3\xF1\xED\xFB\xE9 "
      "\xF5\xEB\xE5\xE1 "
      "\xEA\xE0\xE6\xE4\xFB\xE9 "
      "\xE4\xE5\xED\xFC "
      "\xE2 "
      "\xED\xE0\xF8\xE5\xE9 "
      "\xEF\xE5\xEA\xE0\xF0\xED\xE5. ";
  EXPECT_EQ(DetectCharset(bread), "windows-1251");
  const std::string family =
      "\x9F "
      "\xEB\xFE\xE1\xEB\xFE "
      "\xF1\xE2\xEE\xFE "
      "\xF1\xE5\xEC\xFC\xFE, "
      "\xE8 "
      "\xEC\xEE\xDF "
      "\xF1\xE5\xEC\xFC\xDF "
      "\xEB\xFE\xE1\xE8\xF2 "
      "\xEC\xE5\xED\xDF. "
      "\x9F\xE1\xEB\xEE\xEA\xE8 "
      "\xE8 "
      "\xE2\xE8\xF8\xED\xDF "
      "\xF0\xE0\xF1\xF2\xF3\xF2 "
      "\xE2 "
      "\xF1\xE0\xE4\xF3. ";
  EXPECT_EQ(DetectCharset(family), "x-mac-cyrillic");
}

std::string Decode(const std::string& body, std::string_view encoding) {
  std::string storage;
  return std::string(DecodeToUtf8(body, encoding, &storage));
}

// The WHATWG indexes, in cells where converters differ.
TEST(CharsetDecode, FollowsTheStandardsIndexes) {
  const struct {
    std::string encoding, bytes, text;
  } cases[] = {
      {"windows-1252", "\x80\x81\x99\xE9", "\u20AC\u0081\u2122\u00E9"},
      {"ISO-8859-2", "\x80\xB1", "\u0080\u0105"},
      {"ISO-8859-7", "\xA4\xA5\xAA\xAE", "\u20AC\u20AF\u037A\uFFFD"},
      {"ISO-8859-16", "\x80\xA4\xAA", "\u0080\u20AC\u0218"},
      {"KOI8-U", "\xAE\xBE\xC1", "\u045E\u040E\u0430"},
      {"macintosh", "\xDB\xF0", "\u20AC\uF8FF"},
      {"x-mac-cyrillic", "\xA2\xFF", "\u0490\u20AC"},
      {"windows-874", "\x80\xDB\xA1", "\u20AC\uFFFD\u0E01"},
      {"windows-1253", "\xAA\xC1", "\uFFFD\u0391"},
      {"windows-1255", "\xCA\xD9", "\u05BA\uFFFD"},
      {"IBM866", "\x80\x7F", "\u0410\x7F"},
      {"x-user-defined", "a\x80\xFF", "a\uF780\uF7FF"},
      {"GBK", "\xC4\xE3\x80", "\u4F60\u20AC"},
      {"gb18030", "\x81\x30\x81\x30\xC4\xE3\x94\x39\xDA\x33", "\u0080\u4F60\U0001F4A9"},
      {"Big5", "\xA7\x41\xA6\x6E", "\u4F60\u597D"},
      {"Big5", "\x87\x40", "\u43F0"},  // Hong Kong's supplement
      {"EUC-KR", "\xB0\xA1\\\x81\x41", "\uAC00\\\uAC02"},
      {"Shift_JIS", "\x82\xA0\\~\x81\x60\x81\x7C\xB1", "\u3042\\~\uFF5E\uFF0D\uFF71"},
      {"EUC-JP", "\xA4\xA2\xA1\xC1\x8E\xB1\x8F\xB0\xA1", "\u3042\uFF5E\uFF71\u4E02"},
      {"EUC-JP", "\xA4<\xA4\xA2\xFF", "\uFFFD<\u3042\uFFFD"},
      {"ISO-2022-JP", "a\x1B$B$\"\x1B(Bb\x1B(J\\~\x1B(I1", "a\u3042b\u00A5\u203E\uFF71"},
      {"UTF-16LE",
       "\xFF\xFE"
       "a\0=\xD8\xA9\xDC"s,
       "a\U0001F4A9"},
      {"UTF-16BE", "\0a\xD8\0\0b\0"s, "a\uFFFDb\uFFFD"},
      {"replacement", "anything", "\uFFFD"},
      {"replacement", "", ""},
  };
  for (const auto& wanted : cases) EXPECT_EQ(Decode(wanted.bytes, wanted.encoding), wanted.text) << wanted.encoding;
}

// Encoding Standard, every multi-byte decoder: "If byte is an ASCII byte, restore byte to ioQueue." A cut character
// never swallows a byte of the markup.
TEST(CharsetDecode, BrokenSequenceLeavesAsciiAlone) {
  const struct {
    std::string encoding, body, text;
  } cases[] = {
      {"Big5", "\xA4<b", "\uFFFD<b"},
      {"Big5", "\xA4\x80<", "\uFFFD<"},
      {"Big5", "\x80x\xFFy", "\uFFFDx\uFFFDy"},
      {"Big5", "\x88\x62", "\u00CA\u0304"},
      {"EUC-KR", "\xB0<b", "\uFFFD<b"},
      {"EUC-KR", "\xC7\xD1\xB0", "\uD55C\uFFFD"},
      {"Shift_JIS", "\x81<b", "\uFFFD<b"},
      {"Shift_JIS", "\x80\x7F\xA0\xB1", "\u0080\x7F\uFFFD\uFF71"},
      {"Shift_JIS", "\xF0\x40", "\uE000"},
      {"EUC-JP", "\xA4<b\x7F", "\uFFFD<b\x7F"},
      {"EUC-JP", "\x8F\xB0<", "\uFFFD<"},
      {"EUC-JP", "\x8E\xE0<", "\uFFFD<"},
      {"GBK", "\xB0<b\x80", "\uFFFD<b\u20AC"},
      {"gb18030", "\x81\x30<b", "\uFFFD0<b"},
      {"gb18030", "\x81\x30\x81<", "\uFFFD0\uFFFD<"},
      {"gb18030", "x\x81\x30\x81", "x\uFFFD"},
      {"gb18030", "\x90\x30\x81\x30\xA6\xD9", "\U00010000\uFE10"},
  };
  for (const auto& wanted : cases) {
    std::string storage;
    EXPECT_EQ(DecodeToUtf8(wanted.body, wanted.encoding, &storage), wanted.text)
        << wanted.encoding << ' ' << wanted.body;
  }
}

// 12.2.1: escape sequences with nothing between them, and bytes that stand for no character in a state.
TEST(CharsetDecode, Iso2022JpMarksWhatItCannotRead) {
  const struct {
    std::string body, text;
  } cases[] = {
      {"\x1B$B\x30\x21\x1B(B<", "\u4E9C<"},
      {"\x1B$B\x1B(Bx", "\uFFFDx"},
      {"\x1B(J\\~\x1B(I1\n", "\u00A5\u203E\uFF71\uFFFD"},
      {"\x1B$B\x30\n\x30\x21", "\uFFFD\u4E9C"},
      {"\x1B$B\x30\x1B(Bx", "\uFFFDx"},
      {"\x1B$x", "\uFFFD$x"},
      {"a\x0E\x7F\x1B", "a\uFFFD\x7F\uFFFD"},
  };
  for (const auto& wanted : cases) {
    std::string storage;
    EXPECT_EQ(DecodeToUtf8(wanted.body, "ISO-2022-JP", &storage), wanted.text) << wanted.body;
  }
}

TEST(CharsetDecode, HalfAPairAtTheEndOfUtf16IsOneCharacter) {
  std::string storage;
  EXPECT_EQ(DecodeToUtf8("\x41\xD8\x42"s, "UTF-16BE", &storage), "\u41D8\uFFFD");
  EXPECT_EQ(DecodeToUtf8("\xD8\x41\x42"s, "UTF-16BE", &storage), "\uFFFD");
  EXPECT_EQ(DecodeToUtf8("\xD8\x41\0x"s, "UTF-16BE", &storage), "\uFFFDx");
}

// WHATWG Encoding, 8.1.1: one U+FFFD for each maximal subpart.
TEST(CharsetDecode, BrokenUtf8IsReplaced) {
  const struct {
    std::string bytes, text;
  } cases[] = {
      {"\xEF\xBB\xBFx", "x"},
      {"a\xFF"
       "b",
       "a\uFFFDb"},
      {"\xC0\x80", "\uFFFD\uFFFD"},
      {"\xE2\x82", "\uFFFD"},
      {"\xE2\x82z", "\uFFFDz"},
      {"\xED\xA0\x80", "\uFFFD\uFFFD\uFFFD"},
      {"\xF0\x9F\x92\xA9\xF4\x90\x80\x80", "\U0001F4A9\uFFFD\uFFFD\uFFFD\uFFFD"},
  };
  for (const auto& wanted : cases) {
    EXPECT_EQ(Decode(wanted.bytes, "UTF-8"), wanted.text);
    EXPECT_EQ(ValidUtf8Prefix(Decode(wanted.bytes, "UTF-8")), wanted.text.size());
  }
}

TEST(CharsetDecode, WhatIsUtf8AlreadyIsNotCopied) {
  std::string storage;
  const std::string utf8 = "gr\u00FC\u00DFe", ascii = "plain";
  EXPECT_EQ(DecodeToUtf8(utf8, "UTF-8", &storage).data(), utf8.data());
  EXPECT_EQ(DecodeToUtf8(ascii, "Shift_JIS", &storage).data(), ascii.data());
  EXPECT_TRUE(storage.empty());
}

// Every encoding of the standard decodes every byte to well-formed UTF-8.
TEST(CharsetDecode, EveryEncodingTakesEveryByte) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += {static_cast<char>(i), static_cast<char>(255 - i), static_cast<char>(i * 7)};
  for (const std::string_view encoding :
       {"UTF-8",        "IBM866",       "ISO-8859-2",   "ISO-8859-3",    "ISO-8859-4",     "ISO-8859-5",
        "ISO-8859-6",   "ISO-8859-7",   "ISO-8859-8",   "ISO-8859-8-I",  "ISO-8859-10",    "ISO-8859-13",
        "ISO-8859-14",  "ISO-8859-15",  "ISO-8859-16",  "KOI8-R",        "KOI8-U",         "macintosh",
        "windows-874",  "windows-1250", "windows-1251", "windows-1252",  "windows-1253",   "windows-1254",
        "windows-1255", "windows-1256", "windows-1257", "windows-1258",  "x-mac-cyrillic", "GBK",
        "gb18030",      "Big5",         "EUC-JP",       "ISO-2022-JP",   "Shift_JIS",      "EUC-KR",
        "replacement",  "UTF-16BE",     "UTF-16LE",     "x-user-defined"}) {
    const std::string text = Decode(bytes, encoding);
    EXPECT_EQ(ValidUtf8Prefix(text), text.size()) << encoding;
    EXPECT_FALSE(text.empty());
  }
}

}  // namespace
}  // namespace trawl
