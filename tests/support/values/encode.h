// Applies content codings, for bodies that the test web and the decoder's tests send.
#pragma once

#include <string>
#include <string_view>

namespace trawl {

std::string Gzip(std::string_view bytes);
std::string Zlib(std::string_view bytes);
std::string RawDeflate(std::string_view bytes);
std::string Brotli(std::string_view bytes);
// With `window_log` 0 the library chooses.
std::string Zstd(std::string_view bytes, int window_log = 0);

// `coding` is the name in Content-Encoding. "deflate" is the zlib format, "raw-deflate" is not. Unknown names change
// nothing.
std::string EncodeContent(std::string_view coding, std::string_view bytes);

}  // namespace trawl
