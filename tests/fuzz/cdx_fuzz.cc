// Input: any bytes, as a line of somebody's index and as a URL whose key is made. What is read of a line is read again from
// the line that we write of it; a key is printable ASCII whatever the URL is.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "formats/cdx/cdxj.h"
#include "formats/cdx/urlkey.h"
#include "formats/text/utf8.h"

namespace trawl {
namespace {

void Check(bool holds) {
  if (!holds) std::abort();
}

void CheckKey(std::string_view url) {
  const std::string key = UrlKeyForIndex(url);
  Check(std::all_of(key.begin(), key.end(), [](char c) { return c > 0x20 && c < 0x7f; }));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  CheckKey(input);
  CheckKey(std::string("http://").append(input));
  CheckKey(std::string("http://example.com/?").append(input));
  CdxLine read;
  const auto is_capture = ReadCdxLine(input, &read);
  if (!is_capture.ok() || !*is_capture) return 0;
  CheckKey(read.url);
  CaptureRow row;
  row.key = "key";
  row.url = read.url;
  row.began_ms = read.time_ms;
  row.digest = read.digest;
  row.redirect = input;
  std::string line;
  AppendCdxjLine(row, &line);
  Check(ValidUtf8Prefix(line) == line.size() && AsciiPrefix(line) == line.size());
  Check(line.find('\n') == line.size() - 1);
  line.pop_back();
  CdxLine again;
  const auto is_again = ReadCdxLine(line, &again);
  if (read.url.empty() || ValidUtf8Prefix(read.url) < read.url.size()) return 0;
  Check(is_again.ok() && *is_again && again.url == read.url && again.time_ms == read.time_ms);
  return 0;
}

}  // namespace trawl
