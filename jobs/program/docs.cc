// `trawl docs`: pages that are made from the list of verbs and the option table.
//
// Each kind of page has an option that names its folder, and a source of its own (jobs/program/man_pages.h). Without
// such an option the verb prints docs/options.md.
#include <charconv>
#include <filesystem>
#include <string>
#include <system_error>

#include "jobs/program/docs_page.h"
#include "jobs/program/help.h"
#include "jobs/program/man_pages.h"
#include "jobs/schemas/schemas.h"
#include "jobs/verb/verb.h"
#include "jobs/verb/version.h"
#include "runtime/process/output.h"
#include "runtime/process/status_detail.h"
#include "runtime/process/whole_file.h"
#include "runtime/terminal/timestamp.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

struct DocsOptions {
  std::string man;
  std::string schemas;
};

const OptionGroup<DocsOptions>& DocsOptionGroup() {
  static const auto group = OptionGroup<DocsOptions>("docs", "Which pages are made")
                                .String("man", &DocsOptions::man,
                                        "write the man pages into this folder: trawl.1, and one for each verb", "DIR")
                                .Main()
                                .String("schemas", &DocsOptions::schemas,
                                        "write a JSON Schema of each answer and document into this folder: answers/, "
                                        "documents/, and index.json, which lists them",
                                        "DIR")
                                .Main();
  return group;
}

// The pages of one kind that were written.
Status WritePages(VerbContext& context, const std::string& option, const std::string& folder,
                  const std::vector<DocsPage>& pages, Json* summary) {
  std::error_code error;
  const std::filesystem::file_status found = std::filesystem::status(folder, error);
  if (!std::filesystem::exists(found)) {
    const std::string reason =
        error && found.type() != std::filesystem::file_type::not_found ? error.message() : "there is no such folder";
    return UsageError("--", option, " ", folder, ": ", reason, "; make it first");
  }
  if (!std::filesystem::is_directory(found)) return UsageError("--", option, " ", folder, ": is no folder");
  for (const DocsPage& page : pages) {
    ARROW_RETURN_NOT_OK(context.process.stop.Check());
    const std::filesystem::path path = std::filesystem::path(folder) / page.file;
    std::filesystem::create_directories(path.parent_path(), error);
    if (error) return Status::IOError(path.parent_path().string(), ": cannot be made: ", error.message());
    ARROW_RETURN_NOT_OK(WriteWholeFile(path.string(), page.text));
  }
  (*summary)[option] = {{"folder", folder}, {"pages", pages.size()}};
  return Status::OK();
}

std::vector<DocsPage> SchemaPages() {
  std::vector<DocsPage> pages = {{"index.json", DumpJsonPretty(SchemaIndex()) + "\n"}};
  for (const PublishedSchema& schema : PublishedSchemas()) {
    pages.push_back({schema.file(), DumpJsonPretty(SchemaDocument(schema)) + "\n"});
  }
  return pages;
}

// The day of the version, or that of SOURCE_DATE_EPOCH (seconds since 1970), by which packagers have the same date in
// everything that they build.
Result<std::string> DateOfPages(const std::vector<std::string>& environment) {
  constexpr std::string_view kName = "SOURCE_DATE_EPOCH=";
  constexpr size_t kDateColumns = 10;
  constexpr int64_t kLastSecond = 253'402'300'799;  // of the year 9999
  for (const std::string& line : environment) {
    if (!line.starts_with(kName) || line.size() == kName.size()) continue;
    int64_t seconds = 0;
    const char* const end = line.data() + line.size();
    const auto [last, failure] = std::from_chars(line.data() + kName.size(), end, seconds);
    if (failure != std::errc() || last != end || seconds < 0 || seconds > kLastSecond) {
      return UsageError("environment variable SOURCE_DATE_EPOCH: '", line.substr(kName.size(), 80),
                        "' is not allowed; write a number of seconds since 1970, or unset it");
    }
    return FormatTimestamp(seconds * 1000).substr(0, kDateColumns);
  }
  return std::string(kVersionDate);
}

Result<int> RunDocs(VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(const DocsOptions options, context.Read(DocsOptionGroup()));
  Json summary = Json::object();
  if (!options.man.empty()) {
    ARROW_ASSIGN_OR_RAISE(const std::string date, DateOfPages(context.process.environment));
    ARROW_RETURN_NOT_OK(WritePages(context, "man", options.man, ManPages(Verbs(), date), &summary));
  }
  if (!options.schemas.empty()) {
    ARROW_RETURN_NOT_OK(WritePages(context, "schemas", options.schemas, SchemaPages(), &summary));
  }
  if (summary.empty()) {
    context.process.out << OptionsPage(Verbs());
    ARROW_RETURN_NOT_OK(CheckOutput(context.process.out));
    return kExitDone;
  }
  std::string text;
  for (const auto& [option, written] : summary.items()) {
    text +=
        ReadableCount(written["pages"].get<int64_t>(), "page") + " in " + written["folder"].get<std::string>() + "\n";
  }
  ARROW_RETURN_NOT_OK(context.Summarize(summary, text));
  return kExitDone;
}

}  // namespace

Verb DocsVerb() {
  return {
      .name = "docs",
      .summary = "make the page of all options, man pages and schemas",
      .description =
          "Prints docs/options.md from the option table. With --man it writes man pages instead. They have the "
          "day of the version, or that of SOURCE_DATE_EPOCH where it is set. With --schemas it writes JSON Schemas of "
          "what verbs answer with --json, and of the documents of a crawl.",
      .examples = {{"Bring the page up to date", "trawl docs > docs/options.md"},
                   {"Install the man pages for everybody", "trawl docs --man /usr/local/share/man/man1"},
                   {"What programs may rely on", "mkdir schemas; trawl docs --schemas schemas"}},
      .groups = {&DocsOptionGroup()},
      .run = RunDocs,
      .is_hidden = true};
}

}  // namespace trawl
