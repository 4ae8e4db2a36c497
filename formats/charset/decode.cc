#include "formats/charset/decode.h"

#include <array>
#include <cstdint>

#include "formats/charset/icu.h"
#include "formats/charset/japanese.h"
#include "formats/charset/multibyte.h"
#include "formats/text/utf8.h"

namespace trawl {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

uint8_t ByteAt(std::string_view bytes, size_t at) { return static_cast<uint8_t>(bytes[at]); }

std::string_view DecodeUtf8(std::string_view body, std::string* storage) {
  if (body.starts_with("\xEF\xBB\xBF")) body.remove_prefix(3);
  if (ValidUtf8Prefix(body) == body.size()) return body;
  storage->clear();
  AppendRepairedUtf8(body, storage);
  return *storage;
}

void DecodeUtf16(std::string_view body, bool big_endian, std::string* out) {
  out->reserve(body.size());
  size_t at = 0;
  const auto unit = [&](size_t i) -> uint32_t {
    const uint32_t first = ByteAt(body, i), second = ByteAt(body, i + 1);
    return big_endian ? first << 8 | second : second << 8 | first;
  };
  if (body.size() >= 2 && unit(0) == 0xFEFF) at = 2;
  for (; at + 2 <= body.size(); at += 2) {
    const uint32_t lead = unit(at);
    const bool is_pair = (lead & 0xFC00) == 0xD800 && at + 4 <= body.size() && (unit(at + 2) & 0xFC00) == 0xDC00;
    AppendCodePoint(is_pair ? 0x10000 + ((lead & 0x3FF) << 10) + (unit(at + 2) & 0x3FF) : lead, out);
    if (is_pair) at += 2;
    // Half a pair and half a unit at the end are together one broken character.
    if ((lead & 0xFC00) == 0xD800 && !is_pair && at + 3 == body.size()) return;
  }
  if (at < body.size()) out->append(kReplacement);
}

// `high` has the code points of bytes 0x80 to 0xFF.
void DecodeSingleByte(std::string_view body, const std::array<uint16_t, 128>& high, std::string* out) {
  out->reserve(body.size() + body.size() / 2);
  while (!body.empty()) {
    const size_t ascii = AsciiPrefix(body);
    out->append(body.substr(0, ascii));
    body.remove_prefix(ascii);
    for (; !body.empty() && ByteAt(body, 0) >= 0x80; body.remove_prefix(1)) {
      AppendCodePoint(high[ByteAt(body, 0) - 0x80], out);
    }
  }
}

std::array<uint16_t, 128> UserDefinedTable() {
  std::array<uint16_t, 128> high{};
  for (size_t i = 0; i < high.size(); ++i) high[i] = static_cast<uint16_t>(0xF780 + i);
  return high;
}

void DecodeLegacy(std::string_view body, std::string_view encoding, std::string* out) {
  std::array<uint16_t, 128> high{};
  if (encoding == "replacement") {
    if (!body.empty()) out->append(kReplacement);
  } else if (encoding == "UTF-16LE" || encoding == "UTF-16BE") {
    DecodeUtf16(body, encoding == "UTF-16BE", out);
  } else if (encoding == "EUC-JP") {
    DecodeEucJp(body, out);
  } else if (encoding == "ISO-2022-JP") {
    DecodeIso2022Jp(body, out);
  } else if (encoding == "x-user-defined") {
    DecodeSingleByte(body, UserDefinedTable(), out);
  } else if (SingleByteTable(encoding, &high)) {
    DecodeSingleByte(body, high, out);
  } else if (encoding == "GBK" || encoding == "gb18030") {
    DecodeGb18030(body, out);
  } else if (encoding == "Big5") {
    DecodeBig5(body, out);
  } else if (encoding == "Shift_JIS") {
    DecodeShiftJis(body, out);
  } else if (encoding == "EUC-KR") {
    DecodeEucKr(body, out);
  } else {
    AppendRepairedUtf8(body, out);
  }
}

// Whether every ASCII byte stands for itself in a body that has only ASCII bytes.
bool AsciiIsItself(std::string_view body, std::string_view encoding) {
  if (encoding == "ISO-2022-JP") return body.find_first_of("\x0E\x0F\x1B") == std::string_view::npos;
  return encoding != "UTF-16LE" && encoding != "UTF-16BE" && encoding != "replacement";
}

}  // namespace

std::string_view DecodeToUtf8(std::string_view body, std::string_view encoding, std::string* storage) {
  if (encoding == "UTF-8") return DecodeUtf8(body, storage);
  if (AsciiPrefix(body) == body.size() && AsciiIsItself(body, encoding)) return body;
  storage->clear();
  DecodeLegacy(body, encoding, storage);
  return *storage;
}

}  // namespace trawl
