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

#include <array>
#include <cstddef>
#include <cstdint>
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
  // Writes the next token into `out` at *end and moves *end after it, without a copy on the way; false at the end.
  // `out` grows where the token needs it, and has at least one byte after the token.
  bool Write(std::string* out, size_t* end);

 private:
  // The next bytes of the text, looked at all at once.
  struct Block {
    static constexpr size_t kBytes = 64;
    size_t begin = 0;
    size_t end = 0;
    // One bit for each byte, the lowest for the first. Bytes that are not ASCII are in neither.
    uint64_t words = 0;       // ASCII letters and digits
    uint64_t separators = 0;  // the rest of ASCII
    // The bytes with small letters for capitals, and room to copy eight at a time.
    std::array<char, kBytes + 8> folded;
  };
  // Looks at the bytes from at_ on.
  void LoadBlock();
  // Writes the ASCII letters and digits at at_, which are the first `size` of the block from `offset` on.
  void WriteAscii(size_t offset, size_t size, std::string* out, size_t* end);

  std::string_view text_;
  size_t at_ = 0;
  Block block_;
  std::string token_;
};

}  // namespace trawl
