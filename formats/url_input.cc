#include "formats/url_input.h"

#include <unicode/ucnv.h>
#include <unicode/ustring.h>
#include <unicode/utf16.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

namespace trawl {

namespace {

bool IsAscii(std::string_view text) {
  size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) {
    uint64_t word;
    std::memcpy(&word, text.data() + at, 8);
    if ((word & 0x8080808080808080u) != 0) return false;
  }
  for (; at < text.size(); ++at) {
    if (static_cast<unsigned char>(text[at]) >= 0x80) return false;
  }
  return true;
}

void AppendEscape(unsigned char byte, std::string* out) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  out->push_back('%');
  out->push_back(kDigits[byte >> 4]);
  out->push_back(kDigits[byte & 15]);
}

// How many bytes from `at` on are one well-formed character; 0 for none.
size_t CharacterBytes(std::string_view text, size_t at) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(text.data());
  const auto length = static_cast<int32_t>(text.size());
  int32_t next = static_cast<int32_t>(at);
  UChar32 character;
  U8_NEXT(bytes, next, length, character);
  return character < 0 ? 0 : static_cast<size_t>(next) - at;
}

}  // namespace

std::string_view AsUtf8(std::string_view input, std::string* repaired) {
  if (IsAscii(input)) return input;
  size_t at = 0;
  for (size_t bytes; at < input.size() && (bytes = CharacterBytes(input, at)) != 0;) at += bytes;
  if (at == input.size()) return input;
  repaired->assign(input.substr(0, at));
  while (at < input.size()) {
    const size_t bytes = CharacterBytes(input, at);
    if (bytes == 0) {
      AppendEscape(static_cast<unsigned char>(input[at]), repaired);
    } else {
      repaired->append(input.substr(at, bytes));
    }
    at += std::max<size_t>(bytes, 1);
  }
  return *repaired;
}

namespace {

struct Encoding {
  const char* name;       // WHATWG
  const char* converter;  // ICU
};

constexpr Encoding kEncodings[] = {
    {"big5", "Big5-HKSCS"},
    {"euc-jp", "euc-jp-2007"},
    {"euc-kr", "windows-949-2000"},
    {"gb18030", "gb18030"},
    {"gbk", "windows-936-2000"},
    {"ibm866", "ibm-866_P100-1995"},
    {"iso-2022-jp", "ISO-2022-JP"},
    {"iso-8859-10", "iso-8859_10-1998"},
    {"iso-8859-13", "iso-8859-13"},
    {"iso-8859-14", "iso-8859_14-1998"},
    {"iso-8859-15", "iso-8859-15"},
    {"iso-8859-16", "iso-8859-16"},
    {"iso-8859-2", "iso-8859-2"},
    {"iso-8859-3", "iso-8859-3"},
    {"iso-8859-4", "iso-8859-4"},
    {"iso-8859-5", "iso-8859-5"},
    {"iso-8859-6", "iso-8859-6"},
    {"iso-8859-7", "iso-8859-7"},
    {"iso-8859-8", "iso-8859-8"},
    {"iso-8859-8-i", "iso-8859-8"},
    {"koi8-r", "koi8-r"},
    {"koi8-u", "koi8-u"},
    {"macintosh", "macintosh"},
    {"shift_jis", "ibm-943_P15A-2003"},
    {"windows-1250", "windows-1250"},
    {"windows-1251", "windows-1251"},
    {"windows-1252", "windows-1252"},
    {"windows-1253", "windows-1253"},
    {"windows-1254", "windows-1254"},
    {"windows-1255", "windows-1255"},
    {"windows-1256", "windows-1256"},
    {"windows-1257", "windows-1257"},
    {"windows-1258", "windows-1258"},
    {"windows-874", "windows-874-2000"},
    {"x-mac-cyrillic", "x-mac-cyrillic"},
};

const Encoding* FindEncoding(std::string_view name) {
  std::string lower(name);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  for (const Encoding& encoding : kEncodings) {
    if (lower == encoding.name) return &encoding;
  }
  return nullptr;
}

struct CloseConverter {
  void operator()(UConverter* converter) const { ucnv_close(converter); }
};

}  // namespace

struct QueryEncoder::State {
  const Encoding* encoding;
  std::unique_ptr<UConverter, CloseConverter> converter;

  bool IsStateful() const { return std::strcmp(encoding->name, "iso-2022-jp") == 0; }
};

QueryEncoder::QueryEncoder(std::unique_ptr<State> state) : state_(std::move(state)) {}
QueryEncoder::~QueryEncoder() = default;

std::unique_ptr<QueryEncoder> QueryEncoder::For(std::string_view name) {
  const Encoding* encoding = FindEncoding(name);
  if (encoding == nullptr) return nullptr;
  UErrorCode error = U_ZERO_ERROR;
  std::unique_ptr<UConverter, CloseConverter> converter(ucnv_open(encoding->converter, &error));
  if (U_FAILURE(error)) return nullptr;
  ucnv_setFallback(converter.get(), false);
  ucnv_setFromUCallBack(converter.get(), UCNV_FROM_U_CALLBACK_STOP, nullptr, nullptr, nullptr, &error);
  if (U_FAILURE(error)) return nullptr;
  return std::unique_ptr<QueryEncoder>(
      new QueryEncoder(std::make_unique<State>(State{encoding, std::move(converter)})));
}

namespace {

// The special-query percent-encode set.
bool StaysInQuery(unsigned char byte) {
  return byte > 0x20 && byte < 0x7f && byte != '"' && byte != '#' && byte != '<' && byte != '>' && byte != '\'';
}

// Appends what the converter makes of one character, or the reference to it that is sent instead.
void AppendCharacter(UConverter* converter, UChar32 character, bool last, std::string* out) {
  UChar units[2];
  int32_t count = 0;
  U16_APPEND_UNSAFE(units, count, character);
  char bytes[32];
  char* to = bytes;
  const UChar* from = units;
  UErrorCode error = U_ZERO_ERROR;
  ucnv_fromUnicode(converter, &to, bytes + sizeof(bytes), &from, units + count, nullptr, last, &error);
  for (const char* byte = bytes; byte != to; ++byte) {
    if (StaysInQuery(static_cast<unsigned char>(*byte))) {
      out->push_back(*byte);
    } else {
      AppendEscape(static_cast<unsigned char>(*byte), out);
    }
  }
  if (U_FAILURE(error)) out->append("%26%23" + std::to_string(character) + "%3B");
}

}  // namespace

bool QueryEncoder::EncodeQueryOf(std::string_view input, std::string* out) {
  const size_t end = std::min(input.find('#'), input.size());
  const size_t start = input.substr(0, end).find('?');
  if (start == std::string_view::npos) return false;
  const std::string_view query = input.substr(start + 1, end - start - 1);
  if (IsAscii(query) && !state_->IsStateful()) return false;
  out->assign(input.substr(0, start + 1));
  ucnv_reset(state_->converter.get());
  for (size_t at = 0; at < query.size();) {
    const auto* bytes = reinterpret_cast<const uint8_t*>(query.data());
    UChar32 character;
    U8_NEXT_UNSAFE(bytes, at, character);
    if (character == '\t' || character == '\n' || character == '\r') continue;
    AppendCharacter(state_->converter.get(), character, at == query.size(), out);
  }
  out->append(input.substr(end));
  return true;
}

}  // namespace trawl
