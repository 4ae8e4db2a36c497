#include "formats/url/url.h"

#include <ada.h>

#include <utility>

#include "arrow/status.h"
#include "formats/url/input.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// Such a reference needs no base, and ada reads it faster without one.
bool IsAbsoluteWeb(std::string_view input) { return input.starts_with("https://") || input.starts_with("http://"); }

// Messages quote hostile input, but only enough of it to find it again.
std::string Quoted(std::string_view input) {
  constexpr size_t kMaxQuotedBytes = 120;
  if (input.size() <= kMaxQuotedBytes) return "\"" + std::string(input) + "\"";
  return "\"" + std::string(input.substr(0, kMaxQuotedBytes)) + "…\"";
}

}  // namespace

struct BaseUrl::State {
  ada::url_aggregator parsed;
  // Null where queries are sent as UTF-8.
  std::unique_ptr<QueryEncoder> query_encoder;
};

BaseUrl::BaseUrl(std::unique_ptr<State> state) : state_(std::move(state)) {}
BaseUrl::BaseUrl(BaseUrl&&) noexcept = default;
BaseUrl& BaseUrl::operator=(BaseUrl&&) noexcept = default;
BaseUrl::~BaseUrl() = default;

Result<BaseUrl> BaseUrl::Make(std::string_view url, std::string_view encoding) {
  if (url.size() > kMaxBaseUrlBytes) return Status::Invalid("a base URL may have ", kMaxBaseUrlBytes, " bytes");
  std::string repaired;
  auto state = std::make_unique<State>();
  state->parsed = ada::parser::parse_url<ada::url_aggregator>(AsUtf8(url, &repaired), nullptr);
  if (!state->parsed.is_valid) return Status::Invalid(Quoted(url), " is not an absolute URL");
  state->query_encoder = QueryEncoder::For(encoding);
  return BaseUrl(std::move(state));
}

std::string_view BaseUrl::href() const { return state_->parsed.get_href(); }

template <typename Parsed>
void Url::Take(const Parsed& parsed) {
  const ada::url_components at = parsed.get_components();
  href_.assign(parsed.get_href());
  scheme_end_ = at.protocol_end;
  username_end_ = at.username_end;
  host_start_ = at.host_start;
  host_end_ = at.host_end;
  path_start_ = at.pathname_start;
  query_start_ = at.search_start;
  fragment_start_ = at.hash_start;
}

void Url::Clear() {
  href_.clear();
  scheme_end_ = username_end_ = host_start_ = host_end_ = path_start_ = 0;
  query_start_ = fragment_start_ = kNone;
}

bool Url::Read(std::string_view input, const BaseUrl* base) {
  Clear();
  if (input.size() > kMaxUrlBytes || HasOverlongHost(input)) return false;
  std::string repaired, encoded;
  input = AsUtf8(input, &repaired);
  const ada::url_aggregator* base_url = base == nullptr || IsAbsoluteWeb(input) ? nullptr : &base->state_->parsed;
  ada::url_aggregator parsed = ada::parser::parse_url<ada::url_aggregator>(input, base_url);
  if (!parsed.is_valid) return false;
  // The standard encodes only the queries of special schemes, so the scheme must be known first.
  const bool legacy = base != nullptr && base->state_->query_encoder != nullptr && parsed.has_search() &&
                      parsed.is_special() && parsed.type != ada::scheme::WS && parsed.type != ada::scheme::WSS;
  if (legacy && base->state_->query_encoder->EncodeQueryOf(input, &encoded)) {
    parsed = ada::parser::parse_url<ada::url_aggregator>(encoded, base_url);
    if (!parsed.is_valid) return false;
  }
  Take(parsed);
  return true;
}

bool Url::Parse(std::string_view input) { return Read(input, nullptr); }
bool Url::Resolve(std::string_view input, const BaseUrl& base) { return Read(input, &base); }

uint32_t Url::QueryEnd() const { return has_fragment() ? fragment_start_ : static_cast<uint32_t>(href_.size()); }

std::string_view Url::scheme() const { return Between(0, scheme_end_ == 0 ? 0 : scheme_end_ - 1); }

std::string_view Url::username() const { return Between(scheme_end_ + 2, username_end_); }

std::string_view Url::password() const { return Between(username_end_ + 1, host_start_); }

std::string_view Url::hostname() const { return Between(host_start_ + (has_userinfo() ? 1 : 0), host_end_); }

std::string_view Url::port() const {
  // Where a URL has no host and its path begins with "//", "/." stands here.
  const std::string_view text = Between(host_end_, path_start_);
  return text.starts_with(':') ? text.substr(1) : std::string_view();
}

std::string_view Url::path() const { return Between(path_start_, has_query() ? query_start_ : QueryEnd()); }

std::string_view Url::query() const { return has_query() ? Between(query_start_ + 1, QueryEnd()) : std::string_view(); }

std::string_view Url::fragment() const {
  return has_fragment() ? std::string_view(href_).substr(fragment_start_ + 1) : std::string_view();
}

std::string_view Url::without_fragment() const { return Between(0, QueryEnd()); }

Result<Url> ParseUrl(std::string_view input) {
  Url url;
  if (!url.Parse(input)) return Status::Invalid(Quoted(input), " is not an absolute URL");
  return url;
}

Result<Url> ResolveUrl(std::string_view input, const BaseUrl& base) {
  Url url;
  if (!url.Resolve(input, base)) return Status::Invalid(Quoted(input), " cannot be read against ", Quoted(base.href()));
  return url;
}

Result<Url> ParseUrlIn(std::string_view input, std::string_view base, std::string_view encoding) {
  // about:blank carries the encoding; only absolute URLs can be read against it.
  ARROW_ASSIGN_OR_RAISE(const BaseUrl base_url, BaseUrl::Make(base.empty() ? "about:blank" : base, encoding));
  if (base.empty() && !Url().Parse(input)) return Status::Invalid(Quoted(input), " is not an absolute URL");
  return ResolveUrl(input, base_url);
}

Result<std::string> HostToAscii(std::string_view host) {
  std::string repaired, ascii;
  if (host.size() > kMaxHostTextBytes) return Status::Invalid("a host name may have ", kMaxHostTextBytes, " bytes");
  if (host.empty() || !ada::idna::to_ascii(AsUtf8(host, &repaired), ascii) || ascii.empty() ||
      ada::idna::contains_forbidden_domain_code_point(ascii)) {
    return Status::Invalid(Quoted(host), " is not a host name");
  }
  return ascii;
}

std::string RequestSpelling(const Url& url) {
  if (url.username().empty() && url.password().empty()) return std::string(url.without_fragment());
  std::string spelling = std::string(url.scheme()) + "://" + std::string(url.hostname());
  if (!url.port().empty()) spelling += ":" + std::string(url.port());
  spelling += url.path();
  if (url.has_query()) spelling += "?" + std::string(url.query());
  return spelling;
}

}  // namespace trawl
