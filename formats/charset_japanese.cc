#include "formats/charset_japanese.h"

#include <cstdint>

#include "formats/charset_icu.h"
#include "formats/utf8.h"

namespace trawl {
namespace {

constexpr uint32_t kReplacement = 0xFFFD;

uint8_t ByteAt(std::string_view bytes, size_t at) { return static_cast<uint8_t>(bytes[at]); }

// Collects Shift_JIS, and decodes it when something else has to be written.
class Output {
 public:
  explicit Output(std::string* out) : out_(out) {}

  void Ascii(uint8_t byte) { pending_.push_back(static_cast<char>(byte)); }
  // Half-width, counted from 0: a single byte in Shift_JIS.
  void Katakana(uint32_t index) { Ascii(static_cast<uint8_t>(0xA1 + index)); }
  // Rows and cells count from 0.
  void Cell(uint32_t row, uint32_t cell) {
    Ascii(static_cast<uint8_t>(row / 2 + (row < 62 ? 0x81 : 0xC1)));
    Ascii(static_cast<uint8_t>(row % 2 == 1 ? cell + 0x9F : cell + (cell < 63 ? 0x40 : 0x41)));
  }
  void CodePoint(uint32_t code_point) {
    Flush();
    AppendCodePoint(code_point, out_);
  }
  void ThirdPlane(std::string_view bytes) {
    Flush();
    if (third_plane_.is_open()) third_plane_.Append(bytes, out_);
  }
  void Flush() {
    if (!pending_.empty() && shift_jis_.is_open()) shift_jis_.Append(pending_, out_);
    pending_.clear();
  }

 private:
  std::string* out_;
  std::string pending_;
  MultiByteDecoder shift_jis_{"Shift_JIS"};
  MultiByteDecoder third_plane_{kEucJpThirdPlane};
};

bool IsEucTrail(std::string_view bytes, size_t at) {
  return at < bytes.size() && ByteAt(bytes, at) >= 0xA1 && ByteAt(bytes, at) <= 0xFE;
}

// Decodes what begins at `at` with a byte that is not ASCII; the bytes that it took.
size_t DecodeEucSequence(std::string_view bytes, size_t at, Output* output) {
  const uint8_t lead = ByteAt(bytes, at);
  if (lead == 0x8E && at + 1 < bytes.size() && ByteAt(bytes, at + 1) >= 0xA1 && ByteAt(bytes, at + 1) <= 0xDF) {
    output->Katakana(ByteAt(bytes, at + 1) - 0xA1u);
    return 2;
  }
  if (lead == 0x8F && IsEucTrail(bytes, at + 1) && IsEucTrail(bytes, at + 2)) {
    output->ThirdPlane(bytes.substr(at, 3));
    return 3;
  }
  if (lead >= 0xA1 && lead <= 0xFE && IsEucTrail(bytes, at + 1)) {
    output->Cell(lead - 0xA1u, ByteAt(bytes, at + 1) - 0xA1u);
    return 2;
  }
  output->CodePoint(kReplacement);
  // An ASCII byte behind a broken lead stands for itself.
  return at + 1 < bytes.size() && ByteAt(bytes, at + 1) >= 0x80 && lead != 0x80 ? 2 : 1;
}

enum class JisState { kAscii, kRoman, kKatakana, kTwoByte };

// The state that the escape sequence at the front selects; false where it is none.
bool ReadEscape(std::string_view bytes, JisState* state) {
  if (bytes.starts_with("\x1B(B"))
    *state = JisState::kAscii;
  else if (bytes.starts_with("\x1B(J"))
    *state = JisState::kRoman;
  else if (bytes.starts_with("\x1B(I"))
    *state = JisState::kKatakana;
  else if (bytes.starts_with("\x1B$@") || bytes.starts_with("\x1B$B"))
    *state = JisState::kTwoByte;
  else
    return false;
  return true;
}

size_t DecodeJisSequence(std::string_view bytes, size_t at, JisState state, Output* output) {
  const uint8_t byte = ByteAt(bytes, at);
  const bool is_graphic = byte >= 0x21 && byte <= 0x7E;
  if (state == JisState::kTwoByte && is_graphic) {
    const bool is_cell = at + 1 < bytes.size() && ByteAt(bytes, at + 1) >= 0x21 && ByteAt(bytes, at + 1) <= 0x7E;
    if (is_cell) {
      output->Cell(byte - 0x21u, ByteAt(bytes, at + 1) - 0x21u);
    } else {
      output->CodePoint(kReplacement);
    }
    return at + 1 < bytes.size() && ByteAt(bytes, at + 1) != 0x1B ? 2 : 1;
  }
  if (state == JisState::kKatakana && byte >= 0x21 && byte <= 0x5F) {
    output->Katakana(byte - 0x21u);
  } else if (state == JisState::kRoman && (byte == 0x5C || byte == 0x7E)) {
    output->CodePoint(byte == 0x5C ? 0x00A5 : 0x203E);
  } else if (byte >= 0x80 || byte == 0x0E || byte == 0x0F || byte == 0x1B ||
             (is_graphic && state == JisState::kKatakana)) {
    output->CodePoint(kReplacement);
  } else {
    output->Ascii(byte);
  }
  return 1;
}

}  // namespace

void DecodeEucJp(std::string_view bytes, std::string* out) {
  Output output(out);
  for (size_t at = 0; at < bytes.size();) {
    if (ByteAt(bytes, at) < 0x80) {
      output.Ascii(ByteAt(bytes, at++));
    } else {
      at += DecodeEucSequence(bytes, at, &output);
    }
  }
  output.Flush();
}

void DecodeIso2022Jp(std::string_view bytes, std::string* out) {
  Output output(out);
  JisState state = JisState::kAscii;
  for (size_t at = 0; at < bytes.size();) {
    if (ByteAt(bytes, at) == 0x1B && ReadEscape(bytes.substr(at), &state)) {
      at += 3;
    } else {
      at += DecodeJisSequence(bytes, at, state, &output);
    }
  }
  output.Flush();
}

}  // namespace trawl
