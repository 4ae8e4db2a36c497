// Defines DetectCharset, which charset.h declares. This is the only door to uchardet.
#include <uchardet/uchardet.h>

#include <algorithm>
#include <memory>
#include <string>

#include "formats/charset/charset.h"
#include "formats/charset/labels.h"
#include "formats/text/utf8.h"

namespace trawl {
namespace {

constexpr size_t kDetectBytes = 16 << 10;
// Markup kept before the first byte that is not ASCII, so that a detector sees where a word begins.
constexpr size_t kContextBytes = 64;
// A page in UTF-8 with a few broken bytes (a cut comment, a pasted quote) still is UTF-8.
constexpr size_t kSoundPerBroken = 20;

struct CloseDetector {
  void operator()(uchardet_t detector) const { uchardet_delete(detector); }
};

// Maps the names of uchardet that are no labels of the standard.
std::string_view EncodingForDetectorName(std::string_view name) {
  if (name == "UHC") return "EUC-KR";
  if (name == "MAC-CYRILLIC") return "x-mac-cyrillic";
  const std::string_view encoding = EncodingForLabel(name);
  // ISO-2022-KR and the like: the standard decodes them to nothing at all. A guess must not do that to a page.
  return encoding == "replacement" || encoding == "x-user-defined" ? std::string_view() : encoding;
}

// uchardet's models of the two Cyrillic encodings differ only in capitals and in one small letter. A short text with
// few of these may be taken for the Macintosh encoding, which is rare. It counts as windows-1251 unless the Macintosh's
// own bytes outnumber those of windows-1251.
bool HasCyrillicOfMacintosh(std::string_view sample) {
  int of_macintosh = 0;
  int of_windows = 0;
  for (const char c : sample) {
    const auto byte = static_cast<unsigned char>(c);
    of_macintosh += (byte >= 0x80 && byte <= 0x9F) || byte == 0xDF ? 1 : 0;  // capitals, and the last letter
    of_windows += (byte >= 0xC0 && byte <= 0xDE) || byte == 0xFF ? 1 : 0;
  }
  return of_macintosh > of_windows;
}

std::string_view AskDetector(std::string_view sample) {
  const std::unique_ptr<uchardet, CloseDetector> detector(uchardet_new());
  if (!detector || uchardet_handle_data(detector.get(), sample.data(), sample.size()) != 0) return {};
  uchardet_data_end(detector.get());
  const std::string_view encoding = EncodingForDetectorName(uchardet_get_charset(detector.get()));
  return encoding == "x-mac-cyrillic" && !HasCyrillicOfMacintosh(sample) ? "windows-1251" : encoding;
}

}  // namespace

std::string_view DetectCharset(std::string_view body) {
  const size_t first = AsciiPrefix(body);
  const bool has_escapes = body.substr(0, kDetectBytes).find("\x1B$") != std::string_view::npos ||
                           body.substr(0, kDetectBytes).find("\x1B(") != std::string_view::npos;
  if (first == body.size() && !has_escapes) return {};
  if (has_escapes) return AskDetector(body.substr(0, kDetectBytes));
  const Utf8Census census = CountUtf8(body.substr(first));
  if (census.multibyte > 0 && census.broken * kSoundPerBroken <= census.multibyte) return "UTF-8";
  return AskDetector(body.substr(first - std::min(first, kContextBytes), kDetectBytes));
}

}  // namespace trawl
