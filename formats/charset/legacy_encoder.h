// Encoders of the web's legacy encodings, https://encoding.spec.whatwg.org/: what a query is written in on a page that
// is not UTF-8. ICU's converters with their differences from the standard's indexes evened out; one of ICU's doors.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace trawl {

// For one text at a time, and one thread.
class LegacyEncoder {
 public:
  // By the standard's name of the encoding, in any case. Null where the standard encodes as UTF-8 (UTF-8 itself,
  // UTF-16, replacement), and for a name that it does not have.
  static std::unique_ptr<LegacyEncoder> For(std::string_view name);
  virtual ~LegacyEncoder() = default;

  // Appends the bytes of a character. Where the encoding lacks it, the character that is to be named in its place;
  // bytes that lead back to ASCII may then have been appended.
  virtual std::optional<char32_t> Encode(char32_t character, std::string* bytes) = 0;
  // Ends the text: what leads back to the initial state.
  virtual void Finish(std::string* /*bytes*/) {}
  // False where some ASCII characters are not themselves.
  virtual bool KeepsAscii() const { return true; }
};

}  // namespace trawl
