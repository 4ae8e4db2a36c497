#include "jobs/capture/capture_writer.h"

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

#include "formats/cdx/urlkey.h"
#include "formats/digests/digest.h"
#include "formats/http/fields.h"
#include "formats/http/media_type.h"
#include "formats/http/raw_headers.h"
#include "formats/text/ascii.h"
#include "formats/text/language.h"
#include "formats/url/key.h"
#include "formats/warc/http_head.h"
#include "jobs/capture/captures.h"
#include "jobs/capture/keeping_store.h"
#include "jobs/capture/plan_facts.h"
#include "jobs/politeness/robots_hops.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr char kWetFolder[] = "wet";
constexpr size_t kLargeBody = size_t{4} << 20;
constexpr std::string_view kUnspecified = "unspecified";

WarcDigest AlgorithmOf(const ArchiveOptions& options) {
  return options.digest == ArchiveDigest::kSha1 ? WarcDigest::kSha1 : WarcDigest::kSha256;
}

// Older versions did not note the protocol; the status line tells it.
std::string ProtocolOf(const std::string& noted, std::string_view head) {
  if (!noted.empty()) return noted;
  for (const char* const version : {"1.0", "1.1", "2"}) {
    if (head.starts_with("HTTP/" + std::string(version) + " ")) return version;
  }
  return "";
}

// Why the record has no body though the answer had one. `is_broken`: it did not come to its end.
std::string_view TruncationOfDropped(int32_t status, int64_t wire_bytes, const HeaderList& fields, bool is_broken) {
  if (status == 304 || status == 204) return "";
  if (wire_bytes > 0 || is_broken) return kUnspecified;
  const auto announced = ContentLengthOf(fields);
  // Two different lengths announce a body, too.
  return !announced.ok() || announced->value_or(0) > 0 ? kUnspecified : "";
}

// A head came, and then something went wrong.
bool IsBrokenOff(Outcome outcome) {
  return outcome == Outcome::kTooSlow || outcome == Outcome::kTimeout || outcome == Outcome::kConnectionReset ||
         outcome == Outcome::kProtocolError || outcome == Outcome::kDecodeError;
}

// The code in the status line of a head that WarcHttpHeadOf wrote. An outcome that is a fault of the protocol notes none.
int32_t StatusOf(const WarcHttpHead& head) {
  constexpr size_t kAfterVersion = sizeof("HTTP/1.1 ") - 1;
  int32_t status = -1;
  const char* const digits = head.text.data() + std::min(kAfterVersion, head.text.size());
  std::from_chars(digits, head.text.data() + head.text.size(), status);
  return status;
}

// Of the first Content-Type, as other indexers have it; "text/html, text/html" is read as browsers read it.
std::string EssenceOf(const HeaderList& fields) {
  std::optional<MediaType> type = ParseMediaType(fields.First("Content-Type").value_or(""));
  if (!type) type = ContentTypeOf(fields);
  return type ? type->essence : "";
}

// The type that somebody found in the bytes: the HTML tree, or the reader of sitemaps and feeds.
std::string FoundType(const ParseRow* parsed) {
  if (parsed == nullptr || parsed->failed) return "";
  if (!parsed->tree.empty()) return parsed->media_type == "application/xhtml+xml" ? parsed->media_type : "text/html";
  return "";
}

std::string LanguagesOf(const ParseRow* parsed) {
  return parsed == nullptr ? "" : std::string(ThreeLetterLanguageOf(parsed->language));
}

std::string CharsetOf(const ParseRow* parsed) {
  std::string charset = parsed == nullptr ? "" : parsed->charset;
  for (char& byte : charset) byte = byte >= 'a' && byte <= 'z' ? static_cast<char>(byte - 'a' + 'A') : byte;
  return charset;
}

// Whatever could end a line becomes a blank.
std::string OnOneLine(std::string text) {
  for (char& byte : text) {
    if (static_cast<unsigned char>(byte) < 0x20 || byte == 0x7F) byte = ' ';
  }
  return text;
}

}  // namespace

Result<std::unique_ptr<CaptureWriter>> CaptureWriter::Make(Store* to, const ArchiveBegin* begin,
                                                           const ArchiveOptions& options, const ArchivePartPlan& part) {
  ARROW_ASSIGN_OR_RAISE(GzipMembers members, GzipMembers::Make(options.level));
  return std::unique_ptr<CaptureWriter>(new CaptureWriter(to, begin, options, part, std::move(members)));
}

CaptureWriter::CaptureWriter(Store* to, const ArchiveBegin* begin, const ArchiveOptions& options,
                             const ArchivePartPlan& part, GzipMembers members)
    : to_(to),
      begin_(*begin),
      options_(options),
      plan_(part),
      records_(AlgorithmOf(options)),
      members_(std::move(members)),
      kept_(std::make_unique<KeepingStore>(to)),
      captures_(kept_.get(), ArchivePaths(begin->name).Captures(), KeptPrefix(part.number), KeptFileOptions()),
      originals_(kept_.get(), ArchivePaths(begin->name).Originals(), KeptPrefix(part.number), KeptFileOptions()) {
  part_.number = part.number;
}

WarcFiles* CaptureWriter::FilesOf(const char* folder) {
  std::unique_ptr<WarcFiles>& files = folders_[folder];
  if (files == nullptr) {
    files = std::make_unique<WarcFiles>(to_, &members_, &records_,
                                        WarcFilesPlan{.begin = &begin_,
                                                      .segment = plan_.segment,
                                                      .folder = folder,
                                                      .part = plan_.number,
                                                      .file_bytes = options_.warc_size});
  }
  return files.get();
}

// Writes record_.
Result<RecordPlace> CaptureWriter::Put(const char* folder, std::string_view type) {
  ++part_.counts["records." + std::string(type)];
  return FilesOf(folder)->Append(record_);
}

Status CaptureWriter::PutRequest(const char* subset, const WarcCapture& capture, std::string_view head) {
  if (head.empty()) return Status::OK();
  records_.Request(capture, head, &record_);
  return Put(subset, "request").status();
}

Status CaptureWriter::PutCaptureRow(const char* subset, const WarcCapture& capture, const RecordPlace& place,
                                    CaptureRow row) {
  row.url = TargetUriOf(capture.url);
  row.key = UrlKeyForIndex(row.url);
  row.began_ms = capture.began_ms;
  row.record_type = std::string(TextOf(capture.main));
  row.record_id = capture.MainId();
  row.subset = subset;
  row.segment = begin_.segments[plan_.segment].id;
  row.filename = place.filename;
  row.offset = place.offset;
  row.length = place.length;
  ++part_.counts[std::string("captures.") + subset];
  return captures_.Append(row);
}

Status CaptureWriter::PutOriginal(const WarcCapture& capture, const FetchRow& fetch, const std::string& digest) {
  return originals_.Append({.key = ToHex(std::string_view(fetch.body_digest)) + ")",
                            .url = TargetUriOf(capture.url),
                            .began_ms = capture.began_ms,
                            .record_id = capture.MainId(),
                            .digest = digest,
                            .bytes = fetch.bytes});
}

Status CaptureWriter::PutMetadata(const char* subset, const WarcCapture& capture, const WholeCapture& whole) {
  const FetchRow& fetch = *whole.fetch;
  std::vector<std::pair<std::string, std::string>> fields = {{"fetchTimeMs", std::to_string(fetch.total_ms)}};
  std::string via = fetch.hop_of;
  if (via.empty() && !fetch.listed.empty()) {
    UrlRow listed;
    ARROW_RETURN_NOT_OK(DecodeRow(fetch.listed, &listed));
    via = listed.via;
  }
  std::string url;
  if (!via.empty() && WriteUrlOfKey(via, &url)) fields.emplace_back("via", TargetUriOf(url));
  if (std::string charset = CharsetOf(whole.parsed); !charset.empty()) {
    fields.emplace_back("charset-detected", std::move(charset));
  }
  if (std::string languages = LanguagesOf(whole.parsed); !languages.empty()) {
    fields.emplace_back("languages", std::move(languages));
  }
  if (fetch.robots_line > 0) fields.emplace_back("robots-line", std::to_string(fetch.robots_line));
  records_.Metadata(capture, fields, &record_);
  return Put(subset, "metadata").status();
}

Status CaptureWriter::PutText(const WarcCapture& capture, const ParseRow& parsed) {
  if (parsed.text.empty() && parsed.title.empty()) return Status::OK();
  WarcCapture of_text = capture;
  ARROW_ASSIGN_OR_RAISE(of_text.warcinfo_id, FilesOf(kWetFolder)->BeginCapture());
  records_.Conversion(of_text, OnOneLine(parsed.title) + "\n" + parsed.text, ThreeLetterLanguageOf(parsed.language),
                      &record_);
  return Put(kWetFolder, "conversion").status();
}

Status CaptureWriter::WriteAnswer(const WholeCapture& whole) {
  const FetchRow& fetch = *whole.fetch;
  const Decision decision = whole.decision == nullptr ? Decision::kNone : whole.decision->decision;
  const char* const subset = SubsetOf(fetch);
  const bool is_kept = fetch.outcome == Outcome::kFetched;
  const bool is_revisit = decision == Decision::kSamePayload || decision == Decision::kNotModified;
  WarcCapture capture = {.place = whole.place,
                         .url = fetch.url,
                         .began_ms = BeganMs(fetch),
                         .address = fetch.address,
                         .http_version = ProtocolOf(fetch.http_version, fetch.response_headers),
                         .tls_version = fetch.tls_version,
                         .main = is_revisit ? WarcType::kRevisit : WarcType::kResponse};
  ARROW_ASSIGN_OR_RAISE(capture.warcinfo_id, FilesOf(subset)->BeginCapture());
  ARROW_RETURN_NOT_OK(PutRequest(subset, capture, fetch.request_headers));

  const HeaderList fields = ParseRawHeaders(fetch.response_headers);
  CaptureRow row = {.redirect = fetch.redirect_url};
  row.mime = EssenceOf(fields);
  const std::string_view body = whole.body == nullptr ? std::string_view() : std::string_view(*whole.body);
  const bool has_body = !body.empty();
  const int64_t payload_bytes = is_revisit ? fetch.bytes : static_cast<int64_t>(body.size());
  const WarcHttpHead head = WarcHttpHeadOf({.raw = fetch.response_headers,
                                            .status = fetch.status,
                                            .kept_codings = is_kept ? std::string_view(fetch.kept_codings) : "",
                                            .payload_bytes = payload_bytes});
  part_.counts["dropped_lines"] += head.dropped_lines;
  row.status = StatusOf(head);
  if (is_revisit) {
    const WarcOriginal original = {.id = whole.decision->original_id,
                                   .url = whole.decision->original_url,
                                   .began_ms = whole.decision->original_began_ms,
                                   .digest = whole.decision->digest};
    if (decision == Decision::kSamePayload) {
      records_.SamePayload(capture, head.text, original, &record_);
      row.digest = original.digest;
    } else {
      records_.NotModified(capture, original, &record_);
    }
  } else {
    WarcPayload payload = {.bytes = body};
    payload.truncated = is_kept ? WarcTruncationOf(fetch.truncated)
                                : TruncationOfDropped(row.status, fetch.wire_bytes, fields, IsBrokenOff(fetch.outcome));
    payload.identified_type = FoundType(whole.parsed);
    const bool knows_sha1 = is_kept && fetch.body_sha1.size() == sizeof(Sha1Value);
    if (records_.digest() == WarcDigest::kSha1 && knows_sha1) {
      payload.digest = WarcDigestText(WarcDigest::kSha1, fetch.body_sha1);
    } else if (records_.digest() == WarcDigest::kSha256 && is_kept && fetch.body_digest.size() == sizeof(Sha256Value)) {
      payload.digest = WarcDigestText(WarcDigest::kSha256, fetch.body_digest);
    } else {
      payload.digest = WarcDigestOf(records_.digest(), body);
    }
    records_.Response(capture, head.text, payload, &record_);
    if (body.size() > kLargeBody) std::string().swap(*whole.body);
    if (row.status != 304) row.digest = payload.digest;  // the record of a 304 has none
    row.truncated = payload.truncated;
    row.mime_detected = payload.identified_type;
  }
  ARROW_ASSIGN_OR_RAISE(const RecordPlace place, Put(subset, TextOf(capture.main)));
  if (whole.parsed != nullptr) {
    row.charset = CharsetOf(whole.parsed);
    row.languages = LanguagesOf(whole.parsed);
    row.title = OnOneLine(whole.parsed->title);
  }
  if (is_kept && !is_revisit && has_body) ARROW_RETURN_NOT_OK(PutOriginal(capture, fetch, row.digest));
  ARROW_RETURN_NOT_OK(PutCaptureRow(subset, capture, place, std::move(row)));
  ARROW_RETURN_NOT_OK(PutMetadata(subset, capture, whole));
  const bool has_text = options_.text && is_kept && !is_revisit && whole.parsed != nullptr && !whole.parsed->failed;
  return has_text ? PutText(capture, *whole.parsed) : Status::OK();
}

Status CaptureWriter::WriteRobots(const std::string& place, const RobotsRow& row, bool has_capture) {
  const bool is_fetched = row.outcome == Outcome::kFetched;
  if (!has_capture) {
    // Only what the robots.txt said is known.
    WarcCapture capture = {.place = place,
                           .url = {},
                           .began_ms = row.text_ms != 0 ? row.text_ms : row.fetched_ms,
                           .main = WarcType::kResource};
    if (!is_fetched || row.text.empty() || !WriteUrlOfKey(row.key + "/robots.txt", &capture.url)) return Status::OK();
    ARROW_ASSIGN_OR_RAISE(capture.warcinfo_id, FilesOf(kRobotsSubset)->BeginCapture());
    const WarcPayload payload = {.bytes = row.text, .digest = WarcDigestOf(records_.digest(), row.text)};
    records_.Resource(capture, "text/plain", payload, &record_);
    ARROW_ASSIGN_OR_RAISE(const RecordPlace at, Put(kRobotsSubset, TextOf(capture.main)));
    return PutCaptureRow(kRobotsSubset, capture, at, {.mime = "text/plain", .digest = payload.digest});
  }
  ARROW_ASSIGN_OR_RAISE(const std::vector<RobotsHop> hops, RobotsHopsOf(row.hops));
  for (size_t i = 0; i < hops.size(); ++i) {
    ARROW_RETURN_NOT_OK(WriteRobotsAnswer(place + "." + std::to_string(i + 1), hops[i].capture, hops[i].status,
                                          {.redirect = hops[i].redirect_url}, nullptr, false));
  }
  return WriteRobotsAnswer(place, row.capture, row.status, {}, is_fetched ? &row.text : nullptr,
                           IsBrokenOff(row.outcome));
}

Status CaptureWriter::WriteRobotsAnswer(const std::string& place, const RobotsCapture& asked, int32_t status,
                                        CaptureRow index, const std::string* text, bool is_broken_off) {
  if (asked.began_ms == 0) return Status::OK();
  if (!HasWholeHead(asked.response_headers)) {
    Skip("robots_no_answer");
    return Status::OK();
  }
  WarcCapture capture = {.place = place,
                         .url = asked.url,
                         .began_ms = asked.began_ms,
                         .address = asked.address,
                         .http_version = ProtocolOf(asked.http_version, asked.response_headers),
                         .tls_version = asked.tls_version};
  ARROW_ASSIGN_OR_RAISE(capture.warcinfo_id, FilesOf(kRobotsSubset)->BeginCapture());
  ARROW_RETURN_NOT_OK(PutRequest(kRobotsSubset, capture, asked.request_headers));
  const HeaderList fields = ParseRawHeaders(asked.response_headers);
  const std::string_view body = text == nullptr ? std::string_view() : std::string_view(*text);
  const WarcHttpHead head = WarcHttpHeadOf({.raw = asked.response_headers,
                                            .status = status,
                                            .kept_codings = text == nullptr ? "" : std::string_view(asked.kept_codings),
                                            .payload_bytes = static_cast<int64_t>(body.size())});
  part_.counts["dropped_lines"] += head.dropped_lines;
  index.status = StatusOf(head);
  WarcPayload payload = {.bytes = body, .digest = WarcDigestOf(records_.digest(), body)};
  payload.truncated = text == nullptr ? TruncationOfDropped(index.status, asked.wire_bytes, fields, is_broken_off)
                                      : WarcTruncationOf(asked.truncated);
  records_.Response(capture, head.text, payload, &record_);
  ARROW_ASSIGN_OR_RAISE(const RecordPlace at, Put(kRobotsSubset, TextOf(capture.main)));
  index.digest = payload.digest;
  index.mime = EssenceOf(fields);
  index.truncated = payload.truncated;
  return PutCaptureRow(kRobotsSubset, capture, at, std::move(index));
}

Result<ArchivePart> CaptureWriter::Finish() {
  for (const auto& [folder, files] : folders_) {
    ARROW_ASSIGN_OR_RAISE(const std::vector<ArchiveFile> written, files->Finish());
    int64_t& bytes = part_.counts["bytes." + folder];
    for (const ArchiveFile& file : written) bytes += file.size_bytes;
    part_.counts["records.warcinfo"] += static_cast<int64_t>(written.size());
    part_.files.insert(part_.files.end(), written.begin(), written.end());
  }
  ARROW_ASSIGN_OR_RAISE(part_.captures, captures_.Finish());
  ARROW_ASSIGN_OR_RAISE(part_.originals, originals_.Finish());
  return std::move(part_);
}

}  // namespace trawl
