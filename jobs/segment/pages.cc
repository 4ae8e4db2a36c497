#include "jobs/segment/pages.h"

#include <utility>

#include "formats/rows/content_row.h"
#include "runtime/root/layout.h"
#include "runtime/root/segment_data.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// A batch of texts is in memory whole, and a text may have 4 MiB.
constexpr int64_t kTextBatchRows = 16;

}  // namespace

Result<std::unique_ptr<SegmentPages>> SegmentPages::Open(Store* store, const std::string& segment) {
  if (!IsValidId(segment)) return nullptr;
  ARROW_ASSIGN_OR_RAISE(std::optional<StepRecord> fetched, ReadStep(store, segment, kFetchStep));
  ARROW_ASSIGN_OR_RAISE(std::optional<StepRecord> parsed, ReadStep(store, segment, kParseStep));
  if (!fetched || !parsed) return nullptr;
  return std::unique_ptr<SegmentPages>(new SegmentPages(store, *std::move(fetched), *std::move(parsed)));
}

SegmentPages::SegmentPages(Store* store, StepRecord fetched, StepRecord parsed)
    : store_(store),
      fetched_(std::move(fetched)),
      parsed_(std::move(parsed)),
      rows_(store, parsed_.segment, ParseRow::kTable, parsed_.FilesOf(ParseRow::kTable), kTextBatchRows) {
  int64_t before = 0;
  for (const FileReceipt& file : fetched_.FilesOf(ContentRow::kTable)) {
    bodies_before_[file.name] = before;
    bodies_in_[file.name] = file.rows;
    before += file.rows;
  }
}

std::optional<int64_t> SegmentPages::NumberOf(const std::string& content_file, int64_t content_row) const {
  const auto before = bodies_before_.find(content_file);
  if (before == bodies_before_.end() || content_row < 0 || content_row >= bodies_in_.at(content_file)) return {};
  return before->second + content_row;
}

std::optional<RowOfTask> SegmentPages::PlaceOf(int64_t number) const {
  for (size_t task = 0; task < parsed_.tasks.size(); ++task) {
    const auto& files = parsed_.tasks[task].FilesOf(ParseRow::kTable);
    for (size_t file = 0; file < files.size(); ++file) {
      if (number < files[file].rows) return RowOfTask{task, file, number};
      number -= files[file].rows;
    }
  }
  return {};
}

Result<std::optional<RowOfTask>> SegmentPages::Search(const std::string& key) const {
  for (size_t task = 0; task < parsed_.tasks.size(); ++task) {
    const auto& files = parsed_.tasks[task].FilesOf(ParseRow::kTable);
    for (size_t file = 0; file < files.size(); ++file) {
      ARROW_ASSIGN_OR_RAISE(const auto numbers,
                            RowNumbersOfKey<ParseRow>(store_, parsed_.segment, ParseRow::kTable, files[file], key));
      if (!numbers.empty()) return RowOfTask{task, file, numbers.back()};
    }
  }
  return std::nullopt;
}

Result<bool> SegmentPages::Find(const std::string& key, const std::string& content_file, int64_t content_row,
                                ParseRow* row) {
  const std::optional<int64_t> number = NumberOf(content_file, content_row);
  std::optional<RowOfTask> place = number ? PlaceOf(*number) : std::nullopt;
  const auto read = [&]() -> Result<bool> {
    if (!place) return false;
    const std::string& file = parsed_.tasks[place->task].FilesOf(ParseRow::kTable)[place->file].name;
    ARROW_RETURN_NOT_OK(rows_.Read(file, place->row, row));
    found_ = *place;
    return row->key == key;
  };
  ARROW_ASSIGN_OR_RAISE(const bool is_there, read());
  if (is_there) return true;
  ARROW_ASSIGN_OR_RAISE(place, Search(key));
  return read();
}

Result<std::vector<LinkRow>> SegmentPages::Links(const ParseRow& page) {
  std::vector<LinkRow> links;
  if (page.links == 0) return links;
  const StepTask& task = parsed_.tasks[found_.task];
  const auto& pages = task.FilesOf(ParseRow::kTable);
  int64_t before = 0;
  for (size_t file = 0; file <= found_.file; ++file) {
    const int64_t end = file < found_.file ? pages[file].rows : found_.row;
    if (end == 0) continue;
    ARROW_RETURN_NOT_OK(
        ForEachDatasetRow<ParseRow>(store_, parsed_.segment, ParseRow::kTable, pages[file],
                                    [&before](const ParseRow& row) {
                                      before += row.links;
                                      return Status::OK();
                                    },
                                    {.columns = {"links"}, .rows = {0, end}, .batch_rows = kNarrowBatchRows}));
  }
  const auto take = [&](const LinkRow& row) {
    if (row.key == page.key) links.push_back(row);
    return Status::OK();
  };
  int64_t left = page.links;
  for (const FileReceipt& file : task.FilesOf(LinkRow::kTable)) {
    if (before >= file.rows) {
      before -= file.rows;
      continue;
    }
    const int64_t end = std::min(before + left, file.rows);
    ARROW_RETURN_NOT_OK(
        ForEachDatasetRow<LinkRow>(store_, parsed_.segment, LinkRow::kTable, file, take, {.rows = {before, end}}));
    left -= end - before;
    before = 0;
    if (left == 0) break;
  }
  if (links.size() == static_cast<size_t>(page.links)) return links;
  // Not where they were thought to be: the segment has another writer.
  links.clear();
  for (const FileReceipt& file : parsed_.FilesOf(LinkRow::kTable)) {
    ARROW_RETURN_NOT_OK(ForEachDatasetRow<LinkRow>(store_, parsed_.segment, LinkRow::kTable, file, take));
  }
  return links;
}

Result<SegmentScripts> SegmentPages::Scripts() const {
  SegmentScripts scripts = {.bodies_before = bodies_before_, .needs_script = {}};
  for (const FileReceipt& file : parsed_.FilesOf(ParseRow::kTable)) {
    const auto take = [&scripts](const ParseRow& row) {
      scripts.needs_script.push_back(row.needs_js);
      return Status::OK();
    };
    ARROW_RETURN_NOT_OK(ForEachDatasetRow<ParseRow>(store_, parsed_.segment, ParseRow::kTable, file, take,
                                                    {.columns = {"needs_js"}, .batch_rows = kNarrowBatchRows}));
  }
  return scripts;
}

Result<bool> ScriptPages::NeedsScript(const UrlRow& row) {
  if (row.body_file.empty()) return false;
  const auto [known, is_new] = segments_.try_emplace(row.body_segment);
  SegmentScripts& scripts = known->second;
  if (is_new) {
    ARROW_ASSIGN_OR_RAISE(const auto segment, SegmentPages::Open(store_, row.body_segment));
    if (segment != nullptr) {
      ARROW_ASSIGN_OR_RAISE(scripts, segment->Scripts());
    }
  }
  const auto before = scripts.bodies_before.find(row.body_file);
  if (before == scripts.bodies_before.end() || row.body_row < 0) return false;
  const auto number = static_cast<size_t>(before->second + row.body_row);
  return number < scripts.needs_script.size() && scripts.needs_script[number];
}

}  // namespace trawl
