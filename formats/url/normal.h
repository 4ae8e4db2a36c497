// Normalised URLs: which spellings of a URL are one row of the crawl. A row's key is made of the normalised URL
// (formats/url/key.h); requests use a spelling as it was found, so what is evened out here is never sent for it.
//
// The form is a constant of a crawl. Each takes the steps of the one before; steps run in this order.
//
// strict
//   1. Parse as the WHATWG standard says: lower-case scheme and host, IDNA, dot segments, default port, escapes for
//      what is not ASCII.
//   2. Only http and https. Userinfo and fragment go.
//   3. The trailing dot of the host goes. The host is then one that a key can hold (formats/url/pieces.h).
//   4. Escapes in path and query: of an unreserved character (RFC 3986 section 2.3) decoded; the rest kept, with
//      upper-case digits; a byte that RFC 3986 allows in neither raw ("|", "[", "{" …) escaped; a '%' that begins no
//      escape becomes "%25" (else two decoded neighbours could form a new escape).
// standard
//   5. Session ids in the path go: a parameter of a segment (";jsessionid=…", names as in 7), and a whole segment of
//      ASP.NET, "(S(…))" with 24 letters and digits inside. Where "." or ".." would remain, the segment stays.
//   6. The query is cut at '&'; empty pieces go. "a" and "a=" are two different pieces.
//   7. Pieces whose name, in any case, is a tracking parameter or a session id go (lists in formats/url/parameters.cc).
//   8. Pieces are sorted by the bytes of the name, then of the value. No piece, no '?'.
// fold
//   7a. "ref" and "source" go, too.
//   9. Repeated slashes in the path become one.
//  10. Until nothing changes: the path's trailing slash goes, and a last segment that is a default document
//      ("index.html", "index.php", "default.asp"…, in any case). The path of a root is "/".
//
// The result is a fixed point of its own form, and what two forms do in turn is what the stronger does alone. It does
// not depend on the order of the query's parameters from `standard` on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "arrow/result.h"
#include "formats/url/pieces.h"
#include "formats/url/url.h"

namespace trawl {

// Stored in the constants of a crawl: numbers and names stay.
enum class NormalForm : int8_t { kStrict = 1, kStandard = 2, kFold = 3 };
std::string_view NameOf(NormalForm form);  // "strict", "standard", "fold"
arrow::Result<NormalForm> NormalFormOf(std::string_view name);

// Why a URL has no normalised form.
enum class UrlRefusal : int8_t {
  kNone = 0,
  kNoUrl,    // it cannot be parsed
  kScheme,   // neither http nor https
  kHost,     // a host that a key cannot hold
  kTooLong,  // its key would be over kMaxKeyBytes
};
std::string_view TextOf(UrlRefusal refusal);

// Over this, with nothing to be left out that could make it short enough, a URL is refused before it is looked at.
inline constexpr size_t kMaxNormaliseBytes = 16 << 10;

// Normalises one URL after another without allocating for each. For one thread at a time.
class UrlNormalizer {
 public:
  explicit UrlNormalizer(NormalForm form) : form_(form) {}
  // `*out` is the normalised URL where kNone is returned, and unspecified otherwise. `*pieces`, where wanted, are its
  // pieces: views into `*out`.
  UrlRefusal Normalize(const Url& url, std::string* out, UrlPieces* pieces = nullptr);
  UrlRefusal Normalize(std::string_view url, std::string* out, UrlPieces* pieces = nullptr);
  NormalForm form() const { return form_; }

 private:
  struct Parameter {
    std::string_view text;
    size_t name_bytes;
    std::string_view name() const { return text.substr(0, name_bytes); }
  };
  bool IsKept(const Parameter& parameter) const;
  void SortQuery(size_t start, std::string* url);

  NormalForm form_;
  Url parsed_;
  std::string sorted_query_;
  std::vector<Parameter> parameters_;
};

// One URL, with a message.
arrow::Result<std::string> NormalizeUrl(std::string_view url, NormalForm form);

}  // namespace trawl
