// trawl rounds: lists the rounds that were applied, by their documents. It reads no rows.
#include <optional>

#include "jobs/list/listing.h"
#include "jobs/refresh/refresh_numbers.h"
#include "jobs/segment/life.h"
#include "jobs/stats/fetch_report.h"
#include "jobs/stats/round.h"
#include "jobs/stats/totals.h"
#include "jobs/verb/crawl.h"
#include "jobs/verb/list_options.h"
#include "runtime/process/status_detail.h"
#include "runtime/terminal/text.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

int64_t NumberOf(const Json& json, const char* name) {
  const Result<int64_t> number = GetInt(json, name);
  return number.ok() ? *number : 0;
}

// The time that a step took; nothing where it is not known.
std::optional<int64_t> StepMs(const Json& step) {
  if (!step.contains("seconds") || !step["seconds"].is_number()) return std::nullopt;
  return static_cast<int64_t>(step["seconds"].get<double>() * 1000);
}

int64_t StepsMs(const Json& round) {
  int64_t all_ms = 0;
  for (const auto& [name, step] : round["steps"].items()) all_ms += StepMs(step).value_or(0);
  return all_ms;
}

// A segment that a version without round documents applied.
Json OldRound(const ClosedSegment& segment) {
  return {{"segment", segment.id}, {"snapshot", segment.snapshot}, {"fetch", nullptr}};
}

// The numbers by which rounds are compared; null where an older version applied the round, and left none.
Json BriefOf(const Json& round) {
  Json row = {
      {"segment", round["segment"]}, {"applied", nullptr}, {"snapshot", round["snapshot"]}, {"pages", nullptr},
      {"requests", nullptr},         {"bytes", nullptr},   {"urls_new", nullptr},           {"took_ms", nullptr}};
  const Json& fetch = round["fetch"];
  if (fetch.is_null()) return row;
  row["applied"] = round["applied"];
  row["pages"] = NumberOf(fetch, "pages");
  row["requests"] = NumberOf(fetch, "fetched");
  row["bytes"] = NumberOf(fetch, "bytes");
  row["urls_new"] = NumberOf(round, "urls_new");
  row["took_ms"] = StepsMs(round);
  return row;
}

ListShape RoundsShape() {
  return {.columns = {{.member = "segment", .is_whole = true},
                      {.member = "snapshot", .kind = CellKind::kCount},
                      {.member = "pages", .kind = CellKind::kCount},
                      {.member = "requests", .kind = CellKind::kCount},
                      {.member = "bytes", .kind = CellKind::kBytes},
                      {.member = "urls_new", .title = "new", .kind = CellKind::kCount},
                      {.member = "took_ms", .title = "took", .kind = CellKind::kDuration}},
          .empty = BriefOf(OldRound({}))};
}

std::string Counts(const Json& counts) {
  std::string text;
  for (const auto& [name, count] : counts.items()) {
    text += (text.empty() ? "" : ", ") + ReadableCount(count.get<int64_t>()) + " " + name;
  }
  return text;
}

// All of one round.
std::string RoundText(const Json& round) {
  if (round["fetch"].is_null()) {
    return round["segment"].get<std::string>() + ": applied by an older version, without numbers\n";
  }
  std::string text;
  const auto line = [&text](const std::string& name, const std::string& value) {
    if (!value.empty()) text += PadRight(name, 14) + value + "\n";
  };
  const Json& fetch = round["fetch"];
  line("segment", round["segment"].get<std::string>());
  const Json reading = round.contains("reading") ? round["reading"] : Json::object();
  if (round.contains("kind") && round["kind"] == "reparse") {
    line("read again", ReadableCount(NumberOf(reading, "pages"), "stored page") + ", without a request");
  }
  if (const int64_t to_read = NumberOf(reading, "to_read"); to_read > 0) {
    line("to be read", ReadableCount(to_read, "stored page") + " under the present rules (trawl reparse)");
  }
  line("applied", round["applied"].get<std::string>() + ", snapshot " + DumpJson(round["snapshot"]));
  for (const auto& [name, step] : round["steps"].items()) {
    const std::optional<int64_t> ms = StepMs(step);
    line("  " + name, (ms ? ReadableDuration(*ms) : "time not known") + ", began " + step["began"].get<std::string>() +
                          ", " + step["job"].get<std::string>());
  }
  line("pages", ReadableCount(NumberOf(fetch, "pages")) + " stored, " + ReadableSize(NumberOf(fetch, "bytes")));
  line("outcomes", Counts(fetch["outcomes"]));
  line("statuses", Counts(fetch["statuses"]));
  for (const Json& error : fetch["top_errors"]) {
    line("not fetched", ReadableCount(NumberOf(error, "count")) + " x " + error["reason"].get<std::string>());
  }
  for (const Json& host : fetch["slowest_hosts"]) {
    line("slow", host["host"].get<std::string>() + ", " + ReadableDuration(NumberOf(host, "average_ms")) +
                     " on average of " + ReadableCount(NumberOf(host, "answers"), "answer"));
  }
  if (round["left_out"].is_object()) line("left out", Counts(round["left_out"]));
  const Json& links = round["links"];
  line("links", ReadableCount(NumberOf(links, "new")) + " new, " + ReadableCount(NumberOf(links, "known")) + " known");
  line("refused", Counts(links["refused"]));
  if (const int64_t refreshed = NumberOf(round, "refreshed"); refreshed > 0) {
    line("on time", ReadableCount(NumberOf(round, "within_window")) + " of " + ReadableCount(refreshed, "page"));
    if (round.contains("classes")) text += ReadableClasses(round["classes"], std::string(14, ' '));
  }
  if (const Json& lag = round["answer_to_applied_ms"]; lag.is_object()) {
    line("applied after", ReadableDuration(NumberOf(lag, "median")) + " (median), 99 % within " +
                              ReadableDuration(NumberOf(lag, "p99")));
  }
  line("urls after", Counts(round["totals"]["states"]));
  if (round.contains("duplicates")) line("duplicates", DuplicatesText(round["duplicates"]));
  return text;
}

Result<int> RunRounds(VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(const auto crawl, Crawl::OpenAt(context));
  ARROW_ASSIGN_OR_RAISE(const ListOptions options, context.Read(ListOptionGroup()));
  std::vector<ClosedSegment> rounds;
  for (const ClosedSegment& segment : crawl->manifest().closed_segments) {
    const bool is_named = context.arguments.empty() || segment.id == context.arguments.front();
    if (segment.end == SegmentEnd::kApplied && !IsStoreOfBodies(segment) && is_named) rounds.push_back(segment);
  }
  if (rounds.empty() && !context.arguments.empty()) {
    return UsageError("no round of segment '", context.arguments.front().substr(0, 100),
                      "' was applied; trawl rounds lists the rounds, trawl segments list every segment");
  }
  const auto limit = static_cast<size_t>(options.limit);
  const size_t first = limit > 0 && rounds.size() > limit ? rounds.size() - limit : 0;
  ARROW_ASSIGN_OR_RAISE(const ListFormat format, FormatOf(context));
  const bool as_json = format == ListFormat::kJson || format == ListFormat::kJsonLines;
  const bool as_text = format == ListFormat::kTable && !context.arguments.empty();
  Listing listing(context, format, RoundsShape());
  for (size_t i = first; i < rounds.size(); ++i) {
    ARROW_RETURN_NOT_OK(context.process.stop.Check());
    ARROW_ASSIGN_OR_RAISE(const std::optional<Json> document, ReadRound(crawl->store(), rounds[i]));
    const Json round = document ? *document : OldRound(rounds[i]);
    ARROW_RETURN_NOT_OK(as_text ? context.Answer(round, RoundText(round))
                                : listing.Add(as_json ? round : BriefOf(round)));
  }
  if (!as_text) ARROW_RETURN_NOT_OK(listing.Finish());
  return kExitDone;
}

}  // namespace

Verb RoundsVerb() {
  return {.name = "rounds",
          .summary = "list the rounds that were applied, with their numbers",
          .purpose = VerbPurpose::kLook,
          .arguments = "[SEGMENT]",
          .most_arguments = 1,
          .description =
              "updatedb leaves a document of each round: when each step ran, outcomes, errors and slow hosts of the "
              "fetch, its minutes, new and refused links, and the states of all URLs afterwards. With --json each line "
              "is one document. A SEGMENT shows one round in full.",
          .examples = {{"The newest twenty", "trawl rounds"},
                       {"One in full", "trawl rounds 20260101T000000Z-5f3a9c01"},
                       {"All, for a program", "trawl rounds --limit 0 --json"}},
          .groups = {&ListOptionGroup(), &FormatOptionGroup(), &ReadingOptionGroup()},
          .run = RunRounds};
}

}  // namespace trawl
