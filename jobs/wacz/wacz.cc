#include "jobs/wacz/wacz.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <utility>

#include "arrow/io/interfaces.h"
#include "formats/cdx/cdxj.h"
#include "formats/cdx/zipnum.h"
#include "formats/digests/digest.h"
#include "formats/documents/json.h"
#include "formats/text/deflate.h"
#include "formats/zip/zip.h"
#include "jobs/wacz/pages.h"
#include "runtime/process/status_detail.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr char kWaczVersion[] = "1.1.1";
// A WARC file within ends with the record that reaches this size.
constexpr int64_t kWarcBytes = 1'000'000'000;
// The index's lines per block: viewers read one over the network for each page.
constexpr int64_t kBlockLines = 1024;

// FILE as a store and a name in it. A store's place may have options after it: s3://bucket/share.wacz?region=….
struct FilePlace {
  std::string folder, name;
};
Result<FilePlace> PlaceOf(const std::string& file) {
  const size_t options = file.find("://") == std::string::npos ? file.size() : std::min(file.find('?'), file.size());
  const std::string path = file.substr(0, options);
  const size_t slash = path.rfind('/');
  const bool is_bare = slash == std::string::npos;
  FilePlace place = {is_bare ? "." : slash == 0 ? "/" : path.substr(0, slash), is_bare ? path : path.substr(slash + 1)};
  if (place.name.empty()) return UsageError("--wacz ", file, " names a folder; write the name of a file: share.wacz");
  place.folder += file.substr(options);
  return place;
}

// A file within the WACZ, as datapackage.json names it.
struct Resource {
  std::string path;
  std::string sha256;
  int64_t bytes = 0;
};

// A record and its place in the share.
struct Copied {
  MemberPlace from;
  const CaptureRow* capture = nullptr;  // nothing for a file's warcinfo
};
struct WarcFile {
  std::string name;
  std::vector<Copied> records;
  int64_t bytes = 0;
};

class WaczFile {
 public:
  WaczFile(const WaczWish& wish, SharedCaptures selection, RecordFiles* records, arrow::io::OutputStream* to)
      : wish_(wish),
        selection_(std::move(selection)),
        records_(*records),
        zip_([to](std::string_view bytes) { return to->Write(bytes.data(), static_cast<int64_t>(bytes.size())); },
             NewestOf(selection_)) {}

  Result<WaczMade> Write() {
    ARROW_RETURN_NOT_OK(PlaceRecords());
    for (const WarcFile& file : files_) ARROW_RETURN_NOT_OK(WriteWarc(file));
    ARROW_RETURN_NOT_OK(WriteIndex());
    const PageList pages = PagesOf(selection_.captures, wish_.prefix);
    ARROW_RETURN_NOT_OK(AddResource("pages/pages.jsonl", pages.text));
    ARROW_RETURN_NOT_OK(WritePackage(pages));
    ARROW_RETURN_NOT_OK(zip_.Finish());
    return WaczMade{.captures = static_cast<int64_t>(selection_.captures.size()),
                    .originals = selection_.originals,
                    .unresolved = selection_.unresolved,
                    .pages = pages.pages,
                    .bytes = zip_.bytes()};
  }

 private:
  static int64_t NewestOf(const SharedCaptures& selection) {
    int64_t newest = 0;
    for (const CaptureRow& capture : selection.captures) newest = std::max(newest, capture.began_ms);
    return newest;
  }

  // Divides the records among files, each file's warcinfo before its records, and moves the rows to their new places.
  Status PlaceRecords() {
    std::string from;
    for (CaptureRow& capture : selection_.captures) {
      const bool begins = files_.empty() || files_.back().bytes >= kWarcBytes;
      if (begins) {
        char serial[16];
        std::snprintf(serial, sizeof serial, "-%05zu", files_.size());
        files_.push_back({.name = wish_.name.name + serial + ".warc.gz", .records = {}});
      }
      WarcFile& file = files_.back();
      if (begins || capture.filename != from) {
        from = capture.filename;
        ARROW_ASSIGN_OR_RAISE(const MemberPlace first, records_.First(from));
        file.records.push_back({.from = first});
        file.bytes += first.length;
      }
      file.records.push_back({.from = {from, capture.offset, capture.length}, .capture = &capture});
      capture.filename = file.name;
      capture.offset = file.bytes;
      file.bytes += capture.length;
    }
    return Status::OK();
  }

  Status WriteWarc(const WarcFile& file) {
    const std::string path = "archive/" + file.name;
    Sha256 sha256;
    ARROW_RETURN_NOT_OK(zip_.Begin(path, file.bytes));
    for (const Copied& record : file.records) {
      ARROW_RETURN_NOT_OK(wish_.stop.Check());
      ARROW_ASSIGN_OR_RAISE(const WarcRecord copied, records_.Copy(record.from, [&](std::string_view piece) {
        sha256.Update(piece);
        return zip_.Add(piece);
      }));
      if (record.capture != nullptr && copied.Get("WARC-Record-ID") != record.capture->record_id) {
        return Status::IOError(record.from.filename, ", offset ", record.from.offset, ": is another record than ",
                               record.capture->record_id, ", which the index names");
      }
    }
    resources_.push_back({path, ToHex(Bytes(sha256.Finish())), file.bytes});
    return zip_.End();
  }

  Status WriteIndex() {
    std::vector<std::string> lines;
    lines.reserve(selection_.captures.size());
    for (const CaptureRow& capture : selection_.captures) AppendCdxjLine(capture, &lines.emplace_back());
    std::sort(lines.begin(), lines.end());
    ARROW_ASSIGN_OR_RAISE(GzipMembers gzip, GzipMembers::Make(GzipMembers::kUsualLevel));
    ZipNumWriter writer(std::move(gzip), kBlockLines);
    std::string blocks;
    for (const std::string& line : lines) ARROW_RETURN_NOT_OK(writer.Add(line, &blocks));
    ARROW_RETURN_NOT_OK(writer.Finish(&blocks));
    std::string index = "!meta 0 {\"format\": \"cdxj-gzip-1.0\", \"filename\": \"index.cdx.gz\"}\n";
    for (const ZipNumBlock& block : writer.blocks()) {
      const std::string_view member =
          std::string_view(blocks).substr(static_cast<size_t>(block.offset), static_cast<size_t>(block.length));
      index += block.first + " {\"offset\": " + std::to_string(block.offset) +
               ", \"length\": " + std::to_string(block.length) + ", \"digest\": \"sha256:" + ToHex(Sha256Of(member)) +
               "\"}\n";
    }
    ARROW_RETURN_NOT_OK(AddResource("indexes/index.cdx.gz", blocks));
    return AddResource("indexes/index.idx", index);
  }

  Status AddResource(const std::string& path, std::string_view bytes) {
    resources_.push_back({path, ToHex(Sha256Of(bytes)), static_cast<int64_t>(bytes.size())});
    return zip_.AddWhole(path, bytes);
  }

  Status WritePackage(const PageList& pages) {
    Json resources = Json::array();
    for (const Resource& resource : resources_) {
      std::string name = resource.path.substr(resource.path.rfind('/') + 1);
      for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
      resources.push_back(
          {{"name", name}, {"path", resource.path}, {"hash", "sha256:" + resource.sha256}, {"bytes", resource.bytes}});
    }
    Json package = {{"profile", "data-package"},
                    {"wacz_version", kWaczVersion},
                    {"title", wish_.name.name + ": " + (wish_.prefix.empty() ? "all pages" : wish_.prefix)},
                    {"created", PageTime(NewestOf(selection_))},
                    {"software", wish_.software}};
    if (!pages.main_url.empty()) {
      package["mainPageUrl"] = pages.main_url;
      package["mainPageDate"] = PageTime(pages.main_ms);
    }
    package["resources"] = std::move(resources);
    const std::string text = DumpJsonPretty(package) + "\n";
    ARROW_RETURN_NOT_OK(zip_.AddWhole("datapackage.json", text));
    const Json digest = {{"path", "datapackage.json"}, {"hash", "sha256:" + ToHex(Sha256Of(text))}};
    return zip_.AddWhole("datapackage-digest.json", DumpJsonPretty(digest) + "\n");
  }

  const WaczWish& wish_;
  SharedCaptures selection_;
  RecordFiles& records_;
  ZipWriter zip_;
  std::vector<WarcFile> files_;  // their captures are those of selection_
  std::vector<Resource> resources_;
};

}  // namespace

Result<WaczMade> MakeWacz(const WaczWish& wish) {
  ARROW_ASSIGN_OR_RAISE(const FilePlace place, PlaceOf(wish.file));
  ARROW_ASSIGN_OR_RAISE(const auto to, OpenStore(place.folder, {.libhdfs = wish.libhdfs}));
  ARROW_ASSIGN_OR_RAISE(const bool is_there, to->Exists(place.name));
  if (is_there && !wish.overwrite) {
    return UsageError(wish.file, " is there already; choose another name, or replace it with --overwrite");
  }
  RecordFiles records(wish.from);
  ARROW_ASSIGN_OR_RAISE(SharedCaptures selection,
                        SelectCaptures(wish.from, wish.name, wish.earlier, wish.prefix, &records));
  if (selection.captures.empty()) {
    return UsageError("no capture of ", wish.name.name, " begins with '", wish.prefix,
                      "'; write --prefix as the URLs begin: https://www.example.com/docs/");
  }
  if (is_there) ARROW_RETURN_NOT_OK(to->Remove(place.name));
  ARROW_ASSIGN_OR_RAISE(const auto file, to->OpenWriter(place.name));
  ARROW_ASSIGN_OR_RAISE(const WaczMade made, WaczFile(wish, std::move(selection), &records, file->stream()).Write());
  ARROW_RETURN_NOT_OK(file->Commit().status());
  return made;
}

}  // namespace trawl
