#include "jobs/stats/round.h"

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include "formats/documents/sealed_json.h"
#include "formats/rows/catalog.h"
#include "jobs/audit/steps.h"
#include "jobs/policy/read_policy.h"
#include "jobs/policy/scope.h"
#include "jobs/segment/life.h"
#include "jobs/stats/fetch_stats.h"
#include "jobs/stats/minutes.h"
#include "jobs/stats/totals.h"
#include "jobs/stats/url_counts.h"
#include "runtime/root/layout.h"
#include "runtime/tables/table.h"
#include "runtime/terminal/timestamp.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr int64_t kMostBytes = 64 << 20;  // of a plan, report or round document
constexpr int kMostDocuments = 10'000;    // of an older version, that are read to begin the sums

Json MemberOf(const Json& object, const char* name) {
  return object.is_object() && HasMember(object, name) ? object[name] : Json();
}
int64_t CounterOf(const Json& counters, const std::string& name) {
  const Result<int64_t> count = GetInt(counters, name.c_str());
  return count.ok() ? *count : 0;
}

// A document of another job, null where there is none: a job that was killed has no report.
Result<Json> ReadIfThere(Store* store, const std::string& path) {
  ARROW_ASSIGN_OR_RAISE(const bool is_there, store->Exists(path));
  if (!is_there) return Json();
  ARROW_ASSIGN_OR_RAISE(const std::string text, store->ReadWhole(path, kMostBytes));
  return OpenSealedJson(text, path);
}

// The numbers of the fetch, from its report; counted again where its driver was killed before it wrote one.
Result<Json> FetchJson(Store* store, const StepRecord& fetched, const Json& report) {
  const Json reported = MemberOf(report, "fetch");
  if (reported.is_object()) return reported;
  ARROW_ASSIGN_OR_RAISE(const FetchStats stats, ReadFetchStats(store, fetched));
  return ToJson(stats);
}

// The minutes of all lists.
Result<Minutes> MinutesOf(const StepRecord& fetched) {
  Minutes minutes;
  for (const StepTask& task : fetched.tasks) {
    const Json of_task = MemberOf(task.facts, "minutes");
    if (!of_task.is_object()) continue;
    ARROW_ASSIGN_OR_RAISE(const Minutes more, MinutesFromJson(of_task));
    minutes.Merge(more);
  }
  return minutes;
}

// Links of the round: those that parse kept, what became of them, and those that were refused, by the rule.
Json LinksJson(const Json& parse, const Counters& updatedb) {
  constexpr std::string_view kRefused = "links_refused.";
  std::map<std::string, int64_t> refused;
  const auto add = [&refused](const std::string& rule, int64_t count) {
    if (count > 0) refused[rule] += count;
  };
  add("no_url", CounterOf(parse, "links_no_url"));
  for (const auto& [name, count] : parse.items()) {
    if (name.starts_with(kRefused) && count.is_number_integer())
      add(name.substr(kRefused.size()), count.get<int64_t>());
  }
  add("nofollow", CounterOf(parse, "links_nofollow"));
  add("too_deep", updatedb.Get("links_too_deep"));
  add("trap", updatedb.Get("links_trap"));
  return {{"found", CounterOf(parse, "links")},
          {"new", updatedb.Get("links_new")},
          {"known", updatedb.Get("links_known")},
          {"out_of_scope", CounterOf(parse, "links_out_of_scope")},
          {"refused", refused}};
}

int64_t BytesOf(const StepRecord& record) {
  int64_t bytes = 0;
  for (const StepTask& task : record.tasks) {
    for (const auto& [dataset, files] : task.files) {
      for (const FileReceipt& file : files) bytes += file.seal.size_bytes + file.sidecar.size_bytes;
    }
  }
  return bytes;
}

// The time between an answer and now, for the middle one of the answers and for the slowest of a hundred.
Json LagJson(const Json& fetch, TimeMs now_ms) {
  const Json answered = MemberOf(fetch, "answered");
  if (!answered.is_object()) return nullptr;
  return {{"median", std::max<int64_t>(now_ms - CounterOf(answered, "median_ms"), 0)},
          {"p99", std::max<int64_t>(now_ms - CounterOf(answered, "first_ms"), 0)}};
}

Result<Json> StepsJson(const RoundSource& source, const Json& generate, const Json& fetch_report) {
  ARROW_ASSIGN_OR_RAISE(const Json parse, ReadIfThere(source.store, ReportPath(source.parsed.job)));
  const Json updatedb = OwnReport(source.plan, source.updatedb_ms);
  return Json{{"generate", StepJson(source.lists.job, source.lists.snapshot, source.lists.now_ms, generate)},
              {"fetch", StepJson(source.fetched.job, source.fetched.snapshot, source.fetched.now_ms, fetch_report)},
              {"parse", StepJson(source.parsed.job, source.parsed.snapshot, source.parsed.now_ms, parse)},
              {"updatedb", StepJson(source.plan.job, source.plan.snapshot, source.plan.now_ms, updatedb)}};
}

Result<Json> StorageJson(const RoundSource& source) {
  int64_t tables = 0;
  for (const auto& [table, runs] : source.next.tables) {
    for (const RunReference& run : runs) tables += run.bytes;
  }
  return Json{{"tables", tables},
              {"segment", BytesOf(source.lists) + BytesOf(source.fetched) + BytesOf(source.parsed)},
              {"free", FreeBytesJson(*source.store)}};
}

// {"round", "ever"}: the pages of this round and of all so far.
Result<Json> NeedsScriptJson(const RoundSource& source) {
  Manifest before = source.next;
  before.closed_segments.pop_back();  // this round
  ARROW_ASSIGN_OR_RAISE(const int64_t earlier, PagesThatNeedScript(source.store, before));
  // A page that is read again was counted before.
  const int64_t now = source.fetched.segment.empty() ? 0 : CounterOf(source.parsed.counters, "needs_js");
  return Json{{"round", now}, {"ever", earlier + now}};
}

// The sums of all rounds, with this one. `fetch` is null where the segment asked for nothing.
Result<Json> EverJson(const RoundSource& source, const Json& fetch) {
  Manifest before = source.next;
  before.closed_segments.pop_back();  // this round
  ARROW_ASSIGN_OR_RAISE(EverSums ever, ReadEver(source.store, before));
  if (fetch.is_object()) AddFetch(fetch, source.fetched.counters, &ever);
  return ToJson(ever);
}

}  // namespace

Result<EverSums> ReadEver(Store* store, const Manifest& manifest) {
  EverSums ever;
  int read = 0;
  const auto& closed = manifest.closed_segments;
  for (auto segment = closed.rbegin(); segment != closed.rend() && read < kMostDocuments; ++segment) {
    if (segment->end != SegmentEnd::kApplied || segment->round.empty()) continue;
    ARROW_ASSIGN_OR_RAISE(const bool is_there, store->Exists(RoundPath(segment->updatedb)));
    if (!is_there) continue;
    ++read;
    ARROW_ASSIGN_OR_RAISE(const std::optional<Json> round, ReadRound(store, *segment));
    if (AddEver(*round, &ever)) return ever;
    const bool is_fetch = GetString(*round, "kind").ValueOr("round") == "round";
    if (is_fetch) AddFetch(MemberOf(*round, "fetch"), MemberOf(MemberOf(*round, "counters"), "fetch"), &ever);
  }
  return ever;
}

Result<int64_t> PagesThatNeedScript(Store* store, const Manifest& manifest) {
  for (auto segment = manifest.closed_segments.rbegin(); segment != manifest.closed_segments.rend(); ++segment) {
    if (segment->round.empty()) continue;
    // Whoever deletes a document loses its numbers, and no more.
    ARROW_ASSIGN_OR_RAISE(const bool is_there, store->Exists(RoundPath(segment->updatedb)));
    if (!is_there) continue;
    ARROW_ASSIGN_OR_RAISE(const std::optional<Json> round, ReadRound(store, *segment));
    return CounterOf(MemberOf(*round, "needs_js"), "ever");
  }
  return 0;
}

namespace {

// In Manifest::read_to: the snapshot that notes it, and the policy.
constexpr char kNothingToRead[] = "reparse";
constexpr char kNotedRules[] = "reparse.rules";
constexpr char kNotedDepth[] = "reparse.depth";

std::optional<ReadPolicy> NotedAfter(int64_t snapshot, const Manifest& manifest) {
  const auto noted = manifest.read_to.find(kNothingToRead);
  const auto rules = manifest.read_to.find(kNotedRules), depth = manifest.read_to.find(kNotedDepth);
  const auto end = manifest.read_to.end();
  if (noted == end || rules == end || depth == end || noted->second <= snapshot) return std::nullopt;
  return ReadPolicy{.rules = rules->second, .most_depth = static_cast<int32_t>(depth->second)};
}

}  // namespace

void NoteNothingToRead(const ReadPolicy& policy, Manifest* next) {
  next->read_to[kNothingToRead] = next->number;
  next->read_to[kNotedRules] = policy.rules;
  next->read_to[kNotedDepth] = policy.most_depth;
}

Result<ReadingStanding> ReadReadingStanding(Store* store, const Manifest& manifest) {
  bool has_rounds = false;
  for (auto segment = manifest.closed_segments.rbegin(); segment != manifest.closed_segments.rend(); ++segment) {
    if (segment->end != SegmentEnd::kApplied || IsStoreOfBodies(*segment)) continue;
    has_rounds = true;
    if (const auto noted = NotedAfter(segment->snapshot, manifest)) return ReadingStanding{noted->Text(), 0};
    if (segment->round.empty()) break;
    ARROW_ASSIGN_OR_RAISE(const bool is_there, store->Exists(RoundPath(segment->updatedb)));
    if (!is_there) break;
    ARROW_ASSIGN_OR_RAISE(const std::optional<Json> round, ReadRound(store, *segment));
    const Json reading = MemberOf(*round, "reading");
    if (!reading.is_object()) break;
    ReadingStanding standing;
    ARROW_ASSIGN_OR_RAISE(standing.policy, GetString(reading, "policy"));
    if (const Result<int64_t> to_read = GetInt(reading, "to_read"); to_read.ok()) standing.to_read = *to_read;
    return standing;
  }
  // Before the first round there is nothing to read; what an older version left is not known.
  return has_rounds ? ReadingStanding() : ReadingStanding{.policy = "", .to_read = 0};
}

namespace {

// {"policy", "to_read"}: the pages that are to be read again once this round is applied; null where it is not known.
Result<Json> ReadingJson(const RoundSource& source) {
  ARROW_ASSIGN_OR_RAISE(const ReadPolicy policy, ReadPolicyOfPlan(source.plan));
  Manifest before = source.next;
  before.closed_segments.pop_back();  // this round
  ARROW_ASSIGN_OR_RAISE(const ReadingStanding standing, ReadReadingStanding(source.store, before));
  const int64_t by = source.counters.Get("to_read");
  const bool is_known = standing.to_read && (standing.policy.empty() || standing.policy == policy.Text());
  return Json{{"policy", policy.Text()},
              {"to_read", is_known ? Json(std::max<int64_t>(*standing.to_read + by, 0)) : Json()}};
}

// The same after a reading: what it left, and the pages that came nearer by its links.
Result<Json> ReadingAfterReadingJson(const RoundSource& source) {
  ARROW_ASSIGN_OR_RAISE(Json reading, ReadingJson(source));
  ARROW_ASSIGN_OR_RAISE(const Json* facts, GetObject(source.plan.facts, "reads_again"));
  if (const Result<int64_t> left = GetInt(*facts, "left"); left.ok()) {
    reading["to_read"] = *left + source.counters.Get("to_read_more");
  }
  reading["pages"] = CounterOf(source.parsed.counters, "pages");
  reading["bodies_gone"] = CounterOf(*facts, "gone");
  return reading;
}

}  // namespace

Result<Json> MakeReadingRound(const RoundSource& source) {
  const TimeMs now_ms = source.plan.now_ms + source.updatedb_ms;
  ARROW_ASSIGN_OR_RAISE(const Json reading, ReadingAfterReadingJson(source));
  ARROW_ASSIGN_OR_RAISE(const Json needs_script, NeedsScriptJson(source));
  ARROW_ASSIGN_OR_RAISE(const Json ever, EverJson(source, Json()));
  ARROW_ASSIGN_OR_RAISE(Json storage, StorageJson(source));
  ARROW_ASSIGN_OR_RAISE(const auto urls, Table::Open<UrlRow>(source.store, source.next));
  ARROW_ASSIGN_OR_RAISE(const FilterMeasure filters, MeasureSomeFilters(*urls));
  Json steps = {{"updatedb", StepJson(source.plan.job, source.plan.snapshot, source.plan.now_ms,
                                      OwnReport(source.plan, source.updatedb_ms))}};
  if (!source.parsed.job.empty()) {
    ARROW_ASSIGN_OR_RAISE(const Json report, ReadIfThere(source.store, ReportPath(source.parsed.job)));
    steps["parse"] = StepJson(source.parsed.job, source.parsed.snapshot, source.parsed.now_ms, report);
  }
  const Totals totals = source.next.totals.value_or(Totals());
  return Json{{"format", kCrawlFormat},
              {"kind", "reparse"},
              {"segment", source.plan.segment()},
              {"job", source.plan.job},
              {"snapshot", source.next.number},
              {"applied", FormatTimestamp(now_ms)},
              {"ran_by", RanByJson(source.plan)},
              {"steps", steps},
              {"lists", Json::array()},
              {"due", nullptr},
              {"left_out", nullptr},
              {"fetch", ToJson(FetchStats())},
              {"minutes", ToJson(Minutes())},
              {"politeness", nullptr},
              {"languages", LanguagesJson(source.parsed)},
              {"answer_to_applied_ms", nullptr},
              {"reading", reading},
              {"links", LinksJson(source.parsed.counters, source.counters)},
              {"needs_js", needs_script},
              {"urls_new", source.counters.Get("urls_new")},
              {"refreshed", 0},
              {"within_window", 0},
              {"totals", ToJson(totals)},
              {"duplicates", DuplicatesJson(totals)},
              {"frontier", totals.OfState(TextOf(UrlState::kUnfetched))},
              {"storage", storage},
              {"filters", ToJson(filters)},
              {"ever", ever},
              {"counters", {{"parse", source.parsed.counters}, {"updatedb", ToJson(source.counters)}}}};
}

namespace {

// What is known of duplicates, and what of the round's bodies was had before and cost no room.
Json DuplicatesOfRound(const Totals& totals, const StepRecord& fetched) {
  Json json = DuplicatesJson(totals);
  json["shared"] = CounterOf(fetched.counters, "bodies_shared");
  json["shared_bytes"] = CounterOf(fetched.counters, "bytes_shared");
  return json;
}

}  // namespace

Result<Json> MakeRound(const RoundSource& source) {
  const StepRecord& fetched = source.fetched;
  const TimeMs now_ms = source.plan.now_ms + source.updatedb_ms;
  ARROW_ASSIGN_OR_RAISE(const Json report, ReadIfThere(source.store, ReportPath(fetched.job)));
  ARROW_ASSIGN_OR_RAISE(const Json generate, ReadIfThere(source.store, ReportPath(source.lists.job)));
  ARROW_ASSIGN_OR_RAISE(const Json fetch, FetchJson(source.store, fetched, report));
  ARROW_ASSIGN_OR_RAISE(const Json steps, StepsJson(source, generate, report));
  ARROW_ASSIGN_OR_RAISE(const Minutes minutes, MinutesOf(fetched));
  ARROW_ASSIGN_OR_RAISE(const Json storage, StorageJson(source));
  ARROW_ASSIGN_OR_RAISE(const Json needs_script, NeedsScriptJson(source));
  ARROW_ASSIGN_OR_RAISE(const Json ever, EverJson(source, fetch));
  ARROW_ASSIGN_OR_RAISE(const Json reading, ReadingJson(source));
  ARROW_ASSIGN_OR_RAISE(const auto urls, Table::Open<UrlRow>(source.store, source.next));
  ARROW_ASSIGN_OR_RAISE(const FilterMeasure filters, MeasureSomeFilters(*urls));
  const Totals totals = source.next.totals.value_or(Totals());
  return Json{{"format", kCrawlFormat},
              {"kind", "round"},
              {"reading", reading},
              {"segment", fetched.segment},
              {"job", source.plan.job},
              {"snapshot", source.next.number},
              {"applied", FormatTimestamp(now_ms)},
              {"ran_by", RanByJson(source.plan)},
              {"steps", steps},
              {"lists", ListsJson(source.lists, fetched)},
              {"due", MemberOf(generate, "due")},
              {"left_out", MemberOf(generate, "left_out")},
              {"fetch", fetch},
              {"used", MemberOf(report, "used")},
              {"minutes", ToJson(minutes)},
              {"politeness", PolitenessJson(fetched)},
              {"languages", LanguagesJson(source.parsed)},
              {"answer_to_applied_ms", LagJson(fetch, now_ms)},
              {"links", LinksJson(source.parsed.counters, source.counters)},
              {"needs_js", needs_script},
              {"urls_new", source.counters.Get("urls_new")},
              {"refreshed", source.counters.Get("refreshed")},
              {"within_window", source.counters.Get("within_window")},
              {"totals", ToJson(totals)},
              {"duplicates", DuplicatesOfRound(totals, fetched)},
              {"frontier", totals.OfState(TextOf(UrlState::kUnfetched))},
              {"storage", storage},
              {"filters", ToJson(filters)},
              {"ever", ever},
              {"counters",
               {{"generate", source.lists.counters},
                {"fetch", fetched.counters},
                {"parse", source.parsed.counters},
                {"updatedb", ToJson(source.counters)}}}};
}

Result<std::string> StoreRound(Store* store, const std::string& job, const Json& round) {
  const std::string path = RoundPath(job);
  const std::string text = SealJson(round);
  const Result<CreateOutcome> outcome = store->CreateExclusive(path, text);
  // Read back in any case: a reply may have been lost, another driver of the job may have been faster, and a store may
  // have forgotten an acknowledged file.
  ARROW_ASSIGN_OR_RAISE(const bool is_there, store->Exists(path));
  if (!is_there) return outcome.ok() ? Status::IOError(path, ": was written, but is missing") : outcome.status();
  ARROW_ASSIGN_OR_RAISE(const std::string stored, store->ReadWhole(path, kMostBytes));
  ARROW_RETURN_NOT_OK(OpenSealedJson(stored, path).status());
  return SealOfText(stored);
}

Result<std::optional<Json>> ReadRound(Store* store, const ClosedSegment& segment) {
  if (segment.round.empty()) return std::nullopt;
  const std::string path = RoundPath(segment.updatedb);
  ARROW_ASSIGN_OR_RAISE(const std::string text, store->ReadWhole(path, kMostBytes));
  ARROW_ASSIGN_OR_RAISE(Json json, OpenSealedJson(text, path));
  if (SealOfText(text) != segment.round) {
    return Status::IOError(path, ": is not the document that the snapshot names");
  }
  return std::optional<Json>(std::move(json));
}

}  // namespace trawl
