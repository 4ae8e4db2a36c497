#include "formats/xml/mender.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "formats/text/ascii.h"
#include "formats/text/utf8.h"

namespace trawl {

namespace {

constexpr std::string_view kCdataStart = "<![CDATA[";
constexpr std::string_view kCdataEnd = "]]>";
// The longest name that HTML has for a character has 31 letters.
constexpr size_t kLongestReference = 40;

enum class ByteKind : uint8_t { kPlain, kControl, kAmpersand, kMarkup, kHigh };

constexpr std::array<ByteKind, 256> kKinds = [] {
  std::array<ByteKind, 256> kinds{};
  for (size_t byte = 0; byte < 0x20; ++byte) kinds[byte] = ByteKind::kControl;
  for (const uint8_t space : {'\t', '\n', '\r'}) kinds[space] = ByteKind::kPlain;
  for (size_t byte = 0x80; byte < 0x100; ++byte) kinds[byte] = ByteKind::kHigh;
  kinds['&'] = ByteKind::kAmpersand;
  kinds['<'] = kinds[']'] = ByteKind::kMarkup;
  return kinds;
}();

ByteKind KindAt(std::string_view text, size_t at) { return kKinds[static_cast<uint8_t>(text[at])]; }

bool IsNameByte(char c) { return IsAsciiLetter(c) || IsAsciiDigit(c) || c == '_' || c == '-' || c == '.' || c == ':'; }

enum class Reference { kWhole, kCut, kNone };

// Classifies the '&' at the front of `text`.
Reference ReferenceAt(std::string_view text) {
  text = text.substr(0, kLongestReference);
  size_t at = 1;
  const bool is_number = at < text.size() && text[at] == '#';
  if (is_number) ++at;
  const bool is_hex = is_number && at < text.size() && text[at] == 'x';
  if (is_hex) ++at;
  const size_t start = at;
  const auto belongs = [&](char c) {
    if (is_hex) return HexDigitValue(c) >= 0;
    if (is_number) return IsAsciiDigit(c);
    return at == start ? IsAsciiLetter(c) || c == '_' : IsNameByte(c);
  };
  while (at < text.size() && belongs(text[at])) ++at;
  if (at == text.size()) return text.size() < kLongestReference ? Reference::kCut : Reference::kNone;
  return text[at] == ';' && at > start ? Reference::kWhole : Reference::kNone;
}

// Whether `text` is a beginning of `word`, but not all of it.
bool IsCutWord(std::string_view text, std::string_view word) {
  return text.size() < word.size() && word.starts_with(text);
}

// The size of `bytes`, which are not ASCII, without a last character that may continue in the next piece.
size_t WholeCharacters(std::string_view bytes) {
  for (size_t back = 1; back <= std::min<size_t>(3, bytes.size()); ++back) {
    const auto byte = static_cast<uint8_t>(bytes[bytes.size() - back]);
    if (byte < 0xC0) continue;
    const size_t needed = byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
    return bytes.size() - (back < needed ? back : 0);
  }
  return bytes.size();
}

}  // namespace

size_t XmlMender::TakeMarkup(size_t at, bool is_last) {
  const std::string_view rest = std::string_view(input_).substr(at);
  const std::string_view mark = in_cdata_ ? kCdataEnd : kCdataStart;
  if (!is_last && IsCutWord(rest, mark)) return 0;
  const bool is_mark = rest.starts_with(mark);
  if (is_mark) in_cdata_ = !in_cdata_;
  const size_t bytes = is_mark ? mark.size() : 1;
  out_.append(rest.substr(0, bytes));
  return bytes;
}

size_t XmlMender::TakeAmpersand(size_t at, bool is_last) {
  const Reference reference = in_cdata_ ? Reference::kWhole : ReferenceAt(std::string_view(input_).substr(at));
  if (reference == Reference::kCut && !is_last) return 0;
  out_.append(reference == Reference::kWhole ? "&" : "&amp;");
  return 1;
}

size_t XmlMender::TakeHighBytes(size_t at, bool is_last) {
  const auto end = std::find_if(input_.begin() + static_cast<std::ptrdiff_t>(at), input_.end(),
                                [](char c) { return static_cast<uint8_t>(c) < 0x80; });
  std::string_view bytes(input_.data() + at, static_cast<size_t>(end - input_.begin()) - at);
  if (!is_utf8_) {
    out_.append(bytes);
    return bytes.size();
  }
  if (end == input_.end() && !is_last) {
    bytes = bytes.substr(0, WholeCharacters(bytes));
  }
  AppendRepairedUtf8(bytes, &out_);
  return bytes.size();
}

std::string_view XmlMender::Run(bool is_last) {
  out_.clear();
  size_t at = 0;
  while (at < input_.size()) {
    size_t plain = at;
    while (plain < input_.size() && KindAt(input_, plain) == ByteKind::kPlain) ++plain;
    out_.append(input_, at, plain - at);
    at = plain;
    if (at == input_.size()) break;
    size_t taken = 1;
    switch (KindAt(input_, at)) {
      case ByteKind::kMarkup:
        taken = TakeMarkup(at, is_last);
        break;
      case ByteKind::kAmpersand:
        taken = TakeAmpersand(at, is_last);
        break;
      case ByteKind::kHigh:
        taken = TakeHighBytes(at, is_last);
        break;
      default:
        out_.push_back(' ');
        break;
    }
    if (taken == 0) break;
    at += taken;
  }
  input_.erase(0, at);
  return out_;
}

std::string_view XmlMender::Mend(std::string_view piece) {
  input_.append(piece);
  return Run(/*is_last=*/false);
}

std::string_view XmlMender::Finish() { return Run(/*is_last=*/true); }

}  // namespace trawl
