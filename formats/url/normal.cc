#include "formats/url/normal.h"

#include <algorithm>
#include <array>

#include "arrow/status.h"
#include "formats/text/ascii.h"
#include "formats/url/key.h"
#include "formats/url/parameters.h"
#include "formats/url/pieces.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr std::string_view kUnreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
// The other characters that may stand in a path or a query: sub-delims, ":", "@", and their own separators.
constexpr std::string_view kAllowed = "!$&'()*+,;=:@/?";

constexpr std::array<bool, 256> TableOf(std::string_view one, std::string_view other) {
  std::array<bool, 256> table{};
  for (const char c : one) table[static_cast<unsigned char>(c)] = true;
  for (const char c : other) table[static_cast<unsigned char>(c)] = true;
  return table;
}
constexpr std::array<bool, 256> kIsUnreserved = TableOf(kUnreserved, "");
constexpr std::array<bool, 256> kStays = TableOf(kUnreserved, kAllowed);

void AppendEscape(unsigned char byte, std::string* out) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  const char escape[] = {'%', kDigits[byte >> 4], kDigits[byte & 15]};
  out->append(escape, sizeof(escape));
}

// Step 4.
void AppendEvened(std::string_view text, std::string* out) {
  size_t done = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (kStays[byte]) continue;
    out->append(text.substr(done, at - done));
    const int high = byte == '%' && at + 2 < text.size() ? HexDigitValue(text[at + 1]) : -1;
    const int low = high >= 0 ? HexDigitValue(text[at + 2]) : -1;
    if (low < 0) {
      AppendEscape(byte, out);
    } else {
      const auto decoded = static_cast<unsigned char>(high * 16 + low);
      if (kIsUnreserved[decoded]) {
        out->push_back(static_cast<char>(decoded));
      } else {
        AppendEscape(decoded, out);
      }
      at += 2;
    }
    done = at + 1;
  }
  out->append(text.substr(done));
}

// Step 5, for a segment "(S(…))".
bool IsSessionSegment(std::string_view segment) {
  constexpr size_t kIdBytes = 24;
  if (segment.size() != kIdBytes + 5 || !segment.starts_with("(S(") || !segment.ends_with("))")) return false;
  const std::string_view id = segment.substr(3, kIdBytes);
  return std::all_of(id.begin(), id.end(),
                     [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); });
}

// Step 5, for the parameters of a segment. Writes the rest of the segment at `to` and returns its number of bytes.
size_t WriteWithoutSessions(std::string_view segment, char* to) {
  size_t kept = 0;
  for (size_t at = 0; at <= segment.size();) {
    const size_t end = std::min(segment.find(';', at), segment.size());
    const std::string_view piece = segment.substr(at, end - at);
    const size_t equals = std::min(piece.find('='), piece.size());
    const std::string_view value = piece.substr(std::min(equals + 1, piece.size()));
    if (at == 0 || RoleOfParameter(piece.substr(0, equals), value) != ParameterRole::kSession) {
      if (at != 0) to[kept++] = ';';
      std::copy(piece.begin(), piece.end(), to + kept);
      kept += piece.size();
    }
    at = end + 1;
  }
  return kept;
}

bool IsDots(std::string_view segment) { return segment == "." || segment == ".."; }

// Step 5, on the path from `start` to the end of `*url`.
void RemovePathSessions(size_t start, std::string* url) {
  if (url->find(';', start) == std::string::npos && url->find('(', start) == std::string::npos) return;
  const std::string path = url->substr(start);
  url->resize(start);
  std::string segment;
  for (size_t at = 1; at <= path.size();) {
    const size_t end = std::min(path.find('/', at), path.size());
    const std::string_view found = std::string_view(path).substr(at, end - at);
    segment.resize(found.size());
    segment.resize(WriteWithoutSessions(found, segment.data()));
    if (!IsSessionSegment(segment)) {
      url->push_back('/');
      url->append(IsDots(segment) ? found : std::string_view(segment));
    } else if (end == path.size()) {
      url->push_back('/');  // the segment's place was a folder
    }
    at = end + 1;
  }
}

// Steps 9 and 10, on the path from `start` to the end of `*url`.
void FoldPath(size_t start, std::string* url) {
  if (url->find("//", start) != std::string::npos) {
    const auto path = url->begin() + static_cast<std::ptrdiff_t>(start);
    url->erase(std::unique(path, url->end(), [](char a, char b) { return a == '/' && b == '/'; }), url->end());
  }
  for (;;) {
    if (url->size() > start + 1 && url->back() == '/') url->pop_back();
    const size_t slash = url->rfind('/');
    if (!IsDefaultDocument(std::string_view(*url).substr(slash + 1))) return;
    url->resize(slash + 1);
  }
}

}  // namespace

std::string_view NameOf(NormalForm form) {
  switch (form) {
    case NormalForm::kStrict:
      return "strict";
    case NormalForm::kStandard:
      return "standard";
    case NormalForm::kFold:
      return "fold";
  }
  return "";
}

Result<NormalForm> NormalFormOf(std::string_view name) {
  for (const NormalForm form : {NormalForm::kStrict, NormalForm::kStandard, NormalForm::kFold}) {
    if (name == NameOf(form)) return form;
  }
  return Status::Invalid("\"", name, "\" is not strict, standard or fold");
}

std::string_view TextOf(UrlRefusal refusal) {
  switch (refusal) {
    case UrlRefusal::kNone:
      return "";
    case UrlRefusal::kNoUrl:
      return "is not an absolute URL";
    case UrlRefusal::kScheme:
      return "is neither http nor https";
    case UrlRefusal::kHost:
      return "has a host that is neither a name of letters, digits, '-' and '_' nor an address";
    case UrlRefusal::kTooLong:
      return "is too long: its key would be over 2,048 bytes";
  }
  return "";
}

bool UrlNormalizer::IsKept(const Parameter& parameter) const {
  if (parameter.text.empty()) return false;
  const std::string_view value = parameter.text.substr(std::min(parameter.name_bytes + 1, parameter.text.size()));
  const ParameterRole role = RoleOfParameter(parameter.name(), value);
  return role == ParameterRole::kContent || (role == ParameterRole::kReferrer && form_ != NormalForm::kFold);
}

// Steps 6 to 8, for the query after step 4, which stands from `start` to the end of `*url`.
void UrlNormalizer::SortQuery(size_t start, std::string* url) {
  const auto before = [](const Parameter& a, const Parameter& b) {
    const int names = a.name().compare(b.name());
    return names != 0 ? names < 0 : a.text < b.text;
  };
  parameters_.clear();
  const std::string_view query = std::string_view(*url).substr(start);
  bool as_it_is = true;
  for (size_t at = 0; at <= query.size();) {
    const size_t end = std::min(query.find('&', at), query.size());
    const std::string_view text = query.substr(at, end - at);
    const Parameter parameter{text, std::min(text.find('='), text.size())};
    const bool kept = IsKept(parameter);
    as_it_is = as_it_is && kept && (parameters_.empty() || !before(parameter, parameters_.back()));
    if (kept) parameters_.push_back(parameter);
    at = end + 1;
  }
  if (as_it_is) return;
  std::sort(parameters_.begin(), parameters_.end(), before);
  sorted_query_.clear();
  for (const Parameter& parameter : parameters_) {
    if (!sorted_query_.empty()) sorted_query_.push_back('&');
    sorted_query_.append(parameter.text);
  }
  url->resize(parameters_.empty() ? start - 1 : start);  // without parameters, no '?'
  url->append(sorted_query_);
}

UrlRefusal UrlNormalizer::Normalize(const Url& url, std::string* out, UrlPieces* pieces) {
  const std::string_view scheme = url.scheme();
  if (scheme != "https" && scheme != "http") return url.href().empty() ? UrlRefusal::kNoUrl : UrlRefusal::kScheme;
  if (url.without_fragment().size() > kMaxNormaliseBytes) return UrlRefusal::kTooLong;
  std::string_view host = url.hostname();
  const bool plain = !url.has_userinfo() && !host.ends_with('.');
  if (host.ends_with('.')) host.remove_suffix(1);
  const HostForm host_form = FormOfHost(host);
  if (host_form == HostForm::kRefused) return UrlRefusal::kHost;

  if (plain) {
    out->assign(url.before_path());
  } else {
    out->assign(scheme).append("://").append(host);
    if (!url.port().empty()) out->append(":").append(url.port());
  }
  const size_t path_start = out->size();
  AppendEvened(url.path(), out);
  if (form_ >= NormalForm::kStandard) RemovePathSessions(path_start, out);
  if (form_ >= NormalForm::kFold) FoldPath(path_start, out);
  const size_t path_end = out->size();
  if (url.has_query()) {
    out->push_back('?');
    AppendEvened(url.query(), out);
    if (form_ >= NormalForm::kStandard) SortQuery(path_end + 1, out);
  }
  const bool usual_origin = url.port().empty() && scheme.size() == 5;
  if (KeySizeOfUrl(out->size(), usual_origin) > kMaxKeyBytes) return UrlRefusal::kTooLong;
  if (pieces != nullptr) {
    const std::string_view text = *out;
    pieces->scheme = text.substr(0, scheme.size());
    pieces->host = text.substr(scheme.size() + 3, host.size());
    pieces->origin = text.substr(0, path_start);
    pieces->port = pieces->origin.substr(std::min(scheme.size() + host.size() + 4, path_start));
    pieces->path = text.substr(path_start, path_end - path_start);
    pieces->has_query = path_end < text.size();
    pieces->query = text.substr(std::min(path_end + 1, text.size()));
    pieces->host_form = host_form;
  }
  return UrlRefusal::kNone;
}

UrlRefusal UrlNormalizer::Normalize(std::string_view url, std::string* out, UrlPieces* pieces) {
  if (!parsed_.Parse(url)) return UrlRefusal::kNoUrl;
  return Normalize(parsed_, out, pieces);
}

Result<std::string> NormalizeUrl(std::string_view url, NormalForm form) {
  std::string out;
  const UrlRefusal refusal = UrlNormalizer(form).Normalize(url, &out);
  if (refusal == UrlRefusal::kNone) return out;
  return Status::Invalid("\"", url.substr(0, 200), "\" ", TextOf(refusal));
}

}  // namespace trawl
