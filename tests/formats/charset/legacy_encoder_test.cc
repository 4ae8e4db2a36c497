#include "formats/charset/legacy_encoder.h"

#include <gtest/gtest.h>

#include <string>

#include "formats/digests/digest.h"

namespace trawl {
namespace {

// The bytes in hexadecimal digits; a character that the encoding lacks as "&N;".
std::string Encoded(const char* encoding, std::u32string_view text) {
  const auto encoder = LegacyEncoder::For(encoding);
  if (encoder == nullptr) return "no encoder";
  std::string all;
  for (const char32_t character : text) {
    std::string bytes;
    const auto lacking = encoder->Encode(character, &bytes);
    all += ToHex(bytes);
    if (lacking) all += "&" + std::to_string(static_cast<uint32_t>(*lacking)) + ";";
  }
  std::string bytes;
  encoder->Finish(&bytes);
  return all + ToHex(bytes);
}

// https://encoding.spec.whatwg.org/, the encoders and indexes: characters where ICU's converters differ, and one plain
// character for each encoding.
TEST(LegacyEncoder, FollowsTheIndexesOfTheStandard) {
  struct {
    const char* encoding;
    char32_t character;
    const char* bytes;
  } cases[] = {
      {"Big5", U'中', "a4a4"},
      {"Big5", 0x2550, "f9f9"},  // this is the last of several pointers
      {"Big5", 0x2421, "a3e0"},
      {"Big5", 0xc0, "&192;"},  // only decoded
      {"EUC-JP", U'あ', "a4a2"},
      {"EUC-JP", 0xff71, "8eb1"},
      {"EUC-JP", 0x2212, "a1dd"},  // step 7: as U+FF0D
      {"EUC-JP", 0xa5, "5c"},
      {"EUC-JP", 0xa1, "&161;"},  // JIS X 0212
      {"EUC-KR", U'가', "b0a1"},
      {"EUC-KR", 0xe000, "&57344;"},
      {"gb18030", U'€', "a2e3"},
      {"gb18030", 0x1f600, "9439fc36"},
      {"gb18030", 0xe5e5, "&58853;"},  // step 3
      {"gb18030", 0xfe10, "a6d9"},
      {"GBK", U'€', "80"},           // step 4
      {"GBK", 0x1f600, "&128512;"},  // step 6
      {"Shift_JIS", U'あ', "82a0"},
      {"Shift_JIS", 0x80, "80"},
      {"Shift_JIS", 0xff71, "b1"},
      {"Shift_JIS", 0x2212, "817c"},
      {"Shift_JIS", 0xe000, "&57344;"},
      {"windows-1252", U'€', "80"},
      {"windows-1252", 0x81, "81"},
      {"windows-1252", 0xad, "ad"},
      {"windows-1252", 0x200d, "&8205;"},  // invisible, and not left out
      {"windows-1253", 0xaa, "&170;"},
      {"windows-1255", 0x5ba, "ca"},
      {"KOI8-U", 0x40e, "be"},
      {"ISO-8859-16", 0x219, "ba"},
      {"ISO-8859-16", 0x15f, "&351;"},
      {"ISO-8859-8-I", 0x5d0, "e0"},
      {"macintosh", 0xf8ff, "f0"},
      {"x-mac-cyrillic", U'Я', "9f"},
      {"windows-874", U'ก', "a1"},
      {"IBM866", U'я', "ef"},
      {"x-user-defined", 0xf7ff, "ff"},
      {"x-user-defined", 0xff, "&255;"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(Encoded(c.encoding, std::u32string(1, c.character)), c.bytes)
        << c.encoding << " " << static_cast<uint32_t>(c.character);
  }
}

// https://encoding.spec.whatwg.org/#iso-2022-jp-encoder
TEST(LegacyEncoder, Iso2022JpShiftsAndShiftsBack) {
  EXPECT_EQ(Encoded("ISO-2022-JP", U"a"), "61");
  EXPECT_EQ(Encoded("ISO-2022-JP", U"あい"),
            "1b24422422242"
            "41b2842");
  EXPECT_EQ(Encoded("ISO-2022-JP", U"あa"), "1b244224221b284261");
  EXPECT_EQ(Encoded("ISO-2022-JP", U"‾a~"), "1b284a7e611b28427e");
  EXPECT_EQ(Encoded("ISO-2022-JP", U"あ¥"), "1b244224221b284a5c1b2842");
  EXPECT_EQ(Encoded("ISO-2022-JP", U"ｱ"), "1b244225221b2842");
  EXPECT_EQ(Encoded("ISO-2022-JP", U"あé"), "1b244224221b2842&233;");
  EXPECT_EQ(Encoded("ISO-2022-JP", U"\x0e\x1b"), "&65533;&65533;");
}

// The number of characters of the basic plane that each encodes: the sizes of the standard's indexes, minus the
// characters that are only decoded.
TEST(LegacyEncoder, EncodesAsManyCharactersAsTheStandard) {
  struct {
    const char* encoding;
    int characters;
  } cases[] = {{"big5", 14362},       {"euc-jp", 7392},      {"euc-kr", 17048},       {"gb18030", 63359},
               {"gbk", 23957},        {"ibm866", 128},       {"iso-2022-jp", 7392},   {"iso-8859-10", 128},
               {"iso-8859-13", 128},  {"iso-8859-14", 128},  {"iso-8859-15", 128},    {"iso-8859-16", 128},
               {"iso-8859-2", 128},   {"iso-8859-3", 121},   {"iso-8859-4", 128},     {"iso-8859-5", 128},
               {"iso-8859-6", 83},    {"iso-8859-7", 125},   {"iso-8859-8", 92},      {"iso-8859-8-i", 92},
               {"koi8-r", 128},       {"koi8-u", 128},       {"macintosh", 128},      {"shift_jis", 7393},
               {"windows-1250", 128}, {"windows-1251", 128}, {"windows-1252", 128},   {"windows-1253", 125},
               {"windows-1254", 128}, {"windows-1255", 118}, {"windows-1256", 128},   {"windows-1257", 126},
               {"windows-1258", 128}, {"windows-874", 120},  {"x-mac-cyrillic", 128}, {"x-user-defined", 128}};
  for (const auto& c : cases) {
    const auto encoder = LegacyEncoder::For(c.encoding);
    ASSERT_NE(encoder, nullptr) << c.encoding;
    int characters = 0;
    std::string bytes;
    for (char32_t character = 0x80; character < 0x10000; ++character) {
      if (character >= 0xd800 && character < 0xe000) continue;
      bytes.clear();
      characters += encoder->Encode(character, &bytes) ? 0 : 1;
    }
    EXPECT_EQ(characters, c.characters) << c.encoding;
  }
}

TEST(LegacyEncoder, IsFoundByAnyLabel) {
  EXPECT_EQ(Encoded(" Latin1", U"é"), "e9");
  EXPECT_EQ(Encoded("sjis", U"あ"), "82a0");
  EXPECT_EQ(Encoded("gb2312", U"中"), "d6d0");
}

TEST(LegacyEncoder, ThereIsNoneWhereQueriesAreUtf8) {
  for (const char* name : {"UTF-8", "UTF-16BE", "UTF-16LE", "utf8", "replacement", "no label", ""}) {
    EXPECT_EQ(LegacyEncoder::For(name), nullptr) << name;
  }
}

}  // namespace
}  // namespace trawl
