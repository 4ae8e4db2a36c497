#include "formats/cdx/urlkey.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "formats/text/ascii.h"

namespace trawl {

namespace {

constexpr size_t kNone = std::string_view::npos;

bool IsAlnum(char c) { return IsAsciiDigit(c) || IsAsciiLetter(c); }

// Undoes percent-encoding until none is left: %25%32%35 is "%". What an escape stands for may complete another one, so the
// end of the text so far is looked at after each character. No two escapes share a character, so the order does not matter.
std::string UnescapeWholly(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    out.push_back(c);
    while (out.size() >= 3 && out[out.size() - 3] == '%') {
      const int high = HexDigitValue(out[out.size() - 2]);
      const int low = HexDigitValue(out[out.size() - 1]);
      if (high < 0 || low < 0) break;
      out.resize(out.size() - 3);
      out.push_back(static_cast<char>(high * 16 + low));
    }
  }
  return out;
}

void AppendEscaped(std::string_view text, std::string* out) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte > 0x20 && byte < 0x7f && c != '#' && c != '%') {
      out->push_back(c);
    } else {
      out->push_back('%');
      out->push_back(kDigits[byte >> 4]);
      out->push_back(kDigits[byte & 15]);
    }
  }
}

std::string MinimallyEscaped(std::string_view text) {
  std::string out;
  AppendEscaped(UnescapeWholly(text), &out);
  return out;
}

void LowerAscii(std::string* text) {
  for (char& c : *text) c = AsciiLower(c);
}

// Resolves "." and "..", and makes one slash of several.
std::string WithoutDots(std::string_view path) {
  std::vector<std::string_view> kept;
  for (size_t at = path.find('/'); at != kNone;) {
    const size_t next = path.find('/', at + 1);
    const std::string_view piece = path.substr(at + 1, next == kNone ? kNone : next - at - 1);
    if (piece == ".." && !kept.empty()) {
      kept.pop_back();
    } else if (piece != ".") {
      kept.push_back(piece);
    }
    at = next;
  }
  std::string out = "/";
  for (size_t i = 0; i < kept.size(); ++i) {
    out.append(kept[i]);
    if (i + 1 < kept.size() && !kept[i].empty()) out.push_back('/');
  }
  return out;
}

// "(24 letters or digits)" at `at`: the place after it; else 0.
size_t AfterSession(std::string_view path, size_t at) {
  constexpr size_t kId = 24;
  if (at + kId + 2 > path.size() || path[at] != '(' || path[at + kId + 1] != ')') return 0;
  const std::string_view id = path.substr(at + 1, kId);
  return std::all_of(id.begin(), id.end(), IsAlnum) ? at + kId + 2 : 0;
}

// A segment that is ASP.NET's session, at `at`: the place after its slash; else 0. It is "(id)/" or "(a(id)b(id))/".
size_t AfterPlainSession(std::string_view path, size_t at) {
  const size_t end = AfterSession(path, at);
  return end != 0 && path.substr(end, 1) == "/" ? end + 1 : 0;
}
size_t AfterNamedSessions(std::string_view path, size_t at) {
  if (path.substr(at, 1) != "(") return 0;
  size_t end = at + 1;
  while (end < path.size() && IsAsciiLetter(path[end])) {
    const size_t after = AfterSession(path, end + 1);
    if (after == 0) return 0;
    end = after;
  }
  return end > at + 1 && path.substr(end, 2) == ")/" ? end + 2 : 0;
}

// Cuts the last segment that is a session, if a page ".aspx" follows it.
template <typename After>
void CutPathSession(std::string* path, After&& after_session) {
  constexpr std::string_view kPage = ".aspx";
  const std::string_view text = *path;
  size_t end = text.size();  // what comes after it was looked through already
  for (size_t slash = text.rfind('/'); slash != kNone; slash = slash == 0 ? kNone : text.rfind('/', slash - 1)) {
    const size_t rest = after_session(text, slash + 1);
    if (rest == 0) continue;
    const std::string_view window = text.substr(rest, end - std::min(rest, end));
    const size_t page = window.find(kPage, 1);
    if (page != kNone && page < window.find('?')) {
      path->erase(slash + 1, rest - slash - 1);
      return;
    }
    end = std::min(end, rest + kPage.size());
  }
}

std::string KeyPath(std::string_view raw) {
  std::string path;
  AppendEscaped(WithoutDots(UnescapeWholly(raw)), &path);
  LowerAscii(&path);
  CutPathSession(&path, AfterNamedSessions);
  CutPathSession(&path, AfterPlainSession);
  if (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

// Cuts [begin, end) and the '&' after it.
void CutParameter(size_t begin, size_t end, std::string* query) {
  query->erase(begin, std::min(end + 1, query->size()) - begin);
}

// Cuts the last name=value where the value is `size` characters, all of the kind, and ends the parameter. The name may be
// the end of a longer one. Of "aspsessionid", 8 letters belong to the name.
template <typename IsKind>
void CutSession(std::string_view name, size_t letters, size_t size, IsKind&& is_kind, std::string* query) {
  const std::string_view text = *query;
  for (size_t at = text.rfind(name); at != kNone; at = at == 0 ? kNone : text.rfind(name, at - 1)) {
    const size_t equals = at + name.size() + letters;
    const size_t end = equals + 1 + size;
    if (end > text.size() || text[equals] != '=' || (end < text.size() && text[end] != '&')) continue;
    const std::string_view more = text.substr(at + name.size(), letters), value = text.substr(equals + 1, size);
    if (!std::all_of(more.begin(), more.end(), IsAsciiLetter) || !std::all_of(value.begin(), value.end(), is_kind))
      continue;
    CutParameter(at, end, query);
    return;
  }
}

// Cuts the last "cfid=…&cftoken=…".
void CutColdFusion(std::string* query) {
  constexpr std::string_view kId = "cfid=", kToken = "&cftoken=";
  const std::string_view text = *query;
  for (size_t token = text.rfind(kToken); token != kNone; token = token == 0 ? kNone : text.rfind(kToken, token - 1)) {
    const size_t value = token + kToken.size();
    if (value >= text.size() || text[value] == '&') continue;
    const size_t before = token == 0 ? kNone : text.rfind('&', token - 1);
    const size_t piece = before == kNone ? 0 : before + 1;
    if (token < piece + kId.size() + 1) continue;
    const size_t id = text.rfind(kId, token - kId.size() - 1);
    if (id == kNone || id < piece) continue;
    CutParameter(id, std::min(text.find('&', value), text.size()), query);
    return;
  }
}

// A parameter without '=' comes before one of the same name with it.
std::string SortedParameters(std::string_view query) {
  if (query.size() <= 1) return std::string(query);
  std::vector<std::pair<std::string_view, std::optional<std::string_view>>> parameters;
  for (size_t at = 0;;) {
    const size_t end = query.find('&', at);
    const std::string_view one = query.substr(at, end == kNone ? kNone : end - at);
    const size_t equals = one.find('=');
    if (equals == kNone) {
      parameters.emplace_back(one, std::nullopt);
    } else {
      parameters.emplace_back(one.substr(0, equals), one.substr(equals + 1));
    }
    if (end == kNone) break;
    at = end + 1;
  }
  std::sort(parameters.begin(), parameters.end());
  std::string out;
  for (const auto& [name, value] : parameters) {
    if (&name != &parameters.front().first) out.push_back('&');
    out.append(name);
    if (value) out.append("=").append(*value);
  }
  return out;
}

std::string KeyQuery(std::string_view raw) {
  std::string query = MinimallyEscaped(raw);
  LowerAscii(&query);
  for (const std::string_view name : {"jsessionid", "phpsessid", "sid"}) CutSession(name, 0, 32, IsAlnum, &query);
  CutSession("aspsessionid", 8, 24, IsAsciiLetter, &query);
  CutColdFusion(&query);
  return SortedParameters(query);
}

// "www", digits and a dot at the beginning go; labels are turned round.
std::string KeyHost(std::string_view raw) {
  const std::string plain = UnescapeWholly(raw);
  std::string host;
  for (size_t i = 0; i < plain.size(); ++i) {
    host.push_back(plain[i]);
    if (plain.substr(i, 2) == "..") ++i;
  }
  host.erase(host.find_last_not_of('.') + 1);
  host.erase(0, std::min(host.find_first_not_of('.'), host.size()));
  std::string escaped;
  AppendEscaped(host, &escaped);
  LowerAscii(&escaped);
  std::string_view left = escaped;
  if (left.starts_with("www")) {
    const size_t dot = left.find_first_not_of("0123456789", 3);
    if (dot != kNone && left[dot] == '.') left.remove_prefix(dot + 1);
  }
  std::string out;
  while (true) {
    const size_t dot = left.rfind('.');
    out.append(left.substr(dot == kNone ? 0 : dot + 1));
    if (dot == kNone) return out;
    out.push_back(',');
    left = left.substr(0, dot);
  }
}

}  // namespace

std::string UrlKeyForIndex(std::string_view url) {
  url = url.substr(0, url.find('#'));
  const size_t colon = url.find("://");
  const std::string_view scheme = url.substr(0, colon == kNone ? 0 : colon);
  std::string_view rest = colon == kNone ? url : url.substr(colon + 3);
  const size_t path_at = std::min(rest.find_first_of("/?"), rest.size());
  std::string_view host = rest.substr(0, path_at);
  rest.remove_prefix(path_at);
  host.remove_prefix(host.rfind('@') + 1);
  std::string_view port;
  const size_t port_at = host.rfind(':');
  if (port_at != kNone && (host.find(']') == kNone || host.find(']') < port_at)) {
    port = host.substr(port_at + 1);
    host = host.substr(0, port_at);
  }
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  if (port == "0" || (scheme == "http" && port == "80") || (scheme == "https" && port == "443")) port = "";

  const size_t query_at = rest.find('?');
  std::string key = KeyHost(host);
  if (!port.empty()) AppendEscaped(std::string(":").append(port), &key);
  key += ")";
  key += KeyPath(rest.substr(0, query_at));
  if (query_at == kNone) return key;
  const std::string query = KeyQuery(rest.substr(query_at + 1));
  if (!query.empty()) key.append("?").append(query);
  return key;
}

}  // namespace trawl
