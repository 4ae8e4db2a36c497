// trawl report: rounds as one HTML file. It reads round documents, and each table once.
#include <string>
#include <string_view>

#include "jobs/metrics/metrics.h"
#include "jobs/report/report.h"
#include "jobs/verb/crawl.h"
#include "runtime/process/output.h"
#include "runtime/process/status_detail.h"
#include "runtime/process/whole_file.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// More would make the page long, and nobody could tell them apart.
constexpr int64_t kMostRounds = 100;

struct ReportOptions {
  std::string segment;
  int64_t last = 20;
  std::string output;
  bool openmetrics = false;
};

const OptionGroup<ReportOptions>& ReportOptionGroup() {
  static const auto group =
      OptionGroup<ReportOptions>("report", "What is reported")
          .String("segment", &ReportOptions::segment, "the round that is told in full; the newest if not given",
                  "SEGMENT")
          .Main()
          .Int("last", &ReportOptions::last, "rounds up to that one that stand beside each other", Between(1, 100'000))
          .Main()
          .String("output", &ReportOptions::output, "write to this file; without it to standard output", "FILE")
          .Main()
          .Bool("openmetrics", &ReportOptions::openmetrics,
                "write the history of the last rounds in OpenMetrics, a sample per round, for promtool's backfill")
          .Main();
  return group;
}

Status Write(VerbContext& context, const std::string& output, std::string_view bytes) {
  if (output.empty()) {
    context.process.out << bytes;
    return CheckOutput(context.process.out);
  }
  ARROW_RETURN_NOT_OK(WriteWholeFile(output, bytes));
  if (!context.global.quiet)
    context.process.err << output << ": " << ReadableSize(static_cast<int64_t>(bytes.size())) << "\n";
  return Status::OK();
}

Result<int> RunReport(VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(const auto crawl, Crawl::OpenAt(context));
  ARROW_ASSIGN_OR_RAISE(const ReportOptions options, context.Read(ReportOptionGroup()));
  const std::string name = NameOfRoot(context.global.root);
  const StopToken& stop = context.process.stop;
  if (options.openmetrics) {
    if (context.global.json) return UsageError("--openmetrics and --json are two forms: choose one of them");
    ARROW_ASSIGN_OR_RAISE(const std::string text, MetricsHistory(crawl->store(), crawl->manifest(), name,
                                                                 static_cast<size_t>(options.last), stop));
    ARROW_RETURN_NOT_OK(Write(context, options.output, text));
    return kExitDone;
  }
  if (options.last > kMostRounds) {
    return UsageError("--last ", options.last, ": a report has at most ", kMostRounds,
                      " rounds; --openmetrics takes more");
  }
  ARROW_ASSIGN_OR_RAISE(const Json report, MakeReport({.store = crawl->store(),
                                                       .snapshot = crawl->snapshot(),
                                                       .crawl = name,
                                                       .segment = options.segment,
                                                       .last = options.last,
                                                       .now_ms = context.global.now_ms,
                                                       .threads = context.global.threads,
                                                       .stop = stop}));
  const std::string text = context.global.json ? DumpJson(report) + "\n" : ReportHtml(report);
  ARROW_RETURN_NOT_OK(Write(context, options.output, text));
  return kExitDone;
}

}  // namespace

Verb ReportVerb() {
  return {
      .name = "report",
      .summary = "write a report of the rounds as one HTML file",
      .purpose = VerbPurpose::kLook,
      .description =
          "Makes one HTML file with pictures and tables: a round in full (speed, lists, outcomes, response times, "
          "hosts, errors, links, content, robots.txt and politeness), the last rounds beside each other, and the "
          "present (states, URLs due by hour for a week, age of the pages, storage). The file has no script and asks "
          "for nothing, so it can be sent by mail. The same snapshot and the same --now give the same bytes. --json "
          "gives the numbers in the place of the page.",
      .examples = {{"The newest round and the twenty before it", "trawl report --output report.html"},
                   {"Another round", "trawl report --segment 20260101T000000Z-5f3a9c01 --output round.html"},
                   {"History for Prometheus", "trawl report --openmetrics --last 1000 --output rounds.om"}},
      .groups = {&ReportOptionGroup(), &ReadingOptionGroup()},
      .run = RunReport};
}

}  // namespace trawl
