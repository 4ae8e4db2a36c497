// The words of a text, for fingerprints. The result is stored (see simhash.h), so whoever changes the rules below must
// also raise the version of everything made from them.
//
//  1. The text is UTF-8; an ill-formed sequence separates words.
//  2. A character counts if its general category in Unicode 15 is a letter (L), a mark (M) or a decimal digit (Nd).
//     Every other character separates words.
//  3. A character that counts is put into simple case folding (CaseFolding.txt, status C and S). Nothing is normalised.
//  4. A token is a longest run of characters that count; but each one whose script is Han, Hiragana, Katakana, Thai,
//     Lao, Khmer or Myanmar is a token of its own, because these are written without spaces between words.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace trawl {

// Reads the tokens of a text one by one. For one thread.
class TokenReader {
 public:
  // `text` must outlive the reader.
  explicit TokenReader(std::string_view text) : text_(text) {}
  // The next token in UTF-8; false at the end. The token lives until the next call.
  bool Next(std::string_view* token);

 private:
  // Appends the folded characters from at_ on that belong to one token.
  void TakeRun();
  // The same, for as long as the characters are ASCII, as most characters of most texts are.
  void TakeAsciiRun();

  std::string_view text_;
  size_t at_ = 0;
  std::string token_;
};

}  // namespace trawl
