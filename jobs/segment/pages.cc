#include "jobs/segment/pages.h"

#include <algorithm>
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
constexpr int64_t kLinkBatchRows = 512;
// Pages that are looked for by the places of their bodies were read again by few jobs.
constexpr size_t kMostOpenSegments = 16;

}  // namespace

Result<std::unique_ptr<SegmentPages>> SegmentPages::Open(Store* store, const std::string& segment) {
  if (!IsValidId(segment)) return nullptr;
  ARROW_ASSIGN_OR_RAISE(std::optional<StepRecord> fetched, ReadStep(store, segment, kFetchStep));
  ARROW_ASSIGN_OR_RAISE(std::optional<StepRecord> parsed, ReadStep(store, segment, kParseStep));
  if (!fetched || !parsed) return nullptr;
  return std::unique_ptr<SegmentPages>(new SegmentPages(store, *std::move(fetched), *std::move(parsed)));
}

Result<std::unique_ptr<SegmentPages>> SegmentPages::OpenReading(Store* store, const std::string& segment) {
  if (!IsValidId(segment)) return nullptr;
  ARROW_ASSIGN_OR_RAISE(std::optional<StepRecord> parsed, ReadStep(store, segment, kParseStep));
  if (!parsed) return nullptr;
  return std::unique_ptr<SegmentPages>(new SegmentPages(store, StepRecord(), *std::move(parsed)));
}

SegmentPages::SegmentPages(Store* store, StepRecord fetched, StepRecord parsed)
    : store_(store),
      fetched_(std::move(fetched)),
      parsed_(std::move(parsed)),
      rows_(store, parsed_.segment, ParseRow::kTable, parsed_.FilesOf(ParseRow::kTable), kTextBatchRows),
      links_(store, parsed_.segment, LinkRow::kTable, parsed_.FilesOf(LinkRow::kTable), kLinkBatchRows),
      facts_(store, parsed_.segment, PageFactsRow::kTable, parsed_.FilesOf(PageFactsRow::kTable), kTextBatchRows),
      items_(store, parsed_.segment, ItemRow::kTable, parsed_.FilesOf(ItemRow::kTable), kTextBatchRows) {
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

std::optional<RowOfTask> SegmentPages::PlaceIn(const std::string& parse_file, int64_t parse_row) const {
  for (size_t task = 0; task < parsed_.tasks.size(); ++task) {
    const auto& files = parsed_.tasks[task].FilesOf(ParseRow::kTable);
    for (size_t file = 0; file < files.size(); ++file) {
      if (files[file].name != parse_file) continue;
      if (parse_row < 0 || parse_row >= files[file].rows) return {};
      return RowOfTask{task, file, parse_row};
    }
  }
  return {};
}

Result<bool> SegmentPages::FindAt(const std::string& key, const std::string& parse_file, int64_t parse_row,
                                  ParseRow* row) {
  const std::optional<RowOfTask> place = PlaceIn(parse_file, parse_row);
  if (!place) return false;
  ARROW_RETURN_NOT_OK(rows_.Read(parse_file, parse_row, row));
  found_ = *place;
  return row->key == key;
}

int64_t SegmentPages::NumberInTask() const {
  const auto& pages = parsed_.tasks[found_.task].FilesOf(ParseRow::kTable);
  int64_t number = found_.row;
  for (size_t file = 0; file < found_.file; ++file) number += pages[file].rows;
  return number;
}

Result<bool> SegmentPages::Facts(const ParseRow& page, PageFactsRow* facts) {
  if (parsed_.tasks.empty()) return false;
  int64_t at = NumberInTask();
  for (const FileReceipt& file : parsed_.tasks[found_.task].FilesOf(PageFactsRow::kTable)) {
    if (at < file.rows) {
      ARROW_RETURN_NOT_OK(facts_.Read(file.name, at, facts));
      return facts->key == page.key && facts->fetched_ms == page.fetched_ms;
    }
    at -= file.rows;
  }
  return false;
}

Result<bool> SegmentPages::FactsAt(const ParseRow& page, const std::string& parse_file, int64_t parse_row,
                                   PageFactsRow* facts) {
  const std::optional<RowOfTask> place = PlaceIn(parse_file, parse_row);
  if (!place) return false;
  found_ = *place;
  return Facts(page, facts);
}

Status SegmentPages::CountItemsOf(size_t task) {
  if (items_task_ == task) return Status::OK();
  items_task_.reset();
  items_before_.assign(1, 0);
  for (const FileReceipt& file : parsed_.tasks[task].FilesOf(PageFactsRow::kTable)) {
    const auto take = [&](const PageFactsRow& row) {
      items_before_.push_back(items_before_.back() + row.items);
      return Status::OK();
    };
    ARROW_RETURN_NOT_OK(ForEachDatasetRow<PageFactsRow>(store_, parsed_.segment, PageFactsRow::kTable, file, take,
                                                        {.columns = {"items"}, .batch_rows = kNarrowBatchRows}));
  }
  items_task_ = task;
  return Status::OK();
}

Result<std::vector<ItemRow>> SegmentPages::Items(const ParseRow& page) {
  std::vector<ItemRow> items;
  if (parsed_.tasks.empty()) return items;
  ARROW_RETURN_NOT_OK(CountItemsOf(found_.task));
  const auto number = static_cast<size_t>(NumberInTask());
  if (number + 1 >= items_before_.size()) return items;
  int64_t at = items_before_[number];
  int64_t left = items_before_[number + 1] - at;
  ItemRow item;
  for (const FileReceipt& file : parsed_.tasks[found_.task].FilesOf(ItemRow::kTable)) {
    for (; left > 0 && at < file.rows; ++at, --left) {
      ARROW_RETURN_NOT_OK(items_.Read(file.name, at, &item));
      if (item.key == page.key && item.fetched_ms == page.fetched_ms) items.push_back(item);
    }
    at = std::max<int64_t>(at - file.rows, 0);
  }
  return items;
}

Status SegmentPages::CountLinksOf(size_t task) {
  if (counted_task_ == task) return Status::OK();
  counted_task_.reset();
  links_before_.clear();
  int64_t links = 0;
  for (const FileReceipt& file : parsed_.tasks[task].FilesOf(ParseRow::kTable)) {
    const auto count = [&](const ParseRow& row) {
      links_before_.push_back(links);
      links += row.links;
      return Status::OK();
    };
    ARROW_RETURN_NOT_OK(ForEachDatasetRow<ParseRow>(store_, parsed_.segment, ParseRow::kTable, file, count,
                                                    {.columns = {"links"}, .batch_rows = kNarrowBatchRows}));
  }
  counted_task_ = task;
  return Status::OK();
}

Result<std::vector<LinkRow>> SegmentPages::Links(const ParseRow& page) {
  std::vector<LinkRow> links;
  if (page.links == 0) return links;
  ARROW_RETURN_NOT_OK(CountLinksOf(found_.task));
  const StepTask& task = parsed_.tasks[found_.task];
  int64_t at = links_before_[static_cast<size_t>(NumberInTask())];
  int64_t left = page.links;
  LinkRow link;
  for (const FileReceipt& file : task.FilesOf(LinkRow::kTable)) {
    for (; left > 0 && at < file.rows; ++at, --left) {
      ARROW_RETURN_NOT_OK(links_.Read(file.name, at, &link));
      if (link.key == page.key) links.push_back(link);
    }
    at = std::max<int64_t>(at - file.rows, 0);
  }
  if (links.size() == static_cast<size_t>(page.links)) return links;
  // Not where they were thought to be: the segment has another writer.
  links.clear();
  const auto take = [&](const LinkRow& row) {
    if (row.key == page.key) links.push_back(row);
    return Status::OK();
  };
  for (const FileReceipt& file : parsed_.FilesOf(LinkRow::kTable)) {
    ARROW_RETURN_NOT_OK(ForEachDatasetRow<LinkRow>(store_, parsed_.segment, LinkRow::kTable, file, take));
  }
  return links;
}

std::optional<std::pair<std::string, int64_t>> SegmentPages::ParsePlaceOf(const std::string& content_file,
                                                                          int64_t content_row) const {
  const std::optional<int64_t> number = NumberOf(content_file, content_row);
  const std::optional<RowOfTask> place = number ? PlaceOf(*number) : std::nullopt;
  if (!place) return {};
  return std::pair(parsed_.tasks[place->task].FilesOf(ParseRow::kTable)[place->file].name, place->row);
}

Result<SegmentScripts> SegmentPages::Scripts() const {
  SegmentScripts scripts = {.bodies_before = bodies_before_, .pages_before = {}, .needs_script = {}};
  for (const FileReceipt& file : parsed_.FilesOf(ParseRow::kTable)) {
    scripts.pages_before[file.name] = static_cast<int64_t>(scripts.needs_script.size());
    const auto take = [&scripts](const ParseRow& row) {
      scripts.needs_script.push_back(row.needs_js);
      return Status::OK();
    };
    ARROW_RETURN_NOT_OK(ForEachDatasetRow<ParseRow>(store_, parsed_.segment, ParseRow::kTable, file, take,
                                                    {.columns = {"needs_js"}, .batch_rows = kNarrowBatchRows}));
  }
  return scripts;
}

namespace {

// Of whatever kind the segment is; null where the records are gone.
Result<std::unique_ptr<SegmentPages>> OpenAny(Store* store, const std::string& segment) {
  ARROW_ASSIGN_OR_RAISE(auto opened, SegmentPages::Open(store, segment));
  return opened != nullptr ? std::move(opened) : SegmentPages::OpenReading(store, segment);
}

}  // namespace

Result<SegmentPages*> NewestPages::Open(const std::string& segment) {
  const auto known = segments_.find(segment);
  if (known != segments_.end()) return known->second.get();
  if (segments_.size() >= kMostOpenSegments) {
    segments_.clear();
    found_ = nullptr;
  }
  ARROW_ASSIGN_OR_RAISE(auto opened, OpenAny(store_, segment));
  return segments_.emplace(segment, std::move(opened)).first->second.get();
}

Result<bool> NewestPages::Find(const UrlRow& row, ParseRow* parsed) {
  const bool has_place = !row.parse_segment.empty();
  ARROW_ASSIGN_OR_RAISE(SegmentPages* const segment, Open(has_place ? row.parse_segment : row.body_segment));
  found_ = segment;
  if (segment == nullptr) return false;
  return has_place ? segment->FindAt(row.key, row.parse_file, row.parse_row, parsed)
                   : segment->Find(row.key, row.body_file, row.body_row, parsed);
}

Result<std::vector<LinkRow>> NewestPages::Links(const ParseRow& page) {
  return found_ != nullptr ? found_->Links(page) : std::vector<LinkRow>();
}

Result<std::vector<ItemRow>> NewestPages::Items(const ParseRow& page) {
  return found_ != nullptr ? found_->Items(page) : std::vector<ItemRow>();
}

Result<bool> NewestPages::Facts(const ParseRow& page, PageFactsRow* facts) {
  return found_ != nullptr ? found_->Facts(page, facts) : Result<bool>(false);
}

Result<bool> ScriptPages::NeedsScript(const UrlRow& row) {
  if (row.body_file.empty()) return false;
  const bool has_place = !row.parse_segment.empty();
  const std::string& name = has_place ? row.parse_segment : row.body_segment;
  const auto [known, is_new] = segments_.try_emplace(name);
  SegmentScripts& scripts = known->second;
  if (is_new) {
    ARROW_ASSIGN_OR_RAISE(const auto segment, OpenAny(store_, name));
    if (segment != nullptr) {
      ARROW_ASSIGN_OR_RAISE(scripts, segment->Scripts());
    }
  }
  const auto& befores = has_place ? scripts.pages_before : scripts.bodies_before;
  const auto before = befores.find(has_place ? row.parse_file : row.body_file);
  const int64_t at = has_place ? row.parse_row : row.body_row;
  if (before == befores.end() || at < 0) return false;
  const auto number = static_cast<size_t>(before->second + at);
  return number < scripts.needs_script.size() && scripts.needs_script[number];
}

}  // namespace trawl
