#include "formats/charset/iso2022jp_encoder.h"

#include <utility>

namespace trawl {

namespace {

constexpr char32_t kYen = 0xa5;
constexpr char32_t kOverline = 0x203e;

// U+FF61 to U+FF9F, half-width katakana, as the full-width characters that stand for them.
constexpr std::u16string_view kFullWidth =
    u"。「」、・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリ"
    u"ルレロワン゛゜";
constexpr char32_t kFirstHalfWidth = 0xff61;

class Iso2022JpEncoder : public LegacyEncoder {
 public:
  explicit Iso2022JpEncoder(std::unique_ptr<LegacyEncoder> euc_jp) : euc_jp_(std::move(euc_jp)) {}

  std::optional<char32_t> Encode(char32_t character, std::string* bytes) override {
    if (character < 0x80) return EncodeAscii(character, bytes);
    if (character == kYen || character == kOverline) {
      Shift(State::kRoman, bytes);
      bytes->push_back(character == kYen ? '\\' : '~');
      return std::nullopt;
    }
    if (character >= kFirstHalfWidth && character < kFirstHalfWidth + kFullWidth.size()) {
      character = kFullWidth[character - kFirstHalfWidth];
    }
    std::string euc;
    if (euc_jp_->Encode(character, &euc) || euc.size() != 2) {
      if (state_ == State::kJis0208) Shift(State::kAscii, bytes);
      return character;
    }
    Shift(State::kJis0208, bytes);
    for (const char byte : euc) bytes->push_back(static_cast<char>(byte & 0x7f));
    return std::nullopt;
  }

  void Finish(std::string* bytes) override { Shift(State::kAscii, bytes); }
  bool KeepsAscii() const override { return false; }

 private:
  enum class State { kAscii, kRoman, kJis0208 };

  std::optional<char32_t> EncodeAscii(char32_t character, std::string* bytes) {
    const bool in_roman = state_ == State::kRoman && character != '\\' && character != '~';
    if (state_ == State::kJis0208) Shift(State::kAscii, bytes);
    // A decoder would obey shift and escape characters instead of reading them as text.
    if (character == 0x0e || character == 0x0f || character == 0x1b) return 0xfffd;
    if (!in_roman) Shift(State::kAscii, bytes);
    bytes->push_back(static_cast<char>(character));
    return std::nullopt;
  }

  void Shift(State state, std::string* bytes) {
    if (state == state_) return;
    state_ = state;
    bytes->append(state == State::kAscii ? "\x1b(B" : state == State::kRoman ? "\x1b(J" : "\x1b$B");
  }

  std::unique_ptr<LegacyEncoder> euc_jp_;
  State state_ = State::kAscii;
};

}  // namespace

std::unique_ptr<LegacyEncoder> MakeIso2022JpEncoder(std::unique_ptr<LegacyEncoder> euc_jp) {
  if (euc_jp == nullptr) return nullptr;
  return std::make_unique<Iso2022JpEncoder>(std::move(euc_jp));
}

}  // namespace trawl
