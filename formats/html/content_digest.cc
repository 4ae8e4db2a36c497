#include "formats/html/content_digest.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "arrow/result.h"
#include "formats/html/urls.h"
#include "formats/text/ascii.h"
#include "formats/url/url.h"

namespace trawl {
namespace {

// The texts of HtmlPage have no white space except spaces and line feeds.
void UpdateWithWords(std::string_view text, Sha256* digest) {
  std::array<char, 4096> words;
  while (!text.empty()) {
    char* end = words.data();
    for (const char c : text.substr(0, words.size())) {
      *end = c;
      end += c != ' ' && c != '\n';
    }
    digest->Update({words.data(), static_cast<size_t>(end - words.data())});
    text.remove_prefix(std::min(words.size(), text.size()));
  }
  digest->Update("\n");
}

// Host names are compared without these.
std::string_view BareHost(std::string_view host) {
  if (host.ends_with('.')) host.remove_suffix(1);
  if (host.size() > 4 && EqualsIgnoringAsciiCase(host.substr(0, 4), "www.")) host.remove_prefix(4);
  return host;
}

// Both usual ports count as none, whatever the scheme.
std::string_view UnusualPort(std::string_view port) {
  return port == "80" || port == "443" ? std::string_view() : port;
}

bool HasScheme(std::string_view href) {
  if (href.empty() || !IsAsciiLetter(href.front())) return false;
  const size_t end =
      std::find_if(href.begin(), href.end(),
                   [](char c) { return !IsAsciiLetter(c) && !IsAsciiDigit(c) && c != '+' && c != '-' && c != '.'; }) -
      href.begin();
  return end < href.size() && href[end] == ':';
}

// "http" or "https" before "://", the empty text before "//", null before anything else.
std::string_view SchemeBeforeHost(std::string_view href) {
  if (href.starts_with("//")) return href.substr(0, 0);
  if (href.empty() || AsciiLower(href.front()) != 'h') return {};
  for (const std::string_view start : {"https://", "http://"}) {
    const std::string_view begin = href.substr(0, start.size());
    if (begin == start || EqualsIgnoringAsciiCase(begin, start)) return href.substr(0, start.size() - 3);
  }
  return {};
}

// The characters that a URL parser leaves as they are, in a path and in a query.
constexpr std::array<bool, 256> kPlain = [] {
  std::array<bool, 256> plain{};
  for (const char c :
       std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&()*+,;=:@/%?"))
    plain[static_cast<unsigned char>(c)] = true;
  return plain;
}();

std::string_view WithoutFragment(std::string_view href) { return href.substr(0, href.find('#')); }

// Whether a URL parser leaves path and query as they are: `rest` begins after the host, or is relative, and has no
// fragment. A path that may have dot segments is not plain.
bool IsPlain(std::string_view rest) {
  bool is_start = true, is_path = true;
  for (size_t i = 0; i < rest.size(); ++i) {
    const char c = rest[i];
    if (!kPlain[static_cast<unsigned char>(c)]) return false;
    if (is_path && ((is_start && c == '.') || (c == '%' && rest.substr(i + 1).starts_with('2')))) return false;
    is_start = c == '/';
    is_path = is_path && c != '?';
  }
  return true;
}

// Whether a URL parser leaves a host as it is: letters in lower case, and no number at the end, which could be an address.
bool IsPlainHost(std::string_view host) {
  const auto is_plain = [](char c) { return (c >= 'a' && c <= 'z') || IsAsciiDigit(c) || c == '.' || c == '-'; };
  return !host.empty() && host.back() >= 'a' && host.back() <= 'z' && std::all_of(host.begin(), host.end(), is_plain);
}

// Rule 5.
std::string_view PlaceOfPath(std::string_view path) {
  const size_t name = path.rfind('/') + 1;
  if (path.substr(name).starts_with("index.")) path = path.substr(0, name);
  if (path.ends_with('/')) path.remove_suffix(1);
  return path;
}

// Tells which hosts are the page's own (rule 2).
class OwnHost {
 public:
  // `page_url` must outlive it.
  explicit OwnHost(const Url& page_url) : name_(BareHost(page_url.hostname())), port_(UnusualPort(page_url.port())) {}

  bool Is(const Url& url) const {
    return url.is_web() && !url.has_userinfo() && UnusualPort(url.port()) == port_ && BareHost(url.hostname()) == name_;
  }

  // An authority as it is written.
  bool IsWritten(std::string_view authority) const {
    const auto is_plain = [](char c) {
      return IsAsciiLetter(c) || IsAsciiDigit(c) || c == '.' || c == '-' || c == '_';
    };
    const size_t colon = std::find_if_not(authority.begin(), authority.end(), is_plain) - authority.begin();
    if (colon < authority.size() && authority[colon] != ':') return false;
    const std::string_view port = authority.substr(std::min(colon + 1, authority.size()));
    return UnusualPort(port) == port_ && EqualsIgnoringAsciiCase(BareHost(authority.substr(0, colon)), name_);
  }

 private:
  const std::string_view name_;
  const std::string_view port_;
};

// Writes where the links of a page lead. Most hrefs are plain, and a parser of URLs is not asked about them.
class LinkLines {
 public:
  // `page_url` must be of the web and outlive it; so must the page.
  LinkLines(const HtmlPage& page, const Url& page_url, std::string_view encoding)
      : page_(page), page_url_(page_url), encoding_(encoding), own_(page_url) {
    place_ = PlaceOfPath(page_url.path());
    if (page.has_base) {
      TakeBase();
    } else {
      folder_ = page_url.path().substr(0, page_url.path().rfind('/') + 1);
    }
  }

  void Update(Sha256* digest) {
    constexpr size_t kPiece = 64 << 10;  // a long <base> would make them long, all in all
    for (const HtmlLink& link : page_.links) {
      if (link.kind == LinkKind::kCanonical) continue;
      lines_.append(LinkKindName(link.kind)).append(1, ' ');
      if (!AppendPlain(link.href)) AppendResolved(link.href);
      lines_ += '\n';
      if (lines_.size() < kPiece) continue;
      digest->Update(lines_);
      lines_.clear();
    }
    digest->Update(lines_);
  }

 private:
  // Leaves folder_ empty where hrefs must be resolved one by one.
  void TakeBase() {
    const BaseUrl* const base = Base();
    Url url;
    if (base == nullptr || !url.Parse(base->href()) || !url.is_web() || url.has_userinfo()) return;
    base_has_scheme_ = HasScheme(page_.base_href);
    if (!own_.Is(url)) before_path_ = BeforePath(url, base_has_scheme_);
    folder_ = before_path_ + std::string(url.path().substr(0, url.path().rfind('/') + 1));
  }

  static std::string BeforePath(const Url& url, bool has_scheme) {
    std::string_view before = url.before_path();
    if (!has_scheme) before.remove_prefix(url.scheme().size() + 1);
    return std::string(before);
  }

  // The base is made where it is needed for the first time; null where there is none.
  const BaseUrl* Base() {
    if (!base_) base_.emplace(BaseOfPage(page_, page_url_.href(), encoding_));
    return base_->ok() ? &**base_ : nullptr;
  }

  // False, and nothing is written, where a parser must read the href.
  bool AppendPlain(std::string_view written) {
    const std::string_view href = WithoutFragment(written);
    if (href.empty() || href.front() == '?') {
      if (page_.has_base || !IsPlain(href)) return false;
      lines_.append(href.empty() ? "#" : place_).append(href);
      return true;
    }
    if (const std::string_view scheme = SchemeBeforeHost(href); scheme.data() != nullptr) {
      return AppendPlainHost(href, scheme.size() + (scheme.empty() ? 2 : 3));
    }
    if (HasScheme(href)) {
      if (AsciiLower(href.front()) == 'h' && href.size() > 4 && EqualsIgnoringAsciiCase(href.substr(0, 4), "http"))
        return false;
      lines_.append(written);
      return true;
    }
    return !folder_.empty() && (href.front() == '/' ? AppendRooted(href) : AppendRelative(href));
  }

  bool AppendPlainHost(std::string_view href, size_t host_at) {
    const size_t path_at = std::min(href.find_first_of("/\\?", host_at), href.size());
    const std::string_view host = href.substr(host_at, path_at - host_at), rest = href.substr(path_at);
    if (!IsPlain(rest)) return false;
    if (own_.IsWritten(host)) {
      lines_.append(rest.starts_with('/') ? "" : "/").append(rest);
      return true;
    }
    if (!IsPlainHost(host) || !rest.starts_with('/') || AsciiLower(href.front()) != href.front()) return false;
    lines_.append(href);
    return true;
  }

  bool AppendRooted(std::string_view href) {
    if (!IsPlain(href)) return false;
    lines_.append(before_path_).append(href);
    return true;
  }

  bool AppendRelative(std::string_view href) {
    std::string_view folder = folder_;
    for (; href.starts_with("../"); href.remove_prefix(3)) {
      if (folder.size() > before_path_.size() + 1) folder = folder.substr(0, folder.rfind('/', folder.size() - 2) + 1);
    }
    while (href.starts_with("./")) href.remove_prefix(2);
    if (href.starts_with('/') || href.starts_with('?') || !IsPlain(href)) return false;
    lines_.append(folder).append(href);
    return true;
  }

  void AppendResolved(std::string_view href) {
    const BaseUrl* const base = Base();
    if (base == nullptr || !url_.Resolve(href, *base)) {
      lines_.append(href);
    } else if (own_.Is(url_)) {
      lines_.append(href.starts_with('?') && !page_.has_base ? place_ : url_.path());
      if (url_.has_query()) lines_.append("?").append(url_.query());
    } else {
      const bool has_scheme = HasScheme(href) || (!href.starts_with("//") && base_has_scheme_);
      const std::string_view url = url_.without_fragment();
      lines_.append(has_scheme || !url_.is_web() ? url : url.substr(url_.scheme().size() + 1));
    }
  }

  const HtmlPage& page_;
  const Url& page_url_;
  const std::string_view encoding_;
  const OwnHost own_;
  std::string_view place_;   // rule 5
  std::string before_path_;  // scheme and host of the base, where that is another host
  std::string folder_;       // before_path_ and the base's folder; empty: every href is resolved
  bool base_has_scheme_ = false;
  std::optional<arrow::Result<BaseUrl>> base_;
  Url url_;
  std::string lines_;
};

void UpdateWithWrittenLinks(const HtmlPage& page, Sha256* digest) {
  for (const HtmlLink& link : page.links) {
    if (link.kind == LinkKind::kCanonical) continue;
    digest->Update(std::string(LinkKindName(link.kind)) + " " + link.href + "\n");
  }
}

}  // namespace

Sha256Value ContentDigest(const HtmlPage& page, std::string_view page_url, std::string_view encoding) {
  Sha256 digest;
  digest.Update("trawl content 3\n");
  UpdateWithWords(page.title, &digest);
  UpdateWithWords(page.text, &digest);
  if (page.links.empty()) return digest.Finish();
  Url url;
  if (url.Parse(page_url) && url.is_web()) {
    LinkLines(page, url, encoding).Update(&digest);
  } else {
    UpdateWithWrittenLinks(page, &digest);
  }
  return digest.Finish();
}

}  // namespace trawl
