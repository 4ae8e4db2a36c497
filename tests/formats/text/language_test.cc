#include "formats/text/language.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace trawl {
namespace {

struct Sentence {
  const char* text;
  const char* language;
};

constexpr Sentence kSentences[] = {
    {"The weather was fine this morning, and everybody went out for a walk along the river.", "en"},
    {"Heute Morgen war das Wetter schön, und alle gingen am Fluss spazieren.", "de"},
    {"Ce matin il faisait beau et tout le monde est allé se promener au bord de la rivière.", "fr"},
    {"Esta mañana hacía buen tiempo y todos salieron a pasear por la orilla del río.", "es"},
    {"Сегодня утром была хорошая погода, и все пошли гулять вдоль реки.", "ru"},
    {"今朝は天気が良かったので、みんなで川沿いを散歩しました。", "ja"},
    {"今天早上天气很好，大家都去河边散步了。我们走了很远的路。", "zh"},
    {"今天早上天氣很好，大家都去河邊散步了。我們走了很遠的路。", "zh"},
    {"오늘 아침에는 날씨가 좋아서 모두 강가를 산책했습니다.", "ko"},
    {"هذا الصباح كان الطقس جميلا وخرج الجميع للتنزه على ضفة النهر.", "ar"},
    {"הבוקר היה מזג אוויר נאה וכולם יצאו לטייל לאורך הנהר.", "he"},
    {"Σήμερα το πρωί ο καιρός ήταν καλός και όλοι βγήκαν περίπατο δίπλα στο ποτάμι.", "el"},
};

TEST(Language, SentencesHaveTheirLanguage) {
  for (const Sentence& c : kSentences) EXPECT_EQ(LanguageOf(c.text), c.language) << c.text;
}

TEST(Language, UnsureIsUndetermined) {
  for (const char* text : {"", " ", "ok", "12345 67890 +-*/", "xq zzv wkj qpl"})
    EXPECT_EQ(LanguageOf(text), "und") << text;
}

TEST(Language, FewLettersAreUndeterminedWhateverTheHintsSay) {
  for (const char* text : {"Hallo Welt", "Willkommen", "404 Not Found 404", "東京都", "It works! 1, 2, 3, 4, 5"}) {
    EXPECT_EQ(LanguageOf(text), "und") << text;
    EXPECT_EQ(LanguageOf(text, {.declared = "de", .top_level_domain = "de"}), "und") << text;
  }
  EXPECT_EQ(LanguageOf("Willkommen hier"), "de");
  EXPECT_EQ(LanguageOf("你好世界"), "zh");
}

// Only samples of it are read, wherever they begin and end.
TEST(Language, ALongTextHasTheLanguageOfItsSentences) {
  for (const Sentence& c : kSentences) {
    std::string text = "Home | Login | 2026 ";
    for (int sentences = 0; sentences < 100; ++sentences) {
      text += c.text;
      text += ' ';
      if (text.size() < 400) continue;
      ASSERT_EQ(LanguageOf(text), c.language) << text.size() << " bytes";
    }
  }
}

TEST(Language, BytesThatAreNoTextDoNotMatter) {
  std::string text = "The weather was fine this morning, and everybody went out for a walk along the river.";
  text.insert(10, std::string("\0\x01\xFF\xED\xA0\x80\xEF\xBF\xBF", 9));
  EXPECT_EQ(LanguageOf(text), "en");
  EXPECT_EQ(LanguageOf(std::string(1 << 20, '\xFF')), "und");
}

TEST(Language, HintsOfAnyLengthAreTaken) {
  const std::string text = "Heute Morgen war das Wetter schön, und alle gingen am Fluss spazieren.";
  EXPECT_EQ(LanguageOf(text, {.declared = "de-AT", .top_level_domain = "at"}), "de");
  EXPECT_EQ(LanguageOf(text, {.declared = std::string(100000, 'x'), .top_level_domain = std::string(100000, 'y')}),
            "de");
}

TEST(Language, CodesOfThreeLetters) {
  const std::pair<std::string, std::string> kCases[] = {{"de", "deu"}, {"zh", "zho"}, {"iw", "heb"}, {"und", ""},
                                                        {"xx", ""},    {"de-AT", ""}, {"", ""}};
  for (const auto& [code, expected] : kCases) EXPECT_EQ(ThreeLetterLanguageOf(code), expected) << code;
}

}  // namespace
}  // namespace trawl
