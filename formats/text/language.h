// The language that a text is written in. This is the only door to CLD2. Pure; any thread.
#pragma once

#include <string_view>

namespace trawl {

inline constexpr std::string_view kUnknownLanguage = "und";

// Other facts about a text. A hint decides where the text alone leaves it close.
struct LanguageHints {
  std::string_view declared;          // as in <html lang> or Content-Language: "de-AT", "en,fr"
  std::string_view top_level_domain;  // "de"
};

// The ISO 639-1 code of the main language of `text`, which is plain UTF-8. kUnknownLanguage where the text has too few
// letters, is too short or too mixed to be sure, is in no language, or where ISO 639-1 has no code. In a long text the beginning and the
// middle decide. The result lives for ever.
std::string_view LanguageOf(std::string_view text, const LanguageHints& hints = {});

// The ISO 639-3 code ("deu") of an ISO 639-1 code ("de"). Empty where there is none. The result lives for ever.
std::string_view ThreeLetterLanguageOf(std::string_view code);

}  // namespace trawl
