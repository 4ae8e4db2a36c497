// The language that a text is written in: the one door to CLD2. Pure; any thread.
#pragma once

#include <string_view>

namespace trawl {

inline constexpr std::string_view kUnknownLanguage = "und";

// What else is known of a text. Hints tip the balance where the text alone leaves it close.
struct LanguageHints {
  std::string_view declared;          // as in <html lang> or Content-Language: "de-AT", "en,fr"
  std::string_view top_level_domain;  // "de"
};

// The ISO 639-1 code of the main language of `text`, plain UTF-8; kUnknownLanguage where the text is too short or too
// mixed to be sure, is no language's, or where ISO 639-1 has no code. Of a long text its beginning and its middle
// decide. The result lives for ever.
std::string_view LanguageOf(std::string_view text, const LanguageHints& hints = {});

}  // namespace trawl
