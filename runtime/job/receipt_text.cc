#include "runtime/job/receipt_text.h"

#include <charconv>

#include "formats/digests/digest.h"
#include "formats/documents/json.h"
#include "formats/text/ascii.h"
#include "runtime/job/slot_parts.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

using Files = std::map<std::string, std::vector<FileReceipt>>;
using Schemas = std::map<std::string, int>;

constexpr size_t kDigestDigits = 16;

Json FilesToJson(const Files& files, const Schemas& schemas) {
  Json json = Json::object();
  for (const auto& [place, receipts] : files) {
    const auto schema = schemas.find(place);
    Json list = Json::array();
    for (const FileReceipt& receipt : receipts) list.push_back(ToJson(receipt));
    json[place] = {{"schema", schema == schemas.end() ? 1 : schema->second}, {"files", std::move(list)}};
  }
  return json;
}

Status FilesFromJson(const Json& json, const char* member, Files* files, Schemas* schemas) {
  ARROW_ASSIGN_OR_RAISE(const Json* places, GetObject(json, member));
  for (const auto& [place, written] : places->items()) {
    ARROW_ASSIGN_OR_RAISE(const int64_t schema, GetInt(written, "schema"));
    (*schemas)[place] = static_cast<int>(schema);
    ARROW_ASSIGN_OR_RAISE(const Json* list, GetArray(written, "files"));
    std::vector<FileReceipt>& receipts = (*files)[place];
    for (const Json& element : *list) {
      ARROW_ASSIGN_OR_RAISE(FileReceipt receipt, FileReceiptFromJson(element));
      receipts.push_back(std::move(receipt));
    }
  }
  return Status::OK();
}

Json BodyOf(const TaskReceipt& receipt) {
  Json body = {{"slots", SlotsToJson(receipt.slots)},
               {"files", FilesToJson(receipt.files, receipt.schemas)},
               {"datasets", FilesToJson(receipt.dataset_files, receipt.dataset_schemas)},
               {"counters", ToJson(receipt.counters)},
               {"samples", ToJson(receipt.samples)},
               {"facts", receipt.facts}};
  if (receipt.id.is_reduce) body["shuffle"] = ToJson(receipt.shuffle);
  return body;
}

Status ReadBody(const Json& json, TaskReceipt* receipt) {
  ARROW_ASSIGN_OR_RAISE(receipt->slots, SlotsOfPart(json));
  ARROW_RETURN_NOT_OK(FilesFromJson(json, "files", &receipt->files, &receipt->schemas));
  ARROW_RETURN_NOT_OK(FilesFromJson(json, "datasets", &receipt->dataset_files, &receipt->dataset_schemas));
  ARROW_ASSIGN_OR_RAISE(const Json* counters, GetObject(json, "counters"));
  ARROW_ASSIGN_OR_RAISE(receipt->counters, CountersFromJson(*counters));
  ARROW_ASSIGN_OR_RAISE(const Json* samples, GetArray(json, "samples"));
  ARROW_ASSIGN_OR_RAISE(receipt->samples, SamplesFromJson(*samples));
  if (!HasMember(json, "facts")) return Status::Invalid("member 'facts' is missing");
  receipt->facts = json["facts"];
  if (!HasMember(json, "shuffle")) return Status::OK();
  ARROW_ASSIGN_OR_RAISE(const Json* shuffle, GetObject(json, "shuffle"));
  return ShuffleCountsFromJson(*shuffle).Value(&receipt->shuffle);
}

bool TakeNumber(std::string_view* text, int* number) {
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), *number);
  if (error != std::errc() || text->empty() || !IsAsciiDigit(text->front())) return false;
  text->remove_prefix(static_cast<size_t>(end - text->data()));
  return true;
}

}  // namespace

Result<TaskId> TaskIdFrom(std::string_view name) {
  TaskId id;
  std::string_view rest = name;
  const char kind = rest.empty() ? '\0' : rest.front();
  id.is_reduce = kind == 'r';
  rest.remove_prefix(rest.empty() ? 0 : 1);
  bool sound = (kind == 'm' || kind == 'r') && TakeNumber(&rest, &id.number) && rest.starts_with('-');
  if (sound) rest.remove_prefix(1);
  sound = sound && TakeNumber(&rest, &id.attempt) && rest.empty() && id.Name() == name;
  if (!sound) return Status::Invalid("'", name.substr(0, 40), "' is not a task's name");
  return id;
}

std::string ReceiptLine(const TaskReceipt& receipt) {
  const std::string body = DumpJson(BodyOf(receipt));
  return receipt.id.Name() + "\t" + ToHex(Hash64(body)) + " " + body;
}

Result<TaskReceipt> ReceiptFromLine(std::string_view line) {
  line = line.substr(0, line.find_last_not_of(" \t\r\n") + 1);
  const size_t tab = line.find('\t');
  const std::string_view rest = tab == std::string_view::npos ? "" : line.substr(tab + 1);
  if (rest.size() < kDigestDigits + 1 || rest[kDigestDigits] != ' ')
    return Status::Invalid("a line that is not a receipt");
  TaskReceipt receipt;
  ARROW_ASSIGN_OR_RAISE(receipt.id, TaskIdFrom(line.substr(0, tab)));
  const std::string_view body = rest.substr(kDigestDigits + 1);
  uint64_t digest = 0;
  if (!FromHex(rest.substr(0, kDigestDigits), &digest) || digest != Hash64(body)) {
    return Status::Invalid("the receipt of task ", receipt.id.Name(), " is damaged");
  }
  ARROW_ASSIGN_OR_RAISE(const Json json, ParseJson(body));
  const Status read = ReadBody(json, &receipt);
  if (!read.ok()) return read.WithMessage("the receipt of task ", receipt.id.Name(), ": ", read.message());
  return receipt;
}

}  // namespace trawl
