// Normalised URLs: all spellings of a URL that become one row of the crawl. A row's key is made from the normalised URL
// (formats/url/key.h). Requests use a spelling that was found, so they never send the changes made here.
//
// The form is a constant of a crawl. Each form takes the steps of the form before it; steps run in this order.
//
// strict
//   1. Parse as the WHATWG standard says: lower-case scheme and host, IDNA, dot segments, default port, escapes for
//      characters that are not ASCII.
//   2. Only http and https. Userinfo and fragment are removed.
//   3. The trailing dot of the host is removed. The host is then one that a key can hold (formats/url/pieces.h).
//   4. Escapes in path and query: an unreserved character (RFC 3986 section 2.3) is decoded; other escapes stay, with
//      upper-case digits; a byte that RFC 3986 allows in neither of them ("|", "[", "{" …) is escaped; a '%' that
//      begins no escape becomes "%25" (else two decoded neighbours could form a new escape).
// standard
//   5. Session ids in the path are removed: a parameter of a segment (";jsessionid=…", names as in 7), and a whole
//      segment of ASP.NET, "(S(…))" with 24 letters and digits inside. Where "." or ".." would remain, the segment
//      stays.
//   6. The query is cut at '&'; empty pieces are removed. "a" and "a=" are two different pieces.
//   7. Pieces whose name, in any case, is a tracking parameter or a session id are removed (the lists are in
//      formats/url/parameters.cc).
//   8. Pieces are sorted by the bytes of the name, then of the value. Without pieces there is no '?'.
// fold
//   7a. "ref" and "source" are removed, too.
//   9. Repeated slashes in the path become one.
//  10. Until nothing changes: the path's trailing slash is removed, and so is a last segment that is a default
//      document ("index.html", "index.php", "default.asp"…, in any case). The path of a root is "/".
//
// Normalising a result again in the same form changes nothing. Two forms in turn give the same as the stronger one
// alone. From `standard` on, the order of the query's parameters does not matter.
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

// Stored in the constants of a crawl, so numbers and names never change.
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

// A URL longer than this, from which nothing can be removed to make it short enough, is refused without a closer look.
inline constexpr size_t kMaxNormaliseBytes = 16 << 10;

// Normalises one URL after another without allocating for each. For one thread at a time.
class UrlNormalizer {
 public:
  explicit UrlNormalizer(NormalForm form) : form_(form) {}
  // Where kNone is returned, `*out` is the normalised URL; otherwise it is unspecified. `*pieces`, where wanted, are
  // its pieces: views into `*out`.
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

// Normalises one URL; an error carries a message.
arrow::Result<std::string> NormalizeUrl(std::string_view url, NormalForm form);

}  // namespace trawl
