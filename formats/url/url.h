// The door of formats/url: URLs as browsers read them. This is the only door to ada, which implements the WHATWG URL
// standard (https://url.spec.whatwg.org/).
//
// Start with ParseUrl and ResolveUrl. A loop over the links of a page makes one BaseUrl and one Url and calls
// Url::Resolve, which uses the same memory again. For the key of a row, first normalise the URL (formats/url/normal.h).
// For the crawl's own rules see formats/scope/crawl_scope.h.
//
// Departures from the standard:
//  - Bytes that are not UTF-8 are percent-encoded one by one, because servers that send such a Location expect them
//    back.
//  - Input longer than kMaxUrlBytes is refused. So is a base over kMaxBaseUrlBytes, since every link of a page copies
//    it, and a host over 1 KiB that is not plain ASCII, whose conversion is quadratic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "arrow/result.h"

namespace trawl {

inline constexpr size_t kMaxUrlBytes = 1 << 20;
inline constexpr size_t kMaxBaseUrlBytes = 8 << 10;

class BaseUrl;

// A parsed URL: its serialisation and the places of the pieces in it. A value; its views live until it is changed.
class Url {
 public:
  // Parses an absolute URL. False where the standard says failure; the Url is then empty.
  bool Parse(std::string_view input);
  // Parses a URL, or a reference in a document at `base`.
  bool Resolve(std::string_view input, const BaseUrl& base);

  // The serialisation ("href"), always ASCII.
  std::string_view href() const { return href_; }
  // Without ':'.
  std::string_view scheme() const;
  std::string_view username() const;
  std::string_view password() const;
  // ASCII in lower case, IPv6 in brackets, without port. Empty where there is no host.
  std::string_view hostname() const;
  // Empty where the port is the scheme's default.
  std::string_view port() const;
  // Everything before the path: the scheme, the host, and what stands between and after them.
  std::string_view before_path() const { return Between(0, path_start_); }
  bool has_userinfo() const { return host_end_ > host_start_ && href_[host_start_] == '@'; }
  std::string_view path() const;
  // Without '?'. Empty where there is no query and where it is empty.
  std::string_view query() const;
  bool has_query() const { return query_start_ != kNone; }
  // Without '#'.
  std::string_view fragment() const;
  bool has_fragment() const { return fragment_start_ != kNone; }
  // href without the fragment: the URL that a server is asked for, except for the userinfo.
  std::string_view without_fragment() const;
  bool is_web() const { return scheme() == "http" || scheme() == "https"; }

 private:
  friend class BaseUrl;
  static constexpr uint32_t kNone = ~uint32_t{0};

  bool Read(std::string_view input, const BaseUrl* base);
  template <typename Parsed>
  void Take(const Parsed& parsed);
  void Clear();
  std::string_view Between(uint32_t from, uint32_t to) const {
    return from >= to ? std::string_view() : std::string_view(href_).substr(from, to - from);
  }
  uint32_t QueryEnd() const;

  std::string href_;
  // Offsets into href_, in this order. `host_start_` is at the '@' where there is userinfo.
  uint32_t scheme_end_ = 0;  // after the ':'
  uint32_t username_end_ = 0;
  uint32_t host_start_ = 0;
  uint32_t host_end_ = 0;
  uint32_t path_start_ = 0;
  uint32_t query_start_ = kNone;     // at the '?'
  uint32_t fragment_start_ = kNone;  // at the '#'
};

// The URL against which a document's references are resolved, and the encoding in which their queries are sent.
// For one thread at a time.
class BaseUrl {
 public:
  // `encoding` is any label of the document's encoding. Non-ASCII characters in the query of a special scheme are
  // percent-encoded in it, as the standard asks. With UTF-8, UTF-16 or an unknown name the query is in UTF-8.
  static arrow::Result<BaseUrl> Make(std::string_view url, std::string_view encoding = "UTF-8");
  BaseUrl(BaseUrl&&) noexcept;
  BaseUrl& operator=(BaseUrl&&) noexcept;
  ~BaseUrl();

  std::string_view href() const;

 private:
  friend class Url;
  struct State;
  explicit BaseUrl(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// The same for one URL; an error carries a message.
arrow::Result<Url> ParseUrl(std::string_view input);
arrow::Result<Url> ResolveUrl(std::string_view input, const BaseUrl& base);

// Parses one URL of a page. `base` may be empty; `encoding` is the page's encoding.
arrow::Result<Url> ParseUrlIn(std::string_view input, std::string_view base, std::string_view encoding);

// The spelling that a request for the URL sends: without fragment and userinfo.
std::string RequestSpelling(const Url& url);

// The ASCII form of a host name: WHATWG's "domain to ASCII" (UTS 46, not transitional, not strict), in lower case. The
// result is only a name: IPv4 and IPv6 are not read, and nothing is percent-decoded. Invalid where there is no such
// form.
arrow::Result<std::string> HostToAscii(std::string_view host);

}  // namespace trawl
