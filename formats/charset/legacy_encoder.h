// Encoders of the web's legacy encodings, https://encoding.spec.whatwg.org/. A page that is not UTF-8 has its queries
// written in its own encoding. Uses ICU's converters and corrects their differences from the standard's indexes; one of
// ICU's doors.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace trawl {

// For one text at a time, and for one thread.
class LegacyEncoder {
 public:
  // `name` is the standard's name of the encoding, in any case. Null where the standard encodes as UTF-8 (UTF-8 itself,
  // UTF-16, replacement), and for an unknown name.
  static std::unique_ptr<LegacyEncoder> For(std::string_view name);
  virtual ~LegacyEncoder() = default;

  // Appends the bytes of a character. Where the encoding lacks it, returns the character that must be named in its
  // place; bytes that lead back to ASCII may then have been appended.
  virtual std::optional<char32_t> Encode(char32_t character, std::string* bytes) = 0;
  // Ends the text: appends the bytes that lead back to the initial state.
  virtual void Finish(std::string* /*bytes*/) {}
  // False where some ASCII bytes do not stand for themselves.
  virtual bool KeepsAscii() const { return true; }
};

}  // namespace trawl
