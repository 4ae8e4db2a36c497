// Encodings that expat does not know itself, looked up in ICU. Used by xml_stream.cc alone.
#pragma once

#include <memory>
#include <string_view>

namespace trawl {

// One encoding, byte by byte. For one thread at a time.
class XmlEncoding {
 public:
  // Null for a name that ICU does not know, and for encodings with shift states or of more than three bytes a
  // character.
  static std::unique_ptr<XmlEncoding> For(std::string_view name);
  ~XmlEncoding();

  // The character that a byte alone stands for; -1 where it is none, -2 or -3 where it begins one of so many bytes.
  int FirstByte(unsigned char byte) const { return first_[byte]; }
  // The character of as many bytes as its first one says; -1 where they are none.
  int Convert(const char* bytes) const;

 private:
  struct Converter;
  explicit XmlEncoding(std::unique_ptr<Converter> converter);
  // As FirstByte, found out by trying.
  int TryFirstByte(unsigned char byte) const;

  std::unique_ptr<Converter> converter_;
  int first_[256];
};

}  // namespace trawl
