#include "formats/url/input.h"

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

// The length in bytes of the well-formed character at `at`, or 0.
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

bool HasOverlongHost(std::string_view input) {
  if (input.size() <= kMaxHostTextBytes) return false;
  // The parser removes these wherever they stand, also between the slashes.
  std::string cleaned(input);
  std::erase_if(cleaned, [](char c) { return c == '\t' || c == '\n' || c == '\r'; });
  std::string_view text = cleaned;
  const size_t first = text.find_first_of(":/\\?#");
  if (first == std::string_view::npos) return false;
  const bool scheme = text[first] == ':';
  text.remove_prefix(scheme ? first + 1 : first);
  const size_t slashes = std::min(text.find_first_not_of("/\\"), text.size());
  if (!scheme && slashes < 2) return false;
  text.remove_prefix(slashes);
  const std::string_view authority = text.substr(0, text.find_first_of("/\\?#"));
  return authority.size() > kMaxHostTextBytes && (!IsAscii(authority) || authority.find('%') != std::string_view::npos);
}

std::unique_ptr<QueryEncoder> QueryEncoder::For(std::string_view encoding) {
  std::unique_ptr<LegacyEncoder> encoder = LegacyEncoder::For(encoding);
  return encoder == nullptr ? nullptr : std::unique_ptr<QueryEncoder>(new QueryEncoder(std::move(encoder)));
}

namespace {

// The special-query percent-encode set.
bool StaysInQuery(unsigned char byte) {
  return byte > 0x20 && byte < 0x7f && byte != '"' && byte != '#' && byte != '<' && byte != '>' && byte != '\'';
}

void AppendQueryBytes(std::string_view bytes, std::string* out) {
  for (const char byte : bytes) {
    if (StaysInQuery(static_cast<unsigned char>(byte))) {
      out->push_back(byte);
    } else {
      AppendEscape(static_cast<unsigned char>(byte), out);
    }
  }
}

}  // namespace

void QueryEncoder::AppendQuery(std::string_view query, std::string* out) {
  for (size_t at = 0; at < query.size();) {
    UChar32 character;
    U8_NEXT_UNSAFE(reinterpret_cast<const uint8_t*>(query.data()), at, character);
    if (character == '\t' || character == '\n' || character == '\r') continue;  // the parser removes them
    bytes_.clear();
    const std::optional<char32_t> lacking = encoder_->Encode(static_cast<char32_t>(character), &bytes_);
    AppendQueryBytes(bytes_, out);
    if (lacking) out->append("%26%23" + std::to_string(static_cast<uint32_t>(*lacking)) + "%3B");
  }
  bytes_.clear();
  encoder_->Finish(&bytes_);
  AppendQueryBytes(bytes_, out);
}

bool QueryEncoder::EncodeQueryOf(std::string_view input, std::string* out) {
  // Controls and spaces at the end do not belong to the URL.
  while (!input.empty() && static_cast<unsigned char>(input.back()) <= 0x20) input.remove_suffix(1);
  const size_t end = std::min(input.find('#'), input.size());
  const size_t start = input.substr(0, end).find('?');
  if (start == std::string_view::npos) return false;
  const std::string_view query = input.substr(start + 1, end - start - 1);
  if (encoder_->KeepsAscii() && IsAscii(query)) return false;
  out->assign(input.substr(0, start + 1));
  AppendQuery(query, out);
  out->append(input.substr(end));
  return true;
}

}  // namespace trawl
