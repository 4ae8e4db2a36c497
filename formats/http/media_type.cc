#include "formats/http/media_type.h"

#include <algorithm>

#include "formats/charset/labels.h"
#include "formats/text/ascii.h"

namespace trawl {

namespace {

// "HTTP whitespace" of the WHATWG standards.
constexpr std::string_view kHttpWhitespace = "\n\r\t ";

bool IsTokenByte(char c) {
  return IsAsciiLetter(c) || IsAsciiDigit(c) || std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

bool IsToken(std::string_view text) { return !text.empty() && std::all_of(text.begin(), text.end(), IsTokenByte); }

// "HTTP quoted-string token code point": tab, all printable ASCII, and everything from 0x80 on.
bool IsQuotableByte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return c == '\t' || (byte >= 0x20 && byte != 0x7F);
}

// Goes through a media type's text from left to right.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}
  bool AtEnd() const { return at_ == text_.size(); }
  char Peek() const { return text_[at_]; }
  void Skip() { ++at_; }
  void SkipWhitespace() {
    while (!AtEnd() && kHttpWhitespace.find(Peek()) != std::string_view::npos) ++at_;
  }
  std::string_view TakeUntil(std::string_view stops) {
    const size_t end = std::min(text_.find_first_of(stops, at_), text_.size());
    const std::string_view taken = text_.substr(at_, end - at_);
    at_ = end;
    return taken;
  }
  // "Collect an HTTP quoted string", with its value extracted. REQUIRES: Peek() == '"'.
  std::string TakeQuoted() {
    std::string value;
    Skip();
    while (true) {
      value += TakeUntil("\"\\");
      if (AtEnd()) return value;
      const char stop = Peek();
      Skip();
      if (stop == '"') return value;
      if (AtEnd()) return value + '\\';
      value += Peek();
      Skip();
    }
  }

 private:
  std::string_view text_;
  size_t at_ = 0;
};

// The value after "="; the scanner then stands at ";" or the end. Nothing where the parameter does not count.
std::optional<std::string> TakeParameterValue(Scanner* scanner) {
  std::string value;
  if (scanner->Peek() == '"') {
    value = scanner->TakeQuoted();
    scanner->TakeUntil(";");
  } else {
    const std::string_view plain = scanner->TakeUntil(";");
    const size_t last = plain.find_last_not_of(kHttpWhitespace);
    if (last == std::string_view::npos) return std::nullopt;
    value = plain.substr(0, last + 1);
  }
  if (!std::all_of(value.begin(), value.end(), IsQuotableByte)) return std::nullopt;
  return value;
}

void TakeParameters(Scanner* scanner, MediaType* type) {
  while (!scanner->AtEnd()) {
    scanner->Skip();  // ";"
    scanner->SkipWhitespace();
    std::string name = AsciiLower(scanner->TakeUntil(";="));
    if (scanner->AtEnd()) return;
    if (scanner->Peek() == ';') continue;
    scanner->Skip();  // "="
    if (scanner->AtEnd()) return;
    std::optional<std::string> value = TakeParameterValue(scanner);
    if (!value || !IsToken(name) || type->Parameter(name) != nullptr) continue;
    // The first few parameters carry all that is ever meant; this bound keeps looking them up linear.
    constexpr size_t kMaxParameters = 64;
    if (type->parameters.size() < kMaxParameters) type->parameters.emplace_back(std::move(name), *std::move(value));
  }
}

}  // namespace

const std::string* MediaType::Parameter(std::string_view name) const {
  for (const auto& [known, value] : parameters) {
    if (known == name) return &value;
  }
  return nullptr;
}

std::string_view MediaType::Encoding() const {
  const std::string* label = Parameter("charset");
  return label == nullptr ? std::string_view() : EncodingForLabel(*label);
}

std::optional<MediaType> ParseMediaType(std::string_view text) {
  Scanner scanner(TrimBytes(text, kHttpWhitespace));
  const std::string_view type = scanner.TakeUntil("/");
  if (!IsToken(type) || scanner.AtEnd()) return std::nullopt;
  scanner.Skip();
  std::string_view subtype = scanner.TakeUntil(";");
  subtype = subtype.substr(0, subtype.find_last_not_of(kHttpWhitespace) + 1);
  if (!IsToken(subtype)) return std::nullopt;
  MediaType out;
  out.essence = AsciiLower(type) + "/" + AsciiLower(subtype);
  TakeParameters(&scanner, &out);
  return out;
}

std::optional<MediaType> ContentTypeOf(const HeaderList& headers) {
  const std::optional<std::string> combined = headers.Combined("content-type");
  if (!combined) return std::nullopt;
  std::optional<MediaType> result;
  std::optional<std::string> charset;
  for (const std::string_view value : SplitAtCommas(*combined)) {
    std::optional<MediaType> type = ParseMediaType(value);
    if (!type || type->essence == "*/*") continue;
    const std::string* own_charset = type->Parameter("charset");
    if (!result || type->essence != result->essence) {
      charset = own_charset == nullptr ? std::nullopt : std::optional(*own_charset);
    } else if (own_charset == nullptr && charset) {
      type->parameters.emplace_back("charset", *charset);
    }
    result = std::move(type);
  }
  return result;
}

}  // namespace trawl
