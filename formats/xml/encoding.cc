#include "formats/xml/encoding.h"

#include <unicode/ucnv.h>

#include <string>
#include <utility>

namespace trawl {

struct XmlEncoding::Converter {
  explicit Converter(UConverter* opened) : icu(opened) {}
  ~Converter() { ucnv_close(icu); }
  Converter(const Converter&) = delete;
  Converter& operator=(const Converter&) = delete;

  // The character that these `size` bytes stand for; -1 where they are not exactly one, -2 where they are the beginning
  // of one.
  int Decode(const char* bytes, int size) const {
    UErrorCode error = U_ZERO_ERROR;
    UChar out[4];
    UChar* end = out;
    const char* source = bytes;
    ucnv_reset(icu);
    ucnv_toUnicode(icu, &end, out + 4, &source, bytes + size, nullptr, /*flush=*/false, &error);
    if (U_FAILURE(error)) return -1;
    if (end == out) return -2;
    return end == out + 1 && out[0] != 0xFFFD && !U16_IS_SURROGATE(out[0]) ? out[0] : -1;
  }

  UConverter* icu;
};

XmlEncoding::XmlEncoding(std::unique_ptr<Converter> converter) : converter_(std::move(converter)) {
  for (int byte = 0; byte < 256; ++byte) first_[byte] = TryFirstByte(static_cast<unsigned char>(byte));
}

XmlEncoding::~XmlEncoding() = default;

std::unique_ptr<XmlEncoding> XmlEncoding::For(std::string_view name) {
  UErrorCode error = U_ZERO_ERROR;
  UConverter* opened = ucnv_open(std::string(name).c_str(), &error);
  if (U_FAILURE(error)) return nullptr;
  auto converter = std::make_unique<Converter>(opened);
  ucnv_setToUCallBack(opened, UCNV_TO_U_CALLBACK_STOP, nullptr, nullptr, nullptr, &error);
  const UConverterType type = ucnv_getType(opened);
  if (U_FAILURE(error) || (type != UCNV_SBCS && type != UCNV_DBCS && type != UCNV_MBCS && type != UCNV_LATIN_1))
    return nullptr;
  return std::unique_ptr<XmlEncoding>(new XmlEncoding(std::move(converter)));
}

int XmlEncoding::TryFirstByte(unsigned char byte) const {
  const char first = static_cast<char>(byte);
  const int alone = converter_->Decode(&first, 1);
  if (alone != -2) return alone;
  // EUC-JP has characters of three bytes, which all begin with this one.
  const char three[] = {first, '\xA1', '\xA1'};
  return byte == 0x8F && converter_->Decode(three, 2) == -2 ? -3 : -2;
}

int XmlEncoding::Convert(const char* bytes) const {
  const int character = converter_->Decode(bytes, -first_[static_cast<unsigned char>(bytes[0])]);
  return character < 0 ? -1 : character;
}

}  // namespace trawl
