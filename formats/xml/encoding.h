// Looks up in ICU the encodings that expat does not know itself. Only stream.cc uses it.
#pragma once

#include <memory>
#include <string_view>

namespace trawl {

// One encoding, byte by byte. For one thread at a time.
class XmlEncoding {
 public:
  // Null for a name that ICU does not know, for encodings with shift states, and for those with more than three bytes
  // per character.
  static std::unique_ptr<XmlEncoding> For(std::string_view name);
  ~XmlEncoding();

  // The character that a single byte stands for; -1 where the byte is invalid; -2 or -3 where it begins a character of
  // 2 or 3 bytes.
  int FirstByte(unsigned char byte) const { return first_[byte]; }
  // The character at `bytes`, which has the length that its first byte tells; -1 where these bytes are invalid.
  int Convert(const char* bytes) const;

 private:
  struct Converter;
  explicit XmlEncoding(std::unique_ptr<Converter> converter);
  // The same as FirstByte, found out by trying.
  int TryFirstByte(unsigned char byte) const;

  std::unique_ptr<Converter> converter_;
  int first_[256];
};

}  // namespace trawl
