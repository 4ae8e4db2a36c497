#include "formats/charset/japanese.h"

#include <cstddef>
#include <cstdint>

#include "formats/charset/index.h"
#include "formats/charset/sequences.h"
#include "formats/text/utf8.h"

namespace trawl {
namespace {

constexpr uint32_t kReplacement = 0xFFFD;
constexpr uint32_t kFirstKatakana = 0xFF61;  // half-width

uint8_t ByteAt(std::string_view bytes, size_t at) { return static_cast<uint8_t>(bytes[at]); }

bool IsBetween(uint8_t byte, uint8_t low, uint8_t high) { return byte >= low && byte <= high; }

bool IsEucByte(std::string_view bytes, size_t at) {
  return at < bytes.size() && IsBetween(ByteAt(bytes, at), 0xA1, 0xFE);
}

// Appends the characters of the sequence at the front, whose first byte is not ASCII. Returns its number of bytes.
size_t TakeEucSequence(std::string_view bytes, std::string* out) {
  const uint8_t lead = ByteAt(bytes, 0);
  const bool is_third_plane = lead == 0x8F && IsEucByte(bytes, 1);
  const size_t pair = is_third_plane ? 1 : 0;
  uint32_t character = 0;
  if (lead == 0x8E && bytes.size() > 1 && IsBetween(ByteAt(bytes, 1), 0xA1, 0xDF)) {
    character = kFirstKatakana + ByteAt(bytes, 1) - 0xA1u;
  } else if (IsEucByte(bytes, pair) && IsEucByte(bytes, pair + 1)) {
    const CharsetIndex& index = is_third_plane ? CharsetIndex::Jis0212() : CharsetIndex::Jis0208();
    character = index.At((ByteAt(bytes, pair) - 0xA1u) * 94u + ByteAt(bytes, pair + 1) - 0xA1u);
  }
  AppendCodePoint(character != 0 ? character : kReplacement, out);
  if (lead != 0x8E && lead != 0x8F && !IsEucByte(bytes, 0)) return 1;
  // An ASCII byte that ends a broken sequence stands for itself.
  const bool ends_broken = pair + 1 < bytes.size() && ByteAt(bytes, pair + 1) >= 0x80;
  return pair + (character != 0 || ends_broken ? 2 : 1);
}

// The standard's state machine, step by step.
class Iso2022JpDecoder {
 public:
  explicit Iso2022JpDecoder(std::string* out) : out_(out) {}

  void Decode(std::string_view bytes) {
    for (size_t at = 0; at < bytes.size();) {
      if (ByteAt(bytes, at) == 0x1B) {
        at += TakeEscape(bytes.substr(at));
      } else {
        at += TakeText(bytes.substr(at));
      }
    }
  }

 private:
  enum class State { kAscii, kRoman, kKatakana, kTwoByte };

  void Append(uint32_t character) {
    just_escaped_ = false;
    AppendCodePoint(character, out_);
  }

  static bool ReadEscape(std::string_view bytes, State* state) {
    if (bytes.starts_with("\x1B(B"))
      *state = State::kAscii;
    else if (bytes.starts_with("\x1B(J"))
      *state = State::kRoman;
    else if (bytes.starts_with("\x1B(I"))
      *state = State::kKatakana;
    else if (bytes.starts_with("\x1B$@") || bytes.starts_with("\x1B$B"))
      *state = State::kTwoByte;
    else
      return false;
    return true;
  }

  size_t TakeEscape(std::string_view bytes) {
    if (!ReadEscape(bytes, &state_)) {
      Append(kReplacement);
      return 1;
    }
    // Two escapes in a row can hide text from other programs, so the standard marks them.
    if (just_escaped_) AppendCodePoint(kReplacement, out_);
    just_escaped_ = true;
    return 3;
  }

  size_t TakeText(std::string_view bytes) {
    const uint8_t byte = ByteAt(bytes, 0);
    switch (state_) {
      case State::kAscii:
      case State::kRoman:
        Append(SingleByte(byte));
        return 1;
      case State::kKatakana:
        Append(IsBetween(byte, 0x21, 0x5F) ? kFirstKatakana + byte - 0x21u : kReplacement);
        return 1;
      case State::kTwoByte:
        break;
    }
    if (!IsBetween(byte, 0x21, 0x7E)) {
      Append(kReplacement);
      return 1;
    }
    const bool has_trail = bytes.size() > 1 && IsBetween(ByteAt(bytes, 1), 0x21, 0x7E);
    const uint32_t character =
        has_trail ? CharsetIndex::Jis0208().At((byte - 0x21u) * 94u + ByteAt(bytes, 1) - 0x21u) : 0;
    Append(character != 0 ? character : kReplacement);
    return bytes.size() > 1 && ByteAt(bytes, 1) != 0x1B ? 2 : 1;
  }

  uint32_t SingleByte(uint8_t byte) const {
    if (byte >= 0x80 || byte == 0x0E || byte == 0x0F) return kReplacement;
    if (state_ == State::kRoman && byte == 0x5C) return 0x00A5;
    if (state_ == State::kRoman && byte == 0x7E) return 0x203E;
    return byte;
  }

  std::string* out_;
  State state_ = State::kAscii;
  bool just_escaped_ = false;
};

}  // namespace

void DecodeEucJp(std::string_view bytes, std::string* out) {
  DecodeSequences(bytes, out, [out](std::string_view rest) { return TakeEucSequence(rest, out); });
}

void DecodeIso2022Jp(std::string_view bytes, std::string* out) { Iso2022JpDecoder(out).Decode(bytes); }

}  // namespace trawl
