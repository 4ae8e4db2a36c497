#include "formats/charset/icu.h"

#include <unicode/ucnv.h>
#include <unicode/utf16.h>

#include <memory>
#include <utility>

namespace trawl {
namespace {

struct ConverterName {
  std::string_view encoding;
  const char* converter;
};

constexpr ConverterName kSingleByte[] = {
    {"IBM866", "ibm-866_P100-1995"},
    {"ISO-8859-2", "ISO-8859-2"},
    {"ISO-8859-3", "ISO-8859-3"},
    {"ISO-8859-4", "ISO-8859-4"},
    {"ISO-8859-5", "ISO-8859-5"},
    {"ISO-8859-6", "ISO-8859-6"},
    {"ISO-8859-7", "ISO-8859-7"},
    {"ISO-8859-8", "ISO-8859-8"},
    {"ISO-8859-8-I", "ISO-8859-8"},
    {"ISO-8859-10", "ISO-8859-10"},
    {"ISO-8859-13", "ISO-8859-13"},
    {"ISO-8859-14", "ISO-8859-14"},
    {"ISO-8859-15", "ISO-8859-15"},
    {"KOI8-R", "KOI8-R"},
    {"KOI8-U", "KOI8-U"},
    {"macintosh", "macintosh"},
    {"windows-874", "windows-874-2000"},
    {"windows-1250", "windows-1250"},
    {"windows-1251", "windows-1251"},
    {"windows-1252", "windows-1252"},
    {"windows-1253", "windows-1253"},
    {"windows-1254", "windows-1254"},
    {"windows-1255", "windows-1255"},
    {"windows-1256", "windows-1256"},
    {"windows-1257", "windows-1257"},
    {"windows-1258", "windows-1258"},
    {"x-mac-cyrillic", "x-mac-cyrillic"},
};

// ICU has no ISO-8859-16. The table begins at 0xA0.
constexpr uint16_t kIso8859Part16[96] = {
    0x00A0, 0x0104, 0x0105, 0x0141, 0x20AC, 0x201E, 0x0160, 0x00A7, 0x0161, 0x00A9, 0x0218, 0x00AB, 0x0179, 0x00AD,
    0x017A, 0x017B, 0x00B0, 0x00B1, 0x010C, 0x0142, 0x017D, 0x201D, 0x00B6, 0x00B7, 0x017E, 0x010D, 0x0219, 0x00BB,
    0x0152, 0x0153, 0x0178, 0x017C, 0x00C0, 0x00C1, 0x00C2, 0x0102, 0x00C4, 0x0106, 0x00C6, 0x00C7, 0x00C8, 0x00C9,
    0x00CA, 0x00CB, 0x00CC, 0x00CD, 0x00CE, 0x00CF, 0x0110, 0x0143, 0x00D2, 0x00D3, 0x00D4, 0x0150, 0x00D6, 0x015A,
    0x0170, 0x00D9, 0x00DA, 0x00DB, 0x00DC, 0x0118, 0x021A, 0x00DF, 0x00E0, 0x00E1, 0x00E2, 0x0103, 0x00E4, 0x0107,
    0x00E6, 0x00E7, 0x00E8, 0x00E9, 0x00EA, 0x00EB, 0x00EC, 0x00ED, 0x00EE, 0x00EF, 0x0111, 0x0144, 0x00F2, 0x00F3,
    0x00F4, 0x0151, 0x00F6, 0x015B, 0x0171, 0x00F9, 0x00FA, 0x00FB, 0x00FC, 0x0119, 0x021B, 0x00FF};

// Cells where ICU's table differs from the standard's.
struct Cell {
  std::string_view encoding;
  uint8_t byte;
  uint16_t code_point;
};
constexpr Cell kMended[] = {
    {"KOI8-U", 0xAE, 0x045E},
    {"KOI8-U", 0xBE, 0x040E},
    {"windows-1253", 0xAA, 0xFFFD},
    {"windows-1255", 0xCA, 0x05BA},
};

struct CloseConverter {
  void operator()(UConverter* converter) const { ucnv_close(converter); }
};
using Converter = std::unique_ptr<UConverter, CloseConverter>;

Converter OpenConverter(const char* name) {
  UErrorCode error = U_ZERO_ERROR;
  Converter converter(ucnv_open(name, &error));
  if (U_FAILURE(error)) return nullptr;
  // ICU's own substitution writes U+001A for some single bytes.
  ucnv_setToUCallBack(converter.get(), UCNV_TO_U_CALLBACK_STOP, nullptr, nullptr, nullptr, &error);
  return U_FAILURE(error) ? nullptr : std::move(converter);
}

// 0 where `bytes` are not exactly one character.
uint32_t ReadCharacter(UConverter* converter, std::string_view bytes) {
  UChar units[8];
  UErrorCode error = U_ZERO_ERROR;
  const int32_t count = ucnv_toUChars(converter, units, 8, bytes.data(), static_cast<int32_t>(bytes.size()), &error);
  if (U_FAILURE(error) || count < 1) return 0;
  if (count == 1) return units[0];
  return count == 2 && U16_IS_LEAD(units[0]) ? static_cast<uint32_t>(U16_GET_SUPPLEMENTARY(units[0], units[1])) : 0;
}

const char* ConverterFor(std::string_view encoding) {
  for (const ConverterName& name : kSingleByte) {
    if (name.encoding == encoding) return name.converter;
  }
  return nullptr;
}

}  // namespace

bool SingleByteTable(std::string_view encoding, std::array<uint16_t, 128>* high) {
  if (encoding == "ISO-8859-16") {
    for (size_t i = 0; i < 128; ++i) (*high)[i] = i < 32 ? static_cast<uint16_t>(0x80 + i) : kIso8859Part16[i - 32];
    return true;
  }
  const char* name = ConverterFor(encoding);
  const Converter converter = name == nullptr ? nullptr : OpenConverter(name);
  if (!converter) return false;
  for (size_t i = 0; i < 128; ++i) {
    const char byte = static_cast<char>(0x80 + i);
    const uint32_t character = ReadCharacter(converter.get(), {&byte, 1});
    // ICU maps unassigned bytes to the private use area; the standard has only the Apple logo there.
    const bool is_private = character >= 0xE000 && character <= 0xF8FF && encoding != "macintosh";
    (*high)[i] = character == 0 || is_private ? 0xFFFD : static_cast<uint16_t>(character);
  }
  for (const Cell& cell : kMended) {
    if (cell.encoding == encoding) (*high)[cell.byte - 0x80u] = cell.code_point;
  }
  return true;
}

IcuCharacters::IcuCharacters(const char* converter) : converter_(OpenConverter(converter).release()) {}

IcuCharacters::~IcuCharacters() { ucnv_close(converter_); }

uint32_t IcuCharacters::Read(std::string_view bytes) const {
  return converter_ == nullptr ? 0 : ReadCharacter(converter_, bytes);
}

}  // namespace trawl
