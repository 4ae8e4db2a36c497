#include "formats/warc/record.h"

#include "formats/text/ascii.h"

namespace trawl {

namespace {

constexpr std::string_view kLineEnd = "\r\n";
constexpr std::string_view kResponseType = "application/http;msgtype=response";
constexpr std::string_view kRequestType = "application/http;msgtype=request";
constexpr std::string_view kFieldsType = "application/warc-fields";

// The head of a record, field by field.
class Head {
 public:
  Head(WarcType type, std::string_view id, int64_t date_ms, std::string* record) : record_(record) {
    *record_ = "WARC/1.1\r\n";
    Add("WARC-Type", TextOf(type));
    Add("WARC-Record-ID", id);
    Add("WARC-Date", WarcDateOf(date_ms));
  }
  // A record of a capture.
  Head(WarcType type, const WarcCapture& capture, std::string* record)
      : Head(type, WarcIdOf(capture.place, type), capture.began_ms, record) {
    Add("WARC-Target-URI", TargetUriOf(capture.url));
    AddIfAny("WARC-Warcinfo-ID", capture.warcinfo_id);
  }

  void Add(std::string_view name, std::string_view value) { AppendLine(name, value, record_); }
  void AddIfAny(std::string_view name, std::string_view value) {
    if (!value.empty()) Add(name, value);
  }
  // Where the capture came from.
  void AddServer(const WarcCapture& capture) {
    AddIfAny("WARC-IP-Address", capture.address);
    // The names that were proposed for WARC-Protocol, a field each.
    const bool is_tls = !capture.tls_version.empty();
    if (capture.http_version == "2") {
      Add("WARC-Protocol", is_tls ? "h2" : "h2c");
    } else if (!capture.http_version.empty()) {
      Add("WARC-Protocol", "http/" + capture.http_version);
    }
    if (is_tls) {
      std::string_view version = capture.tls_version;
      if (version.starts_with("TLSv")) version.remove_prefix(4);
      Add("WARC-Protocol", "tls/" + std::string(version) + (version.size() == 1 ? ".0" : ""));
    }
  }
  void AddOriginal(std::string_view profile, const WarcOriginal& original) {
    Add("WARC-Profile", profile);
    Add("WARC-Refers-To", original.id);
    Add("WARC-Refers-To-Target-URI", TargetUriOf(original.url));
    Add("WARC-Refers-To-Date", WarcDateOf(original.began_ms));
  }

  // The block is `first` and `second`. An empty one has no type.
  void Finish(std::string_view content_type, std::string_view block_digest, std::string_view first,
              std::string_view second) {
    Add("WARC-Block-Digest", block_digest);
    if (!first.empty() || !second.empty()) Add("Content-Type", content_type);
    Add("Content-Length", std::to_string(first.size() + second.size()));
    record_->reserve(record_->size() + first.size() + second.size() + 3 * kLineEnd.size());
    record_->append(kLineEnd).append(first).append(second).append(kLineEnd).append(kLineEnd);
  }

  static void AppendLine(std::string_view name, std::string_view value, std::string* out) {
    out->append(name).append(": ");
    for (const char c : TrimBytes(value, " \t\r\n")) {
      out->push_back(static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c);
    }
    out->append(kLineEnd);
  }

 private:
  std::string* const record_;
};

// A 304 has no payload, not even an empty one (WARC 1.1 section 5.9).
bool IsNotModified(std::string_view http_head) { return http_head.substr(0, 12).ends_with(" 304"); }

std::string FieldsBlock(const std::vector<std::pair<std::string, std::string>>& fields) {
  std::string block;
  for (const auto& [name, value] : fields) Head::AppendLine(name, value, &block);
  return block;
}

}  // namespace

void WarcRecords::Warcinfo(const WarcFileInfo& file, std::string* record) const {
  Head head(WarcType::kWarcinfo, file.Id(), file.opened_ms, record);
  head.Add("WARC-Filename", file.path.substr(file.path.rfind('/') + 1));
  std::string block = FieldsBlock(file.fields);
  Head::AppendLine("format", "WARC File Format 1.1", &block);
  Head::AppendLine("conformsTo", "https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/",
                   &block);
  head.Finish(kFieldsType, WarcDigestOf(digest_, block), block, {});
}

void WarcRecords::Request(const WarcCapture& capture, std::string_view sent, std::string* record) const {
  Head head(WarcType::kRequest, capture, record);
  head.AddServer(capture);
  head.Add("WARC-Concurrent-To", capture.MainId());
  head.Finish(kRequestType, WarcDigestOf(digest_, sent), sent, {});
}

void WarcRecords::Response(const WarcCapture& capture, std::string_view http_head, const WarcPayload& payload,
                           std::string* record) const {
  Head head(WarcType::kResponse, capture, record);
  head.AddServer(capture);
  if (!IsNotModified(http_head)) {
    head.Add("WARC-Payload-Digest", payload.digest.empty() ? WarcDigestOf(digest_, payload.bytes) : payload.digest);
  }
  head.AddIfAny("WARC-Truncated", payload.truncated);
  head.AddIfAny("WARC-Identified-Payload-Type", payload.identified_type);
  head.Finish(kResponseType, WarcDigestOf(digest_, http_head, payload.bytes), http_head, payload.bytes);
}

void WarcRecords::SamePayload(const WarcCapture& capture, std::string_view http_head, const WarcOriginal& original,
                              std::string* record) const {
  Head head(WarcType::kRevisit, capture, record);
  head.AddServer(capture);
  head.AddOriginal(kWarcSamePayload, original);
  head.Add("WARC-Payload-Digest", original.digest);
  head.Add("WARC-Truncated", "length");  // WARC 1.1 section 6.7.2: the block lacks the payload
  head.Finish(kResponseType, WarcDigestOf(digest_, http_head), http_head, {});
}

void WarcRecords::NotModified(const WarcCapture& capture, const WarcOriginal& original, std::string* record) const {
  Head head(WarcType::kRevisit, capture, record);
  head.AddServer(capture);
  head.AddOriginal(kWarcNotModified, original);
  head.Finish({}, WarcDigestOf(digest_, {}), {}, {});
}

void WarcRecords::Resource(const WarcCapture& capture, std::string_view content_type, const WarcPayload& payload,
                           std::string* record) const {
  Head head(WarcType::kResource, capture, record);
  head.AddServer(capture);
  const std::string digest = payload.digest.empty() ? WarcDigestOf(digest_, payload.bytes) : payload.digest;
  head.Add("WARC-Payload-Digest", digest);
  head.AddIfAny("WARC-Truncated", payload.truncated);
  head.AddIfAny("WARC-Identified-Payload-Type", payload.identified_type);
  head.Finish(content_type, digest, payload.bytes, {});
}

void WarcRecords::Metadata(const WarcCapture& capture, const std::vector<std::pair<std::string, std::string>>& fields,
                           std::string* record) const {
  Head head(WarcType::kMetadata, capture, record);
  head.Add("WARC-Concurrent-To", capture.MainId());
  const std::string block = FieldsBlock(fields);
  head.Finish(kFieldsType, WarcDigestOf(digest_, block), block, {});
}

void WarcRecords::Conversion(const WarcCapture& capture, std::string_view text, std::string_view language,
                             std::string* record) const {
  Head head(WarcType::kConversion, capture, record);
  head.Add("WARC-Refers-To", capture.MainId());
  head.AddIfAny("WARC-Identified-Content-Language", language);
  head.Finish("text/plain", WarcDigestOf(digest_, text), text, {});
}

}  // namespace trawl
