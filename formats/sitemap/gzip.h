// A file that is gzip itself, as sitemaps are (sitemap.xml.gz): undone step by step, so that the caller sees how much
// comes out. (What HTTP compressed on the way is undone by the fetcher.) Pure; any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace trawl {

// Whether a file begins as gzip does (RFC 1952 section 2.3.1).
bool IsGzip(std::string_view head);

enum class GunzipEnd {
  kWhole,    // to the end of the last member; what follows one that is no member is left out, as gzip does
  kDamaged,  // cut off or corrupt: all that could be read was handed over
  kStopped,  // `take` wanted no more
};

// Hands the contents of `file` to `take` in pieces of up to 64 KiB until it returns false. Whoever takes decides how
// much is too much: a few bytes of gzip can be gigabytes.
GunzipEnd Gunzip(std::string_view file, const std::function<bool(std::string_view)>& take);

}  // namespace trawl
