// `trawl check fetch`: asks for one URL as the crawler does and shows the outcome.
#include <ostream>

#include "jobs/check/check.h"
#include "jobs/check/live_fetch.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr int kMaxRedirects = 5;

// Why the answer is not whole; "" where it is.
std::string ErrorOf(const LiveFetch& fetch) {
  if (fetch.end == LiveFetchEnd::kTooManyRedirects) return "redirect_limit";
  if (fetch.end == LiveFetchEnd::kBadRedirect) return "redirect_refused: " + fetch.answer.location;
  if (fetch.answer.outcome == HttpOutcome::kAnswered) return "";
  std::string error(HttpOutcomeName(fetch.answer.outcome));
  if (fetch.answer.tls_fault != TlsFault::kNone)
    error += " (" + std::string(TlsFaultName(fetch.answer.tls_fault)) + ")";
  return fetch.answer.detail.empty() ? error : error + ": " + fetch.answer.detail;
}

bool IsTruncated(const HttpAnswer& answer) {
  return answer.outcome == HttpOutcome::kAnswered && answer.end != BodyEnd::kComplete;
}

Result<LiveFetch> FetchInput(const Json& input) {
  LiveFetchRequest request;
  ARROW_ASSIGN_OR_RAISE(request.url, CheckBytes(input, "url"));
  if (HasMember(input, "max_bytes")) {
    ARROW_ASSIGN_OR_RAISE(request.max_body_bytes, GetInt(input, "max_bytes"));
    if (request.max_body_bytes < 0) return Status::Invalid("max_bytes: not negative");
  }
  if (HasMember(input, "follow")) {
    ARROW_ASSIGN_OR_RAISE(const bool follow, GetBool(input, "follow"));
    request.max_redirects = follow ? kMaxRedirects : 0;
  }
  return FetchLive(request);
}

Result<Json> Answer(const Json& input) {
  ARROW_ASSIGN_OR_RAISE(const LiveFetch fetch, FetchInput(input));
  const HttpAnswer& got = fetch.answer;
  const std::string error = ErrorOf(fetch);
  Json answer;
  answer["url"] = fetch.url;
  answer["status"] = got.status == 0 ? Json(nullptr) : Json(got.status);
  answer["length"] = got.body.size();
  answer["sha1"] = ToHex(Sha1Of(got.body));
  answer["error"] = error.empty() ? Json(nullptr) : Json(error);
  answer["truncated"] = IsTruncated(got);
  answer["outcome"] = HttpOutcomeName(got.outcome);
  if (IsTruncated(got)) answer["truncated_by"] = BodyEndName(got.end);
  if (!got.kept_codings.empty()) answer["kept_codings"] = got.kept_codings;
  return answer;
}

void PrintStage(std::ostream& out, const char* name, int64_t ms) {
  if (ms >= 0) out << "  " << name << " after " << ms << " ms\n";
}

void PrintCertificate(const CertificateFacts& facts, std::ostream& out) {
  if (!facts.known()) return;
  out << "  certificate of " << facts.subject << "\n    by " << facts.issuer << "\n    valid " << facts.not_before
      << " to " << facts.not_after << "\n    for " << (facts.names.empty() ? "no DNS name" : facts.names) << "\n";
}

Status Print(const std::vector<std::string>& arguments, std::ostream& out) {
  const bool follow = arguments.size() == 2 && arguments[0] == "--follow";
  if (arguments.size() != 1 && !follow) return Status::Invalid("usage: trawl check fetch [--follow] URL");
  ARROW_ASSIGN_OR_RAISE(const LiveFetch fetch,
                        FetchLive({.url = arguments.back(), .max_redirects = follow ? kMaxRedirects : 0}));
  const HttpAnswer& got = fetch.answer;
  const std::string error = ErrorOf(fetch);
  out << fetch.url << ": " << (error.empty() ? HttpOutcomeName(got.outcome) : error) << "\n";
  if (got.has_address) out << "  " << got.address.ToString() << (got.sent ? "" : ", not asked") << "\n";
  PrintCertificate(got.certificate, out);
  PrintStage(out, "name", got.timings.dns_ms);
  PrintStage(out, "connection", got.timings.connect_ms);
  PrintStage(out, "TLS", got.timings.tls_ms);
  PrintStage(out, "first byte", got.timings.first_byte_ms);
  PrintStage(out, "end", got.timings.total_ms);
  if (got.status != 0) {
    out << "  " << got.decoded_bytes << " bytes of body (" << got.wire_bytes << " received)";
    if (IsTruncated(got)) out << ", cut: " << BodyEndName(got.end) << ", " << got.detail;
    out << "\n\n" << got.raw_headers;
  }
  return Status::OK();
}

}  // namespace

CheckKind FetchCheck() { return {"fetch", "[--follow] URL", Answer, Print}; }

}  // namespace trawl
