#include "jobs/export/folder.h"

#include <cstdio>
#include <filesystem>
#include <system_error>
#include <type_traits>
#include <vector>

#include "formats/documents/sealed_json.h"
#include "formats/exports/export_rows.h"
#include "formats/rows/catalog.h"
#include "runtime/process/status_detail.h"
#include "runtime/store/status.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr char kBeginName[] = "_export.json";
constexpr char kEndName[] = "_SUCCESS";
constexpr int64_t kMaxBeginBytes = 1 << 20;

const char* NameOf(ExportFormat format) {
  return format == ExportFormat::kOrc ? "orc" : format == ExportFormat::kText ? "text" : "parquet";
}
ExportFormat FormatNamed(const std::string& name) {
  for (const ExportFormat format : {ExportFormat::kOrc, ExportFormat::kText}) {
    if (name == NameOf(format)) return format;
  }
  return ExportFormat::kParquet;
}

std::string TextOf(const ExportBegin& begin) {
  Json json = {
      {"snapshot", begin.snapshot}, {"seal", begin.seal}, {"format", NameOf(begin.format)}, {"parts", begin.parts}};
  if (!begin.what.empty()) json["what"] = begin.what;
  if (!begin.respect.empty()) json["respect"] = begin.respect;
  if (begin.unique) json["unique"] = true;
  return SealJson(json);
}

// The beginning of an export, of any snapshot, as it stands in a folder; UsageError where it is no export of ours.
Result<Json> ReadBegin(Store* to) {
  const Result<std::string> text = to->ReadWhole(kBeginName, kMaxBeginBytes);
  if (!text.ok() && IsNotFound(text.status())) {
    return UsageError(to->Describe(), " is not empty and has no export in it; choose another folder");
  }
  ARROW_RETURN_NOT_OK(text.status());
  Result<Json> begin = OpenSealedJson(*text, kBeginName);
  const bool is_ours = begin.ok() && GetString(*begin, "format").ok() && GetInt(*begin, "parts").ok();
  if (is_ours) return begin;
  return UsageError(to->Describe(), "/", kBeginName, " was written by another program; choose another folder");
}

// Removes the files of that export. Its beginning goes last: while it is there, this can be done again.
Status Clear(Store* to, const Json& begin) {
  ARROW_RETURN_NOT_OK(to->Remove(kEndName));
  ARROW_ASSIGN_OR_RAISE(const int64_t parts, GetInt(begin, "parts"));
  ARROW_ASSIGN_OR_RAISE(const std::string format, GetString(begin, "format"));
  std::vector<std::string> tables;
  if (HasMember(begin, "what")) {
    ARROW_ASSIGN_OR_RAISE(const std::string what, GetString(begin, "what"));
    if (what == kGraphExport) {
      tables.assign(std::begin(kGraphFolders), std::end(kGraphFolders));
      for (const char* const name : kGraphTexts) ARROW_RETURN_NOT_OK(to->Remove(name));
    } else {
      tables.push_back(what);
    }
  } else {
    ForEachTable([&tables](const auto& table) {
      if (kIsExported<typename std::decay_t<decltype(table)>::Row>) tables.push_back(table.name);
    });
  }
  for (int64_t part = 0; part < parts; ++part) {
    for (const std::string& table : tables) {
      ARROW_RETURN_NOT_OK(to->Remove(ExportPartName(table.c_str(), static_cast<int>(part), FormatNamed(format))));
    }
  }
  return to->Remove(kBeginName);
}

std::string Canonical(const std::string& place) {
  if (place.find("://") != std::string::npos) return place;
  std::error_code ignored;
  return std::filesystem::weakly_canonical(std::filesystem::absolute(place, ignored), ignored);
}

}  // namespace

std::string ExportPartName(const char* table, int number, ExportFormat format) {
  char name[64];
  std::snprintf(name, sizeof name, "%s/part-%05d.%s", table, number, NameOf(format));
  return name;
}

Status CheckOutside(const std::string& root, const std::string& directory) {
  const auto as_folder = [](std::string place) { return place.ends_with('/') ? place : place + "/"; };
  const bool is_inside = as_folder(Canonical(directory)).starts_with(as_folder(Canonical(root)));
  return is_inside ? UsageError(directory, " is within the crawl ", root, "; choose another folder") : Status::OK();
}

Result<bool> BeginExport(Store* to, const ExportBegin& begin, bool overwrite) {
  const std::string text = TextOf(begin);
  ARROW_ASSIGN_OR_RAISE(const auto entries, to->List("", /*recursive=*/false));
  if (!entries.empty()) {
    ARROW_ASSIGN_OR_RAISE(const Json there, ReadBegin(to));
    ARROW_ASSIGN_OR_RAISE(const bool is_whole, to->Exists(kEndName));
    if (SealJson(there) == text) return !is_whole;
    if (is_whole && !overwrite) {
      return UsageError(to->Describe(), " holds another export (see ", kBeginName,
                        " there); choose another folder, or replace it with --overwrite");
    }
    ARROW_RETURN_NOT_OK(Clear(to, there));
  }
  ARROW_RETURN_NOT_OK(to->CreateExclusive(kBeginName, text).status());
  return true;
}

Status EndExport(Store* to) { return to->CreateExclusive(kEndName, "").status(); }

}  // namespace trawl
