// trawl parse: reads the bodies that fetch has stored.
//
//   reads        the segment's content; fetch, where pages share a body
//   shuffles by  nothing
//   writes       parse: one row per body, in the order of the bodies, then one for each page that shares a body with
//                another (jobs/parse/shared_pages.h); page_facts: one row for each of parse; links: one row per link in scope, page after page in the same
//                order (jobs/segment/pages.h finds rows by it)
//   counters     pages, failed, needs_js, links, links_out_of_scope, links_no_url, noindex, sitemaps, read_by_scan,
//                read_by_tree, wild.REASON, signal.NAME: pages that ask for it (formats/rows/directives.h)
#include "jobs/parse/parse.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "formats/html/html.h"
#include "formats/rows/content_row.h"
#include "formats/rows/fetch_row.h"
#include "formats/tables/orc.h"
#include "jobs/parse/body_reader.h"
#include "jobs/parse/huge_turn.h"
#include "jobs/parse/shared_pages.h"
#include "jobs/policy/fetch_options.h"
#include "jobs/policy/scope.h"
#include "jobs/policy/settle_options.h"
#include "jobs/policy/sitemap_options.h"
#include "jobs/segment/choice.h"
#include "jobs/verb/crawl.h"
#include "jobs/verb/job_options.h"
#include "runtime/process/status_detail.h"
#include "runtime/root/planned_bytes.h"
#include "runtime/root/segment_data.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// Rows [from, to) of a file of content, or of fetch.
struct FilePiece {
  FileReceipt file;
  int64_t from = 0;
  int64_t to = 0;
};

Json ToJson(const FilePiece& piece) { return {{"file", ToJson(piece.file)}, {"from", piece.from}, {"to", piece.to}}; }

Result<FilePiece> PieceOfPart(const Json& part) {
  FilePiece piece;
  ARROW_ASSIGN_OR_RAISE(const Json* file, GetObject(part, "file"));
  ARROW_ASSIGN_OR_RAISE(piece.file, FileReceiptFromJson(*file));
  ARROW_ASSIGN_OR_RAISE(piece.from, GetInt(part, "from"));
  ARROW_ASSIGN_OR_RAISE(piece.to, GetInt(part, "to"));
  return piece;
}

// The bytes, as stored, that one task parses: a part of all, so that every thread gets some; more than its own files
// cost; and no more than one thread parses in some seconds.
int64_t BytesPerPart(const std::vector<FileReceipt>& files) {
  constexpr int64_t kParts = 16;
  constexpr int64_t kLeast = int64_t{1} << 20;
  constexpr int64_t kMost = int64_t{8} << 20;
  int64_t bytes = 0;
  for (const FileReceipt& file : files) bytes += file.seal.size_bytes;
  return std::clamp(bytes / kParts, kLeast, kMost);
}

std::vector<Json> PartsOf(const std::vector<FileReceipt>& files) {
  const int64_t bytes_per_part = BytesPerPart(files);
  std::vector<Json> parts;
  for (const FileReceipt& file : files) {
    if (file.rows == 0) continue;
    const int64_t pieces = std::clamp<int64_t>(file.seal.size_bytes / bytes_per_part, 1, file.rows);
    for (int64_t i = 0; i < pieces; ++i) {
      parts.push_back(ToJson(FilePiece{file, file.rows * i / pieces, file.rows * (i + 1) / pieces}));
    }
  }
  return parts;
}

// A part of such pages: pieces of files of fetch.
constexpr char kShared[] = "shared";

// Pages that share a body may lie anywhere among the rows of fetch; so a part is a share of all rows.
std::vector<Json> SharedParts(const StepRecord& fetched) {
  constexpr int64_t kBytesAPart = int64_t{32} << 20;
  constexpr int64_t kMostParts = 1024;
  std::vector<Json> parts;
  if (GetInt(fetched.counters, "bodies_shared").ValueOr(0) == 0) return parts;
  const int64_t bytes = GetInt(fetched.counters, "bytes_shared").ValueOr(0);
  const int64_t count = std::clamp<int64_t>(bytes / kBytesAPart, 1, kMostParts);
  const int64_t rows_a_part = std::max<int64_t>((fetched.RowsOf(FetchRow::kTable) + count - 1) / count, 1);
  int64_t room = 0;
  for (const FileReceipt& file : fetched.FilesOf(FetchRow::kTable)) {
    for (int64_t from = 0; from < file.rows;) {
      if (room == 0) {
        parts.push_back({{kShared, Json::array()}});
        room = rows_a_part;
      }
      const int64_t to = std::min(file.rows, from + room);
      parts.back()[kShared].push_back(ToJson(FilePiece{file, from, to}));
      room -= to - from;
      from = to;
    }
  }
  return parts;
}

Status MapShared(TaskContext& context, const Json& part, BodyReader* reader) {
  const std::string segment = context.plan().segment();
  ARROW_ASSIGN_OR_RAISE(const std::optional<StepRecord> fetched, ReadStep(context.store(), segment, kFetchStep));
  if (!fetched) return Status::IOError("segment ", segment, ": the record of its fetch is not there");
  SharedPages pages(context.store(), *fetched, reader);
  ARROW_ASSIGN_OR_RAISE(const Json* pieces, GetArray(part, kShared));
  for (const Json& element : *pieces) {
    ARROW_ASSIGN_OR_RAISE(const FilePiece piece, PieceOfPart(element));
    ARROW_RETURN_NOT_OK(pages.Read(piece.file, {piece.from, piece.to}));
  }
  reader->Finish();
  return Status::OK();
}

Status MapContent(HugeBodies& huge_bodies, TaskContext& context, const Json& part) {
  ARROW_ASSIGN_OR_RAISE(const auto reader, BodyReader::Open(&context, &huge_bodies));
  if (HasMember(part, kShared)) return MapShared(context, part, reader.get());
  ARROW_ASSIGN_OR_RAISE(const FilePiece piece, PieceOfPart(part));
  ARROW_RETURN_NOT_OK(
      ForEachDatasetRow<ContentRow>(context.store(), context.plan().segment(), ContentRow::kTable, piece.file,
                                    [&reader](const ContentRow& content) { return reader->Read(content); },
                                    {.rows = {piece.from, piece.to}, .batch_rows = ContentRow::kBatchRows}));
  reader->Finish();
  return Status::OK();
}

std::string Readable(const JobResult& result, const std::string& segment) {
  if (!result.changed) return "segment " + segment + " is already parsed\n";
  const Counters& counters = result.output.counters;
  return ReadableCount(counters.Get("pages"), "page") + " parsed, " + ReadableCount(counters.Get("links"), "link") +
         " within the scope, " + ReadableCount(counters.Get("links_out_of_scope")) + " outside" +
         (counters.Get("failed") > 0 ? ", " + ReadableCount(counters.Get("failed")) + " could not be read" : "") +
         "\nsegment " + segment + "\n";
}

}  // namespace

const OptionGroup<ParseOptions>& ParseOptionGroup() {
  static const auto group =
      OptionGroup<ParseOptions>("parse", "What is taken from pages")
          .Bool("resources", &ParseOptions::resources, "record images, scripts and styles as links, too")
          .Int("max_links", &ParseOptions::max_links, "most links to keep per page; the others are only counted",
               Between(0, 1'000'000))
          .Size("max_text", &ParseOptions::max_text_bytes, "most text to keep per page; the rest is only counted",
                Between(0, 64 << 20))
          .Bool("main_text", &ParseOptions::main_text, "find the main text, without menus, and its quality")
          .Bool("markdown", &ParseOptions::markdown, "write the main content as Markdown, too")
          .Choice("reader", &ParseOptions::reader,
                  "auto scans the bytes of a page and builds a parse tree only where the page needs one; tree always "
                  "builds it",
                  {{"auto", HtmlReading::kAuto}, {"tree", HtmlReading::kTree}})
          .AllMain();
  return group;
}

JobSpec ParseSpec() {
  // Shared by the tasks that run in this process.
  const auto huge_bodies = std::make_shared<HugeBodies>();
  const auto map = [huge_bodies](TaskContext& context, const Json& part, RowSink&) {
    return MapContent(*huge_bodies, context, part);
  };
  return {.name = "parse", .map = map};
}

JobRequest ParseRequest(Store* store, const std::string& segment) {
  JobRequest request;
  request.spec = ParseSpec();
  request.commit = Commit::kStepRecord;
  request.step = kParseStep;
  request.plan = [store, segment](const JobEnvironment&, const Snapshot& base, Plan* plan) -> Status {
    plan->facts["segment"] = segment;
    ARROW_ASSIGN_OR_RAISE(const std::optional<StepRecord> fetched, ReadStep(store, segment, kFetchStep));
    if (!fetched) return UsageError("segment ", segment, " is not fetched yet; run  trawl fetch --segment ", segment);
    ARROW_RETURN_NOT_OK(PlanScope(store, plan));
    ARROW_RETURN_NOT_OK(PlanLearnedRules(store, base.manifest, plan));
    plan->parts = PartsOf(fetched->FilesOf(ContentRow::kTable));
    // After all others: the place of a body tells that of its parse row.
    for (Json& part : SharedParts(*fetched)) plan->parts.push_back(std::move(part));
    // A segment without bodies needs one task too, with nothing to do: its step must be recorded as done.
    if (plan->parts.empty()) plan->parts.push_back(ToJson(FilePiece{}));
    plan->work.bytes = BytesOfDataset(*fetched, ContentRow::kTable);
    return Status::OK();
  };
  return request;
}

namespace {

Result<int> RunParse(VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(const auto crawl, Crawl::Open(context));
  ARROW_ASSIGN_OR_RAISE(const SegmentOptions options, context.Read(SegmentOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const SegmentChoice segment,
                        ChooseSegment(crawl->store(), crawl->manifest(), SegmentStep::kParse, options.segment));
  if (segment.id.empty()) return SayNoSegment(context, SegmentStep::kParse);
  JobResult result;
  if (!segment.is_done) {
    ARROW_ASSIGN_OR_RAISE(result, crawl->Run(context, ParseRequest(crawl->store(), segment.id)));
  } else {
    result.snapshot = crawl->manifest().number;
  }
  Json json = SummaryOf(result);
  json["segment"] = segment.id;
  ARROW_RETURN_NOT_OK(context.Summarize(json, Readable(result, segment.id)));
  return kExitDone;
}

}  // namespace

Verb ParseVerb() {
  return {.name = "parse",
          .summary = "extract text, metadata and links from the fetched pages",
          .purpose = VerbPurpose::kStep,
          .description =
              "A page that cannot be read gets a row with the reason. Links are normalised, and the crawl's scope "
              "decides which of them are taken. Links marked nofollow are recorded, but not followed.",
          .examples = {{"The oldest segment that is fetched", "trawl parse"},
                       {"One segment, as a scheduler asks for it", "trawl parse --segment 20260101T120000Z-5f3a9c01"}},
          .groups = {&SegmentOptionGroup(), &ParseOptionGroup(), &IdleOptionGroup()},
          .other_groups = {&ScopeOptionGroup(), &FetchOptionGroup(), &SitemapOptionGroup(), &SettleOptionGroup(),
                           &JobOptionGroup()},
          .other_main_options = {"urls.scope", "urls.scope_rules", "urls.depth", "job.runner"},
          .run = RunParse};
}

}  // namespace trawl
