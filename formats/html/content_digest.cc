#include "formats/html/content_digest.h"

#include <algorithm>
#include <string>

#include "formats/text/ascii.h"
#include "formats/url/url.h"

namespace trawl {
namespace {

// The texts of HtmlPage have no white space except spaces and line feeds.
void UpdateWithWords(std::string_view text, Sha256* digest) {
  std::string words(text.size() + 1, '\n');
  char* end = words.data();
  for (const char c : text) {
    *end = c;
    end += c != ' ' && c != '\n';
  }
  *end = '\n';
  words.resize(static_cast<size_t>(end - words.data()) + 1);
  digest->Update(words);
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

bool IsRooted(std::string_view href) { return href.starts_with('/') && !href.starts_with("//"); }

// Rule 1.
class OwnHost {
 public:
  explicit OwnHost(std::string_view page_url) {
    if (!url_.Parse(page_url) || !url_.is_web()) return;
    host_ = BareHost(url_.hostname());
    port_ = UnusualPort(url_.port());
  }

  // Appends the shortened href to `out`; false, and nothing, where it does not name the own host. `prefix` comes first.
  bool Append(std::string_view href, std::string_view prefix, std::string* out) const {
    const std::string_view scheme = SchemeBeforeHost(href);
    if (scheme.data() == nullptr || host_.empty()) return false;
    const std::string_view after = href.substr(scheme.size() + (scheme.empty() ? 2 : 3));
    const size_t end = std::min(after.find_first_of("/\\?#"), after.size());
    if (!IsOwn(after.substr(0, end))) return false;
    std::string_view rest = after.substr(end);
    if (rest.starts_with('/') || rest.starts_with('\\')) rest.remove_prefix(1);
    out->append(prefix).append(1, '/').append(rest);
    return true;
  }

 private:
  // "http" or "https" before "://", the empty text before "//", null before anything else.
  static std::string_view SchemeBeforeHost(std::string_view href) {
    if (href.starts_with("//")) return href.substr(0, 0);
    if (href.empty() || AsciiLower(href.front()) != 'h') return {};
    for (const std::string_view start : {"https://", "http://"}) {
      const std::string_view begin = href.substr(0, start.size());
      if (begin == start || EqualsIgnoringAsciiCase(begin, start)) return href.substr(0, start.size() - 3);
    }
    return {};
  }

  bool IsOwn(std::string_view authority) const {
    const auto is_plain = [](char c) {
      return IsAsciiLetter(c) || IsAsciiDigit(c) || c == '.' || c == '-' || c == '_';
    };
    const size_t colon = std::find_if_not(authority.begin(), authority.end(), is_plain) - authority.begin();
    if (colon < authority.size() && authority[colon] != ':') return IsOwnAsUrl(authority);
    const std::string_view port = authority.substr(std::min(colon + 1, authority.size()));
    return UnusualPort(port) == port_ && EqualsIgnoringAsciiCase(BareHost(authority.substr(0, colon)), host_);
  }

  // For hosts that are written in an unusual way: other letters, escapes, IPv6.
  bool IsOwnAsUrl(std::string_view authority) const {
    Url url;
    const bool is_url = url.Parse("http://" + std::string(authority) + "/");
    return is_url && !url.has_userinfo() && UnusualPort(url.port()) == port_ && BareHost(url.hostname()) == host_;
  }

  Url url_;
  // Of url_. No host is the own where it is empty.
  std::string_view host_;
  std::string_view port_;
};

// Writes the links of a page, shortened.
class LinkLines {
 public:
  LinkLines(const HtmlPage& page, std::string_view page_url) : own_(page_url) {
    if (!page.has_base) return;
    std::string base;
    if (!own_.Append(page.base_href, "", &base)) base = page.base_href;
    if (IsRooted(base)) {
      TakeRootedBase(base);
      return;
    }
    if (HasScheme(base) || base.starts_with("//")) own_prefix_ = "own:";
    base_line_ = "base " + base + "\n";
  }

  std::string Write(const HtmlPage& page) const {
    std::string lines;
    lines.reserve(page.links.size() * 64);
    for (const HtmlLink& link : page.links) {
      lines.append(LinkKindName(link.kind)).append(1, ' ');
      AppendShortened(link.href, &lines);
      lines += '\n';
    }
    return lines + base_line_;
  }

 private:
  void TakeRootedBase(std::string_view base) {
    base_ = base.substr(0, base.find('#'));
    path_bytes_ = std::min(base_.find('?'), base_.size());
    folder_bytes_ = base_.rfind('/', path_bytes_ - 1) + 1;
  }

  void AppendShortened(std::string_view href, std::string* out) const {
    if (own_.Append(href, own_prefix_, out)) return;
    const bool is_relative = !base_.empty() && !href.starts_with('/') && !HasScheme(href);
    if (is_relative) {
      const bool keeps_query = href.empty() || href.front() == '#';
      out->append(base_, 0, keeps_query ? base_.size() : href.front() == '?' ? path_bytes_ : folder_bytes_);
    }
    out->append(href);
  }

  const OwnHost own_;
  std::string_view own_prefix_;
  std::string base_line_;
  // Rule 3.
  std::string base_;
  size_t path_bytes_ = 0;
  size_t folder_bytes_ = 0;
};

}  // namespace

Sha256Value ContentDigest(const HtmlPage& page, std::string_view page_url) {
  Sha256 digest;
  digest.Update("trawl content 2\n");
  UpdateWithWords(page.title, &digest);
  UpdateWithWords(page.text, &digest);
  if (!page.links.empty() || page.has_base) digest.Update(LinkLines(page, page_url).Write(page));
  return digest.Finish();
}

}  // namespace trawl
