// Files that are gzip themselves, as sitemaps often are (sitemap.xml.gz). They are decompressed step by step, so that
// the caller sees how much comes out. (The fetcher undoes the compression of HTTP.) Pure; any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace trawl {

// Whether a file begins as gzip does (RFC 1952 section 2.3.1).
bool IsGzip(std::string_view head);

enum class GunzipEnd {
  kWhole,    // read to the end of the last member; anything else after it is ignored, as gzip does
  kDamaged,  // cut off or corrupt: everything that could be read was passed on
  kStopped,  // `take` returned false
};

// Passes the contents of `file` to `take` in pieces of up to 64 KiB until it returns false. The caller decides how much
// is too much: a few bytes of gzip can be gigabytes.
GunzipEnd Gunzip(std::string_view file, const std::function<bool(std::string_view)>& take);

}  // namespace trawl
