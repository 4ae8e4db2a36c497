#include "formats/documents/attempt_entry.h"

#include "formats/documents/document_time.h"
#include "formats/documents/format_version.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr int kAttemptFormat = 1;

Result<AttemptEvent> EventOf(const std::string& name) {
  for (const AttemptEvent event :
       {AttemptEvent::kBegin, AttemptEvent::kPart, AttemptEvent::kBeat, AttemptEvent::kEnd}) {
    if (name == NameOf(event)) return event;
  }
  return Status::Invalid("'kind' is '", name, "', which no attempt has");
}

Status ReadFiles(const Json& json, AttemptEntry* entry) {
  ARROW_ASSIGN_OR_RAISE(const Json* files, GetObject(json, "files"));
  for (const auto& [dataset, receipts] : files->items()) {
    ARROW_ASSIGN_OR_RAISE(const Json* list, GetArray(*files, dataset.c_str()));
    for (const Json& receipt : *list) {
      ARROW_ASSIGN_OR_RAISE(FileReceipt file, FileReceiptFromJson(receipt));
      entry->files[dataset].push_back(std::move(file));
    }
  }
  ARROW_ASSIGN_OR_RAISE(const Json* counters, GetObject(json, "counters"));
  entry->counters = *counters;
  return Status::OK();
}

}  // namespace

std::string_view NameOf(AttemptEvent event) {
  switch (event) {
    case AttemptEvent::kBegin:
      return "begin";
    case AttemptEvent::kPart:
      return "part";
    case AttemptEvent::kBeat:
      return "beat";
    case AttemptEvent::kEnd:
      return "end";
  }
  return "";
}

Json ToJson(const AttemptEntry& entry) {
  Json json = {{"format", kAttemptFormat},         {"kind", NameOf(entry.event)}, {"attempt", entry.attempt},
               {"machine", entry.process.machine}, {"pid", entry.process.pid},    {"started", entry.process.started},
               {"lease_ms", entry.lease_ms},       {"at_ms", entry.at_ms}};
  if (entry.event == AttemptEvent::kBegin) json["lists_job"] = entry.lists_job;
  if (entry.event == AttemptEvent::kEnd) json["done"] = entry.done;
  if (entry.gauges.is_object()) json["gauges"] = entry.gauges;
  if (entry.event != AttemptEvent::kPart) return json;
  json["files"] = Json::object();
  for (const auto& [dataset, receipts] : entry.files) {
    Json list = Json::array();
    for (const FileReceipt& receipt : receipts) list.push_back(ToJson(receipt));
    json["files"][dataset] = std::move(list);
  }
  json["counters"] = entry.counters;
  return json;
}

Result<AttemptEntry> AttemptEntryFromJson(const Json& json) {
  AttemptEntry entry;
  ARROW_ASSIGN_OR_RAISE(const int64_t format, GetInt(json, "format"));
  ARROW_RETURN_NOT_OK(CheckFormat(format, kAttemptFormat));
  ARROW_ASSIGN_OR_RAISE(const std::string kind, GetString(json, "kind"));
  ARROW_ASSIGN_OR_RAISE(entry.event, EventOf(kind));
  ARROW_ASSIGN_OR_RAISE(entry.attempt, GetString(json, "attempt"));
  ARROW_ASSIGN_OR_RAISE(entry.process, ProcessFromJson(json));
  ARROW_ASSIGN_OR_RAISE(entry.lease_ms, GetInt(json, "lease_ms"));
  ARROW_ASSIGN_OR_RAISE(entry.at_ms, GetInt(json, "at_ms"));
  for (const int64_t ms : {entry.lease_ms, entry.at_ms}) {
    if (!IsDocumentTime(ms)) return Status::Invalid("the time ", ms, " makes no sense");
  }
  if (entry.event == AttemptEvent::kBegin) {
    ARROW_ASSIGN_OR_RAISE(entry.lists_job, GetString(json, "lists_job"));
  }
  if (entry.event == AttemptEvent::kEnd) {
    ARROW_ASSIGN_OR_RAISE(entry.done, GetBool(json, "done"));
  }
  if (entry.event == AttemptEvent::kPart) ARROW_RETURN_NOT_OK(ReadFiles(json, &entry));
  if (HasMember(json, "gauges")) {
    ARROW_ASSIGN_OR_RAISE(const Json* gauges, GetObject(json, "gauges"));
    entry.gauges = *gauges;
  }
  return entry;
}

}  // namespace trawl
