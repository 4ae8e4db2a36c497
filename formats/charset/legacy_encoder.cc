#include "formats/charset/legacy_encoder.h"

#include <unicode/ucnv.h>
#include <unicode/utf16.h>

#include <cstdint>
#include <iterator>
#include <span>
#include <utility>

#include "formats/charset/iso2022jp_encoder.h"
#include "formats/charset/labels.h"

namespace trawl {

namespace {

// Characters that ICU's converters know and the standard's encoders lack.
enum class Without : uint8_t {
  kNothing,
  kPrivateUse,
  kPrivateUseAndControls,  // C1, which multi-byte encodings lack
  kJis0212,                // the same, and EUC-JP's three-byte characters, which the standard only decodes
  kHongKong,               // the same, and Big5's lead bytes before 0xA1, which the standard only decodes
  kFourBytes,              // GBK is gb18030 without them
};

// Characters that the standard encodes differently from ICU: `first` as `code`, the next one as `code` + 1… Code 0: not
// at all.
struct Run {
  char16_t first;
  char16_t last;
  uint16_t code;
};

constexpr Run kBig5[] = {{0x2400, 0x241f, 0xa3c0}, {0x2421, 0x2421, 0xa3e0}, {0x31cf, 0x31cf, 0xc879},
                         {0x4edd, 0x4edd, 0xc6df}, {0x5605, 0x5605, 0xfb48}, {0x5ed0, 0x5ed0, 0xfbf9},
                         {0x5ef4, 0x5ef4, 0xc6cf}, {0x60a4, 0x60a4, 0xfc6c}, {0x65e0, 0x65e0, 0xc6d3},
                         {0x732a, 0x732a, 0xfe52}, {0x7676, 0x7676, 0xc6d5}, {0x96b6, 0x96b6, 0xc6d7},
                         {0x9fb0, 0x9fb0, 0xc8a1}, {0x9fb1, 0x9fb1, 0xc8a3}};
constexpr Run kEucJp[] = {{0xa5, 0xa5, 0x5c}, {0x203e, 0x203e, 0x7e}, {0x2212, 0x2212, 0xa1dd}};
// The characters that the edition of 2022 moved out of private use; for GBK alone, also the euro sign as one byte.
constexpr Run kGbk[] = {{0x9fb4, 0x9fb4, 0xfe59}, {0x9fb5, 0x9fb5, 0xfe61}, {0x9fb6, 0x9fb7, 0xfe66},
                        {0x9fb8, 0x9fb8, 0xfe6d}, {0x9fb9, 0x9fb9, 0xfe7e}, {0x9fba, 0x9fba, 0xfe90},
                        {0x9fbb, 0x9fbb, 0xfea0}, {0xe5e5, 0xe5e5, 0},      {0xfe10, 0xfe10, 0xa6d9},
                        {0xfe11, 0xfe11, 0xa6db}, {0xfe12, 0xfe12, 0xa6da}, {0xfe13, 0xfe16, 0xa6dc},
                        {0xfe17, 0xfe18, 0xa6ec}, {0xfe19, 0xfe19, 0xa6f3}, {0x20ac, 0x20ac, 0x80}};
constexpr Run kIso8859_16[] = {
    {0x80, 0xa0, 0x80},     {0xa7, 0xa7, 0xa7},     {0xa9, 0xa9, 0xa9},    {0xab, 0xab, 0xab},   {0xad, 0xad, 0xad},
    {0xb0, 0xb1, 0xb0},     {0xb6, 0xb7, 0xb6},     {0xbb, 0xbb, 0xbb},    {0xc0, 0xc2, 0xc0},   {0xc4, 0xc4, 0xc4},
    {0xc6, 0xcf, 0xc6},     {0xd2, 0xd4, 0xd2},     {0xd6, 0xd6, 0xd6},    {0xd9, 0xdc, 0xd9},   {0xdf, 0xe2, 0xdf},
    {0xe4, 0xe4, 0xe4},     {0xe6, 0xef, 0xe6},     {0xf2, 0xf4, 0xf2},    {0xf6, 0xf6, 0xf6},   {0xf9, 0xfc, 0xf9},
    {0xff, 0xff, 0xff},     {0x102, 0x102, 0xc3},   {0x103, 0x103, 0xe3},  {0x104, 0x105, 0xa1}, {0x106, 0x106, 0xc5},
    {0x107, 0x107, 0xe5},   {0x10c, 0x10c, 0xb2},   {0x10d, 0x10d, 0xb9},  {0x110, 0x110, 0xd0}, {0x111, 0x111, 0xf0},
    {0x118, 0x118, 0xdd},   {0x119, 0x119, 0xfd},   {0x141, 0x141, 0xa3},  {0x142, 0x142, 0xb3}, {0x143, 0x143, 0xd1},
    {0x144, 0x144, 0xf1},   {0x150, 0x150, 0xd5},   {0x151, 0x151, 0xf5},  {0x152, 0x153, 0xbc}, {0x15a, 0x15a, 0xd7},
    {0x15b, 0x15b, 0xf7},   {0x160, 0x160, 0xa6},   {0x161, 0x161, 0xa8},  {0x170, 0x170, 0xd8}, {0x171, 0x171, 0xf8},
    {0x178, 0x178, 0xbe},   {0x179, 0x179, 0xac},   {0x17a, 0x17b, 0xae},  {0x17c, 0x17c, 0xbf}, {0x17d, 0x17d, 0xb4},
    {0x17e, 0x17e, 0xb8},   {0x218, 0x218, 0xaa},   {0x219, 0x219, 0xba},  {0x21a, 0x21a, 0xde}, {0x21b, 0x21b, 0xfe},
    {0x201d, 0x201d, 0xb5}, {0x201e, 0x201e, 0xa5}, {0x20ac, 0x20ac, 0xa4}};
constexpr Run kKoi8U[] = {{0x40e, 0x40e, 0xbe}, {0x45e, 0x45e, 0xae}, {0x255d, 0x255d, 0}, {0x256c, 0x256c, 0}};
constexpr Run kMacintosh[] = {{0xf8ff, 0xf8ff, 0xf0}};
constexpr Run kShiftJis[] = {{0x80, 0x80, 0x80}, {0xa5, 0xa5, 0x5c}, {0x203e, 0x203e, 0x7e}, {0x2212, 0x2212, 0x817c}};
constexpr Run kWindows1253[] = {{0xaa, 0xaa, 0}};
constexpr Run kWindows1255[] = {{0x5ba, 0x5ba, 0xca}};
constexpr Run kXUserDefined[] = {{0xf780, 0xf7ff, 0x80}};

struct Encoding {
  const char* name;       // the standard's name
  const char* converter;  // ICU's name
  Without without = Without::kPrivateUse;
  std::span<const Run> runs = {};
};

constexpr Encoding kEncodings[] = {
    {"Big5", "Big5-HKSCS", Without::kHongKong, kBig5},
    {"EUC-JP", "euc-jp-2007", Without::kJis0212, kEucJp},
    {"EUC-KR", "windows-949-2000", Without::kPrivateUseAndControls},
    {"gb18030", "gb18030", Without::kNothing, std::span<const Run>(kGbk).first(std::size(kGbk) - 1)},
    {"GBK", "gb18030", Without::kFourBytes, kGbk},
    {"IBM866", "ibm-866_P100-1995"},
    {"ISO-8859-10", "iso-8859_10-1998"},
    {"ISO-8859-13", "iso-8859-13"},
    {"ISO-8859-14", "iso-8859_14-1998"},
    {"ISO-8859-15", "iso-8859-15"},
    {"ISO-8859-16", "US-ASCII", Without::kPrivateUse, kIso8859_16},
    {"ISO-8859-2", "iso-8859-2"},
    {"ISO-8859-3", "iso-8859-3"},
    {"ISO-8859-4", "iso-8859-4"},
    {"ISO-8859-5", "iso-8859-5"},
    {"ISO-8859-6", "iso-8859-6"},
    {"ISO-8859-7", "iso-8859-7"},
    {"ISO-8859-8", "iso-8859-8"},
    {"ISO-8859-8-I", "iso-8859-8"},
    {"KOI8-R", "koi8-r"},
    {"KOI8-U", "koi8-u", Without::kPrivateUse, kKoi8U},
    {"macintosh", "macintosh", Without::kPrivateUse, kMacintosh},
    {"Shift_JIS", "ibm-943_P15A-2003", Without::kPrivateUseAndControls, kShiftJis},
    {"windows-1250", "windows-1250"},
    {"windows-1251", "windows-1251"},
    {"windows-1252", "windows-1252"},
    {"windows-1253", "windows-1253", Without::kPrivateUse, kWindows1253},
    {"windows-1254", "windows-1254"},
    {"windows-1255", "windows-1255", Without::kPrivateUse, kWindows1255},
    {"windows-1256", "windows-1256"},
    {"windows-1257", "windows-1257"},
    {"windows-1258", "windows-1258"},
    {"windows-874", "windows-874-2000"},
    {"x-mac-cyrillic", "x-mac-cyrillic"},
    {"x-user-defined", "US-ASCII", Without::kPrivateUse, kXUserDefined},
};

bool IsPrivateUse(char32_t character) { return character >= 0xe000 && character <= 0xf8ff; }
bool IsC1(char32_t character) { return character >= 0x80 && character <= 0x9f; }

// Whether the standard's encoder lacks a character that ICU encodes as `bytes`.
bool IsLacking(Without without, char32_t character, std::string_view bytes) {
  const auto lead = static_cast<unsigned char>(bytes.front());
  switch (without) {
    case Without::kNothing:
      return false;
    case Without::kPrivateUse:
      return IsPrivateUse(character);
    case Without::kPrivateUseAndControls:
      return IsPrivateUse(character) || IsC1(character);
    case Without::kJis0212:
      return IsPrivateUse(character) || IsC1(character) || bytes.size() > 2;
    case Without::kHongKong:
      return IsPrivateUse(character) || IsC1(character) || (bytes.size() == 2 && lead < 0xa1);
    case Without::kFourBytes:
      return bytes.size() > 2;
  }
  return false;
}

struct CloseConverter {
  void operator()(UConverter* converter) const { ucnv_close(converter); }
};
using Converter = std::unique_ptr<UConverter, CloseConverter>;

// ICU's own callback drops invisible characters (U+00AD); this one reports every error.
void LeaveError(const void*, UConverterFromUnicodeArgs*, const UChar*, int32_t, UChar32, UConverterCallbackReason,
                UErrorCode*) {}

Converter OpenConverter(const char* name) {
  UErrorCode error = U_ZERO_ERROR;
  Converter converter(ucnv_open(name, &error));
  if (U_FAILURE(error)) return nullptr;
  ucnv_setFallback(converter.get(), false);
  ucnv_setFromUCallBack(converter.get(), LeaveError, nullptr, nullptr, nullptr, &error);
  return U_FAILURE(error) ? nullptr : std::move(converter);
}

class IcuEncoder : public LegacyEncoder {
 public:
  IcuEncoder(const Encoding& encoding, Converter converter) : encoding_(encoding), converter_(std::move(converter)) {}

  std::optional<char32_t> Encode(char32_t character, std::string* bytes) override {
    for (const Run& run : encoding_.runs) {
      if (character < run.first || character > run.last) continue;
      if (run.code == 0) return character;
      const auto code = static_cast<uint16_t>(run.code + (character - run.first));
      if (code > 0xff) bytes->push_back(static_cast<char>(code >> 8));
      bytes->push_back(static_cast<char>(code & 0xff));
      return std::nullopt;
    }
    char buffer[16];
    const std::string_view made(buffer, Convert(character, buffer, sizeof(buffer)));
    if (made.empty() || IsLacking(encoding_.without, character, made)) return character;
    bytes->append(made);
    return std::nullopt;
  }

 private:
  size_t Convert(char32_t character, char* buffer, size_t room) {
    UChar units[2];
    int32_t count = 0;
    U16_APPEND_UNSAFE(units, count, character);
    char* to = buffer;
    const UChar* from = units;
    UErrorCode error = U_ZERO_ERROR;
    ucnv_reset(converter_.get());
    ucnv_fromUnicode(converter_.get(), &to, buffer + room, &from, units + count, nullptr, true, &error);
    return U_FAILURE(error) ? 0 : static_cast<size_t>(to - buffer);
  }

  const Encoding& encoding_;
  Converter converter_;
};

}  // namespace

std::unique_ptr<LegacyEncoder> LegacyEncoder::For(std::string_view label) {
  const std::string_view name = EncodingForLabel(label);
  if (name == "ISO-2022-JP") return MakeIso2022JpEncoder(For("EUC-JP"));
  for (const Encoding& encoding : kEncodings) {
    if (name != encoding.name) continue;
    Converter converter = OpenConverter(encoding.converter);
    if (converter == nullptr) return nullptr;
    return std::make_unique<IcuEncoder>(encoding, std::move(converter));
  }
  return nullptr;
}

}  // namespace trawl
