// trawl readseg dump: prints one line per URL of a segment. Writes nothing but bodies, where asked.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>

#include "formats/digests/digest.h"
#include "formats/rows/content_row.h"
#include "jobs/list/listing.h"
#include "jobs/read/segment_dump.h"
#include "jobs/read/segment_json.h"
#include "jobs/segment/known_segments.h"
#include "jobs/segment/pages.h"
#include "jobs/verb/crawl.h"
#include "runtime/process/status_detail.h"
#include "runtime/root/dataset_rows.h"
#include "runtime/store/status.h"
#include "runtime/terminal/text.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

struct DumpSegmentOptions {
  bool text = false;
  std::string body;
};

const OptionGroup<DumpSegmentOptions>& DumpSegmentOptionGroup() {
  static const auto group =
      OptionGroup<DumpSegmentOptions>("readseg", "What is shown about each URL")
          .Bool("text", &DumpSegmentOptions::text, "print the title and the texts of the page, too")
          .String("body", &DumpSegmentOptions::body, "write the bodies to files in this folder, named by their SHA-256",
                  "DIR")
          .AllMain();
  return group;
}

// What parse wrote of the pages of a segment, by the fetch rows that they belong to.
class ParsedPages {
 public:
  // REQUIRES: the segment is parsed.
  static Result<ParsedPages> Open(Store* store, const StepRecord& parsed) {
    ParsedPages pages;
    ARROW_ASSIGN_OR_RAISE(pages.rows_, SegmentPages::OpenReading(store, parsed.segment));
    pages.files_ = parsed.FilesOf(ParseRow::kTable);
    for (size_t i = 0; i < pages.files_.size(); ++i) {
      int64_t number = 0;
      ARROW_RETURN_NOT_OK(
          ForEachDatasetRow<ParseRow>(store, parsed.segment, ParseRow::kTable, pages.files_[i],
                                      [&](const ParseRow& row) {
                                        pages.place_[PageOf(row.key, row.fetched_ms)] = {i, number++};
                                        return Status::OK();
                                      },
                                      {.columns = {"key", "fetched_ms"}, .batch_rows = kNarrowBatchRows}));
    }
    return pages;
  }

  // The texts of the page; nulls where it was not parsed in this segment.
  Result<Json> TextsOf(const FetchRow& fetched) {
    const auto found = place_.find(PageOf(fetched.key, fetched.fetched_ms));
    if (found == place_.end()) return TextsJson(nullptr, nullptr);
    ARROW_ASSIGN_OR_RAISE(const bool is_there,
                          rows_->FindAt(fetched.key, files_[found->second.first].name, found->second.second, &page_));
    if (!is_there) return TextsJson(nullptr, nullptr);
    ARROW_ASSIGN_OR_RAISE(const bool has_facts, rows_->Facts(page_, &facts_));
    return TextsJson(&page_, has_facts ? &facts_ : nullptr);
  }

 private:
  ParsedPages() = default;
  static uint64_t PageOf(const std::string& key, int64_t fetched_ms) {
    return Hash64(key + '\0' + std::to_string(fetched_ms));
  }

  std::vector<FileReceipt> files_;
  std::unique_ptr<SegmentPages> rows_;
  std::unordered_map<uint64_t, std::pair<size_t, int64_t>> place_;  // file and row
  ParseRow page_;
  PageFactsRow facts_;
};

// Writes the bodies of a segment into a folder, each content once.
class BodyFolder {
 public:
  BodyFolder(Store* store, const StepRecord& fetched, std::string folder)
      : rows_(store, fetched.segment, ContentRow::kTable, fetched.FilesOf(ContentRow::kTable), ContentRow::kBatchRows),
        folder_(std::move(folder)) {}

  Status Make() const {
    std::error_code error;
    std::filesystem::create_directories(folder_, error);
    return error ? Status::IOError(folder_, ": ", error.message()) : Status::OK();
  }

  // The file's path; null where the segment has no body of this URL, or no longer has it.
  Result<Json> Write(const FetchRow& fetched) {
    if (fetched.content_file.empty()) return Json();
    const std::string path = folder_ + "/" + ToHex(std::string_view(fetched.body_digest));
    std::error_code error;
    // Bodies that are shared lie out of order, and were mostly written before.
    if (!fetched.body_digest.empty() && std::filesystem::exists(path, error)) return Json(path);
    const Status read = rows_.Read(fetched.content_file, fetched.content_row, &row_);
    if (IsNotFound(read)) return Json();  // gc has removed it
    ARROW_RETURN_NOT_OK(read);
    std::ofstream file(path, std::ios::binary);
    file.write(row_.body.data(), static_cast<std::streamsize>(row_.body.size()));
    file.close();
    if (!file) return Status::IOError(path, ": cannot be written");
    return Json(path);
  }

 private:
  DatasetRows<ContentRow> rows_;
  const std::string folder_;
  ContentRow row_;
};

std::string DumpLine(const Json& json) {
  const std::string status = json["status"].is_null() ? "-" : DumpJson(json["status"]);
  std::string line = PadRight(status, 4) + json["url"].get<std::string>() + "  " +
                     ReadableSize(json["bytes"].get<int64_t>()) + "  " +
                     (json["reason"].is_null() ? "" : json["reason"].get<std::string>()) + "\n";
  if (HasMember(json, "text") && json["text"].is_string()) line += json["text"].get<std::string>() + "\n\n";
  return line;
}

Json NotReachedJson(const std::string& key) {
  FetchRow row;
  row.key = key;
  row.outcome = Outcome::kNotReached;
  return FetchJson(row);
}

constexpr char kNewest[] = "newest";

// The segment of that id, or the newest that is fetched.
Result<KnownSegment> FindSegment(const Crawl& crawl, TimeMs now_ms, const std::string& id) {
  ARROW_ASSIGN_OR_RAISE(const auto segments, ReadSegments(crawl.store(), crawl.manifest(), now_ms, 0));
  if (id == kNewest) {
    const auto is_fetched = [](const KnownSegment& segment) {
      return segment.step != SegmentStep::kGenerate && !segment.is_reading();
    };
    const auto newest = std::find_if(segments.rbegin(), segments.rend(), is_fetched);
    if (newest == segments.rend()) return UsageError("no segment is fetched yet; run  trawl fetch");
    return *newest;
  }
  for (const KnownSegment& segment : segments) {
    if (segment.id == id) return segment;
  }
  return UsageError("there is no segment '", id,
                    "'; trawl segments list shows the segments, and newest is the last that is fetched");
}

// What --format shows in tables.
ListShape FetchesShape(const Json& empty) {
  return {.columns = {{.member = "status", .kind = CellKind::kNumber},
                      {.member = "outcome"},
                      {.member = "bytes", .kind = CellKind::kBytes},
                      {.member = "fetched_at", .title = "fetched", .kind = CellKind::kTime},
                      {.member = "url", .is_whole = true}},
          .empty = empty};
}

ListShape ReadingsShape(const Json& empty) {
  return {.columns = {{.member = "links", .kind = CellKind::kCount}, {.member = "url", .is_whole = true}},
          .empty = empty};
}

// Prints rows as a line each for people, or in the form that --format or --json names. One thread.
class SegmentLines {
 public:
  static Result<SegmentLines> Open(VerbContext& context, ListShape shape) {
    SegmentLines lines(context);
    ARROW_ASSIGN_OR_RAISE(const bool is_listing, AsksForFormat(context));
    if (!is_listing) return lines;
    ARROW_ASSIGN_OR_RAISE(const ListFormat format, FormatOf(context));
    lines.listing_ = std::make_unique<Listing>(context, format, std::move(shape));
    return lines;
  }

  Status Add(const Json& json, const std::string& line) {
    return listing_ != nullptr ? listing_->Add(json) : context_.Answer(json, line);
  }
  Status Finish() { return listing_ != nullptr ? listing_->Finish() : Status::OK(); }

 private:
  explicit SegmentLines(VerbContext& context) : context_(context) {}

  VerbContext& context_;
  std::unique_ptr<Listing> listing_;
};

// The pages of a segment that read stored bodies again.
Result<int> DumpReading(VerbContext& context, Store* store, const std::string& segment, bool with_text) {
  ARROW_ASSIGN_OR_RAISE(const auto parsed, ReadStep(store, segment, kParseStep));
  if (!parsed) return kExitDone;  // there was nothing to read
  Json empty = ReadAgainJson({}, nullptr);
  if (with_text) empty.update(TextsJson(nullptr, nullptr));
  ARROW_ASSIGN_OR_RAISE(const auto pages, SegmentPages::OpenReading(store, segment));
  ARROW_ASSIGN_OR_RAISE(SegmentLines lines, SegmentLines::Open(context, ReadingsShape(empty)));
  PageFactsRow facts;
  const auto show = [&](const std::string& file, int64_t number, const ParseRow& row) -> Status {
    ARROW_RETURN_NOT_OK(context.process.stop.Check());
    ARROW_ASSIGN_OR_RAISE(const bool has_facts, pages->FactsAt(row, file, number, &facts));
    Json json = ReadAgainJson(row, has_facts ? &facts : nullptr);
    if (with_text) json.update(TextsJson(&row, has_facts ? &facts : nullptr));
    std::string line = "read again  " + json["url"].get<std::string>() + "  " + ReadableCount(row.links, "link") +
                       (row.reason.empty() ? "" : "  " + row.reason) + "\n";
    if (with_text && !row.text.empty()) line += row.text + "\n\n";
    return lines.Add(json, line);
  };
  const auto columns = with_text ? Columns<ParseRow>() : Columns<ParseRow>::AllBut({"text"});
  for (const FileReceipt& file : parsed->FilesOf(ParseRow::kTable)) {
    int64_t number = 0;
    ARROW_RETURN_NOT_OK(ForEachDatasetRow<ParseRow>(store, segment, ParseRow::kTable, file,
                                                    [&](const ParseRow& row) { return show(file.name, number++, row); },
                                                    {.columns = columns, .batch_rows = 16}));
  }
  ARROW_RETURN_NOT_OK(lines.Finish());
  return kExitDone;
}

Result<int> RunDump(VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(const auto crawl, Crawl::OpenAt(context));
  ARROW_ASSIGN_OR_RAISE(const DumpSegmentOptions options, context.Read(DumpSegmentOptionGroup()));
  Store* const store = crawl->store();
  ARROW_ASSIGN_OR_RAISE(const KnownSegment segment,
                        FindSegment(*crawl, context.global.now_ms, context.arguments.front()));
  if (segment.is_reading()) return DumpReading(context, store, segment.id, options.text);
  ARROW_ASSIGN_OR_RAISE(const auto fetched, ReadStep(store, segment.id, kFetchStep));
  if (!fetched)
    return UsageError("segment ", segment.id, " is not fetched yet; run  trawl fetch --segment ", segment.id);
  ARROW_ASSIGN_OR_RAISE(const auto lists, ReadListsIfThere(store, segment));
  std::optional<ParsedPages> pages;
  if (options.text) {
    ARROW_ASSIGN_OR_RAISE(const auto parsed, ReadStep(store, segment.id, kParseStep));
    if (!parsed)
      return UsageError("segment ", segment.id, " is not parsed yet; run  trawl parse --segment ", segment.id);
    ARROW_ASSIGN_OR_RAISE(pages, ParsedPages::Open(store, *parsed));
  }
  BodyFolder bodies(store, *fetched, options.body);
  if (!options.body.empty()) ARROW_RETURN_NOT_OK(bodies.Make());
  // With the members that the options add.
  const auto with_more = [&options](Json json) {
    if (options.text) json.update(TextsJson(nullptr, nullptr));
    if (!options.body.empty()) json["body_file"] = Json();
    return json;
  };
  ARROW_ASSIGN_OR_RAISE(SegmentLines lines, SegmentLines::Open(context, FetchesShape(with_more(FetchJson({})))));
  const auto show = [&](const FetchRow& row) -> Status {
    Json json = with_more(FetchJson(row));
    if (pages) {
      ARROW_ASSIGN_OR_RAISE(const Json texts, pages->TextsOf(row));
      json.update(texts);
    }
    if (!options.body.empty()) {
      ARROW_ASSIGN_OR_RAISE(json["body_file"], bodies.Write(row));
    }
    return lines.Add(json, DumpLine(json));
  };
  const auto not_reached = [&](const std::string& key) {
    const Json json = with_more(NotReachedJson(key));
    return lines.Add(json, DumpLine(json));
  };
  ARROW_RETURN_NOT_OK(
      ForEachFetched(store, *fetched, lists ? &*lists : nullptr, context.process.stop, show, not_reached));
  ARROW_RETURN_NOT_OK(lines.Finish());
  return kExitDone;
}

}  // namespace

Verb ReadsegDumpVerb() {
  return {.name = "readseg dump",
          .summary = "list the outcome of every URL of a segment",
          .purpose = VerbPurpose::kLook,
          .arguments = "SEGMENT|newest",
          .least_arguments = 1,
          .most_arguments = 1,
          .description =
              "Prints one line per URL, also for URLs that the round did not reach. A URL that was requested several "
              "times in the round has one line, for the last request.",
          .examples = {{"The last round", "trawl readseg dump newest"},
                       {"As JSON lines, with texts", "trawl readseg dump --json --text 20260101T120000Z-5f3a9c01"},
                       {"The bodies as files", "trawl readseg dump --body ./bodies 20260101T120000Z-5f3a9c01"}},
          .groups = {&DumpSegmentOptionGroup(), &FormatOptionGroup(), &ReadingOptionGroup()},
          .run = RunDump};
}

}  // namespace trawl
