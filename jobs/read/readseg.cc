// trawl readseg list, get: shows the data of segments, and everything that happened to a URL. jobs/read/readseg_dump.cc
// has the third verb of the family. Writes nothing.
#include <algorithm>

#include "formats/url/key.h"
#include "jobs/list/listing.h"
#include "jobs/read/segment_json.h"
#include "jobs/segment/choice.h"
#include "jobs/segment/known_segments.h"
#include "jobs/segment/stored_bodies.h"
#include "jobs/verb/crawl.h"
#include "jobs/verb/list_options.h"
#include "jobs/verb/row_json.h"
#include "jobs/verb/url_arguments.h"
#include "runtime/process/status_detail.h"
#include "runtime/root/dataset_rows.h"
#include "runtime/terminal/text.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// -- list -------------------------------------------------------------------------------------------------------------

void AddDatasets(const StepRecord& record, Json* datasets) {
  for (const auto& [dataset, schema] : record.schemas) {
    int64_t bytes = 0;
    const std::vector<FileReceipt> files = record.FilesOf(dataset);
    for (const FileReceipt& file : files) bytes += file.seal.size_bytes;
    (*datasets)[dataset] = {{"rows", record.RowsOf(dataset)}, {"files", files.size()}, {"bytes", bytes}};
  }
}

ListShape DatasetsShape() {
  return {.columns = {{.member = "segment", .is_whole = true},
                      {.member = "state"},
                      {.member = "dataset"},
                      {.member = "rows", .kind = CellKind::kCount},
                      {.member = "files", .kind = CellKind::kCount},
                      {.member = "bytes", .kind = CellKind::kBytes}},
          .empty = {{"segment", ""}, {"state", ""}, {"datasets", {}}}};
}

Result<int> RunList(VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(const auto crawl, Crawl::OpenAt(context));
  ARROW_ASSIGN_OR_RAISE(const ListOptions options, context.Read(ListOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const auto segments,
                        ReadSegments(crawl->store(), crawl->manifest(), context.global.now_ms, options.limit));
  ARROW_ASSIGN_OR_RAISE(const ListFormat format, FormatOf(context));
  Listing listing(context, format, DatasetsShape());
  for (const KnownSegment& segment : segments) {
    Json datasets = Json::object();
    ARROW_ASSIGN_OR_RAISE(const auto lists, ReadListsIfThere(crawl->store(), segment));
    if (lists) AddDatasets(*lists, &datasets);
    for (const char* step : {kFetchStep, kParseStep}) {
      ARROW_ASSIGN_OR_RAISE(const auto record, ReadStep(crawl->store(), segment.id, step));
      if (record) AddDatasets(*record, &datasets);
    }
    const Json json = {{"segment", segment.id}, {"state", segment.state}, {"datasets", datasets}};
    if (format != ListFormat::kTable) {
      ARROW_RETURN_NOT_OK(listing.Add(json));
      continue;
    }
    // In a table each dataset has a line of its own.
    for (const auto& [name, dataset] : datasets.items()) {
      Json row = {{"segment", segment.id}, {"state", segment.state}, {"dataset", name}};
      row.update(dataset);
      ARROW_RETURN_NOT_OK(listing.Add(row));
    }
    if (datasets.empty()) ARROW_RETURN_NOT_OK(listing.Add(json));
  }
  ARROW_RETURN_NOT_OK(listing.Finish());
  return kExitDone;
}

// -- get --------------------------------------------------------------------------------------------------------------

template <typename Row>
Result<std::vector<Row>> FindInDataset(Store* store, const StepRecord& record, const std::string& key) {
  std::vector<Row> found;
  const std::vector<FileReceipt> files = record.FilesOf(Row::kTable);
  DatasetRows<Row> rows(store, record.segment, Row::kTable, files, 4);
  for (const FileReceipt& file : files) {
    ARROW_ASSIGN_OR_RAISE(const auto numbers, RowNumbersOfKey<Row>(store, record.segment, Row::kTable, file, key));
    for (const int64_t number : numbers) {
      found.emplace_back();
      ARROW_RETURN_NOT_OK(rows.Read(file.name, number, &found.back()));
    }
  }
  return found;
}

// The text without carriage returns and without blanks at the ends of its lines.
std::string WithoutBlanks(const std::string& text) {
  std::string out;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    out += text.substr(begin, end - begin);
    out.erase(out.find_last_not_of(" \t\r") + 1);
    if (end < text.size()) out += '\n';
    begin = end + 1;
  }
  return out;
}

std::string RowText(const Json& row) {
  std::string text;
  for (const auto& [name, value] : row.items()) {
    if (value.is_null() || value == Json("") || value.is_object()) continue;
    const bool is_long = value.is_string() && value.get_ref<const std::string&>().find('\n') != std::string::npos;
    text += (is_long ? name + "\n" : PadRight(name, 18)) +
            (value.is_string() ? value.get<std::string>() : DumpJson(value)) + "\n";
  }
  for (const auto& [name, value] : row.items()) {
    if (value.is_object()) text += name + ":\n" + RowText(value);
  }
  return text;
}

// Those of that page; null where there are none.
const PageFactsRow* FactsOf(const ParseRow& page, const std::vector<PageFactsRow>& facts) {
  const auto found = std::find_if(facts.begin(), facts.end(),
                                  [&page](const PageFactsRow& row) { return row.fetched_ms == page.fetched_ms; });
  return found == facts.end() ? nullptr : &*found;
}

// The pages of that key in a segment that read stored bodies again.
Result<bool> ShowReading(VerbContext& context, Store* store, const std::string& segment, const std::string& key) {
  ARROW_ASSIGN_OR_RAISE(const auto parse, ReadStep(store, segment, kParseStep));
  if (!parse) return false;
  ARROW_ASSIGN_OR_RAISE(const std::vector<ParseRow> pages, FindInDataset<ParseRow>(store, *parse, key));
  ARROW_ASSIGN_OR_RAISE(const auto facts, FindInDataset<PageFactsRow>(store, *parse, key));
  for (const ParseRow& page : pages) {
    Json json = {{"segment", segment}};
    json.update(ReadAgainJson(page, FactsOf(page, facts)));
    ARROW_RETURN_NOT_OK(context.Answer(json, WithoutBlanks(RowText(json)) + "\n"));
  }
  return !pages.empty();
}

// Shows everything that a segment says about a URL; false where it says nothing.
Result<bool> ShowUrl(VerbContext& context, Store* store, const std::string& segment, const std::string& key) {
  ARROW_ASSIGN_OR_RAISE(const auto fetched, ReadStep(store, segment, kFetchStep));
  if (!fetched) return false;
  ARROW_ASSIGN_OR_RAISE(std::vector<FetchRow> rows, FindInDataset<FetchRow>(store, *fetched, key));
  if (rows.empty()) return false;
  std::sort(rows.begin(), rows.end(), [](const FetchRow& a, const FetchRow& b) { return IsLater(b, a); });
  std::vector<ParseRow> parsed;
  std::vector<PageFactsRow> facts;
  ARROW_ASSIGN_OR_RAISE(const auto parse, ReadStep(store, segment, kParseStep));
  if (parse) {
    ARROW_ASSIGN_OR_RAISE(parsed, FindInDataset<ParseRow>(store, *parse, key));
    ARROW_ASSIGN_OR_RAISE(facts, FindInDataset<PageFactsRow>(store, *parse, key));
  }
  StoredBodies bodies(store);
  for (const FetchRow& row : rows) {
    Json json = {{"segment", segment}};
    json.update(WholeFetchJson(row));
    json["parse"] = nullptr;
    for (const ParseRow& page : parsed) {
      if (page.fetched_ms == row.fetched_ms) json["parse"] = ParseJson(page, FactsOf(page, facts));
    }
    std::string text = WithoutBlanks(RowText(json));
    ARROW_ASSIGN_OR_RAISE(const bool is_stored, bodies.Has(segment, row.content_file));
    if (!row.content_file.empty() && !is_stored) {
      text += "its body is not there any more; the one that the crawl has today: trawl page '" +
              json["url"].get<std::string>() + "' --body\n";
    } else if (!row.content_file.empty()) {
      text += "its body, text and links: trawl page '" + json["url"].get<std::string>() + "' --body, --text, --links\n";
    }
    ARROW_RETURN_NOT_OK(context.Answer(json, text + "\n"));
  }
  return true;
}

Result<int> RunGet(VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(const auto crawl, Crawl::OpenAt(context));
  ARROW_ASSIGN_OR_RAISE(const SegmentOptions only, context.Read(SegmentOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const auto segments, ReadSegments(crawl->store(), crawl->manifest(), context.global.now_ms, 0));
  bool all_found = true;
  for (const std::string& argument : context.arguments) {
    ARROW_ASSIGN_OR_RAISE(const std::string key, KeyOfArgument(argument, crawl->normal_form()));
    bool found = false;
    for (const KnownSegment& segment : segments) {
      if (!only.segment.empty() && segment.id != only.segment) continue;
      ARROW_RETURN_NOT_OK(context.process.stop.Check());
      ARROW_ASSIGN_OR_RAISE(const bool is_there, segment.is_reading()
                                                     ? ShowReading(context, crawl->store(), segment.id, key)
                                                     : ShowUrl(context, crawl->store(), segment.id, key));
      found = found || is_there;
    }
    if (found) continue;
    all_found = false;
    ARROW_ASSIGN_OR_RAISE(const std::string url, UrlOfKey(key));
    ARROW_RETURN_NOT_OK(context.Answer({{"url", url}, {"segment", nullptr}}, url + ": not in any fetched segment\n"));
  }
  return all_found ? kExitDone : kExitNothingDue;
}

}  // namespace

Verb ReadsegDumpVerb();

std::vector<Verb> ReadsegVerbs() {
  return {{.name = "readseg list",
           .summary = "list the segments, with the data that each has",
           .purpose = VerbPurpose::kLook,
           .description = "For each finished step of a segment: rows, files and bytes of its data.",
           .examples = {{"The newest twenty", "trawl readseg list"},
                        {"All, for a program", "trawl readseg list --limit 0 --json"}},
           .groups = {&ListOptionGroup(), &FormatOptionGroup(), &ReadingOptionGroup()},
           .run = RunList},
          {.name = "readseg get",
           .summary = "show all requests for a URL: headers, times, content",
           .purpose = VerbPurpose::kLook,
           .arguments = "URL…",
           .least_arguments = 1,
           .most_arguments = kAnyNumber,
           .description = "Searches all fetched segments, oldest first, or the one that --segment names. The exit code "
                          "is 1 if a URL is in none of them.",
           .examples = {{"What happened to a page", "trawl readseg get https://www.example.com/"},
                        {"For a program, in one segment",
                         "trawl readseg get --json --segment 2026-01-01 https://www.example.com/"}},
           .groups = {&SegmentOptionGroup(), &ReadingOptionGroup()},
           .run = RunGet},
          ReadsegDumpVerb()};
}

}  // namespace trawl
