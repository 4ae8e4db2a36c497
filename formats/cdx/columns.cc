#include "formats/cdx/columns.h"

#include <cstdint>
#include <string>
#include <utility>

#include "formats/cdx/cdxj.h"
#include "formats/url/domain.h"
#include "formats/url/pieces.h"
#include "formats/url/url.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

const std::vector<NullableColumn>& CaptureColumns() {
  constexpr auto kText = NullableType::kText;
  constexpr bool kMayBeNull = true, kNever = false;
  static const std::vector<NullableColumn> columns = {
      {"url_surtkey", kText, kNever},
      {"url", kText, kNever},
      {"url_host_name", kText, kNever},
      {"url_host_tld", kText, kMayBeNull},
      {"url_host_2nd_last_part", kText, kMayBeNull},
      {"url_host_3rd_last_part", kText, kMayBeNull},
      {"url_host_4th_last_part", kText, kMayBeNull},
      {"url_host_5th_last_part", kText, kMayBeNull},
      {"url_host_registry_suffix", kText, kMayBeNull},
      {"url_host_registered_domain", kText, kMayBeNull},
      {"url_host_private_suffix", kText, kMayBeNull},
      {"url_host_private_domain", kText, kMayBeNull},
      {"url_host_name_reversed", kText, kMayBeNull},
      {"url_protocol", kText, kNever},
      {"url_port", NullableType::kInt32, kMayBeNull},
      {"url_path", kText, kNever},
      {"url_query", kText, kMayBeNull},
      {"fetch_time", NullableType::kMillis, kNever},
      {"fetch_status", NullableType::kInt16, kNever},
      {"fetch_redirect", kText, kMayBeNull},
      {"content_digest", kText, kMayBeNull},
      {"content_mime_type", kText, kMayBeNull},
      {"content_mime_detected", kText, kMayBeNull},
      {"content_charset", kText, kMayBeNull},
      {"content_languages", kText, kMayBeNull},
      {"content_truncated", kText, kMayBeNull},
      {"warc_filename", kText, kNever},
      {"warc_record_offset", NullableType::kInt32, kNever},
      {"warc_record_length", NullableType::kInt32, kNever},
      {"warc_segment", kText, kNever},
  };
  return columns;
}

namespace {

constexpr size_t kParts = 5;

// The eleven columns of a host. An address has but its name.
void AddHost(std::string_view host, NullableFile* file) {
  if (host.ends_with('.')) host.remove_suffix(1);
  file->Text(host);
  const HostForm form = FormOfHost(host);
  if (form == HostForm::kIpv4 || form == HostForm::kIpv6) {
    for (size_t i = 0; i < kParts + 5; ++i) file->Null();
    return;
  }
  std::string reversed;
  size_t parts = 0;
  for (std::string_view left = host; !left.empty();) {
    const size_t dot = left.rfind('.');
    const std::string_view part = left.substr(dot == std::string_view::npos ? 0 : dot + 1);
    if (parts++ < kParts) file->Text(part);
    if (!reversed.empty()) reversed.push_back('.');
    reversed.append(part);
    left = left.substr(0, dot == std::string_view::npos ? 0 : dot);
  }
  for (; parts < kParts; ++parts) file->Null();
  for (const bool registries_only : {true, false}) {
    const PublicSuffixes::Suffix suffix = PublicSuffixes::BuiltIn().SuffixOf(host, registries_only);
    file->TextOrNull(suffix.suffix);
    file->TextOrNull(suffix.domain);
  }
  file->Text(reversed);
}

void AddUrl(const CaptureRow& capture, const Url& url, NullableFile* file) {
  file->Text(capture.key);
  file->Text(capture.url);
  AddHost(url.hostname(), file);
  file->Text(url.scheme());
  url.port().empty() ? file->Null() : file->Int(std::stoi(std::string(url.port())));
  file->Text(url.path());
  // An empty query is not a missing one.
  url.has_query() ? file->Text(url.query()) : file->Null();
}

}  // namespace

Result<std::unique_ptr<CaptureTable>> CaptureTable::Make(std::shared_ptr<arrow::io::OutputStream> sink,
                                                         std::string name, NullableFormat format) {
  ARROW_ASSIGN_OR_RAISE(auto file, NullableFile::Make(std::move(sink), std::move(name), CaptureColumns(), format));
  return std::unique_ptr<CaptureTable>(new CaptureTable(std::move(file)));
}

Status CaptureTable::Add(const CaptureRow& capture) {
  Url url;
  if (!url.Parse(capture.url) || !url.is_web()) return Status::Invalid("'", capture.url, "' is not a URL of the web");
  for (const int64_t place : {capture.offset, capture.length}) {
    if (place >= 0 && place <= INT32_MAX) continue;
    return Status::Invalid("a record at ", capture.offset, " with ", capture.length, " bytes in ", capture.filename,
                           " is out of reach of the index's columns; make smaller files (--warc_size)");
  }
  NullableFile& file = *file_;
  AddUrl(capture, url, &file);
  constexpr int64_t kSecond = 1000;
  file.Int(capture.began_ms / kSecond * kSecond);
  file.Int(capture.status);
  file.TextOrNull(capture.redirect);
  file.TextOrNull(CdxDigest(capture.digest));
  file.TextOrNull(CdxMime(capture));
  file.TextOrNull(CdxDetectedMime(capture));
  file.TextOrNull(capture.charset);
  file.TextOrNull(capture.languages);
  file.TextOrNull(capture.truncated);
  file.Text(capture.filename);
  file.Int(capture.offset);
  file.Int(capture.length);
  file.Text(capture.segment);
  ++rows_;
  return file.EndRow();
}

Status CaptureTable::Close() { return file_->Close(); }

}  // namespace trawl
