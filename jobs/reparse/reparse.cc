// trawl reparse, its first job: reads the stored bodies that were read under other rules, or by an older parser.
//
//   reads        urls, by ranges of slots; content, parse and links of the segments that have the bodies
//   shuffles by  the place of the body: segment, file, row; of pages that share one, that of the parse row
//   writes       parse, page_facts and links of a segment of its own, in the order of the bodies
//   counters     those of trawl parse; bodies_gone: pages whose body is not there any more
//
// Only places travel: the own bodies of a stretch of a file go to one reducer in the order in which they lie, so each is read
// once, from front to back.
#include "jobs/reparse/reparse.h"

#include <algorithm>
#include <memory>
#include <unordered_set>
#include <utility>

#include "formats/digests/digest.h"
#include "formats/rows/content_row.h"
#include "jobs/parse/body_reader.h"
#include "jobs/parse/parse.h"
#include "jobs/policy/fetch_options.h"
#include "jobs/policy/scope.h"
#include "jobs/policy/settle_options.h"
#include "jobs/reparse/to_read.h"
#include "jobs/segment/life.h"
#include "jobs/segment/pages.h"
#include "jobs/segment/stored_bodies.h"
#include "jobs/stats/round.h"
#include "jobs/updatedb/updatedb.h"
#include "jobs/verb/url_arguments.h"
#include "runtime/job/slot_parts.h"
#include "runtime/process/status_detail.h"
#include "runtime/root/dataset_rows.h"
#include "runtime/root/layout.h"
#include "runtime/root/planned_bytes.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

const OptionGroup<ReparseOptions>& ReparseOptionGroup() {
  static const auto group =
      OptionGroup<ReparseOptions>("reparse", "Which stored pages are read again")
          .String("prefix", &ReparseOptions::prefix, "only pages whose URL begins like this", "URL")
          .Bool("all", &ReparseOptions::all, "every stored page, also those that were read as they would be now")
          .Bool("dry_run", &ReparseOptions::dry_run,
                "say what the rules that are given (--urls.…) would let in and leave out, and change nothing")
          .Int("pages", &ReparseOptions::pages,
               "trawl crawl and trawl round read at most N pages again in a round, after urls.* or the parser changed; "
               "0: none. trawl reparse reads all at once",
               AtLeast(0))
          .AllMain();
  return group;
}

namespace {

constexpr char kChoice[] = "choice";
constexpr auto kColumns = Columns<UrlRow>(
    {"key",          "state",        "outcome",   "depth",         "score",       "parser",     "read_policy",
     "body_segment", "body_file",    "body_row",  "parse_segment", "parse_file",  "parse_row",  "spelling",
     "kind",         "content_type", "truncated", "fetched_ms",    "body_digest", "shares_body"});

// Stretches of a file go to different reducers, or one large file would keep one of them alone busy.
uint64_t StretchOf(const UrlRow& row) {
  constexpr int64_t kStretchRows = 512;
  return Hash64(row.body_segment + '/' + row.body_file + '/' + std::to_string(row.body_row / kStretchRows));
}

Result<ReadChoice> ChoiceOfPlan(const Plan& plan) {
  ARROW_ASSIGN_OR_RAISE(const Json* json, GetObject(plan.facts, kChoice));
  return ReadChoiceFromJson(*json);
}

Status MapUrls(TaskContext& context, const Json& part, RowSink& sink) {
  ARROW_ASSIGN_OR_RAISE(const ReadChoice choice, ChoiceOfPlan(context.plan()));
  ARROW_ASSIGN_OR_RAISE(const auto urls, Table::Open<UrlRow>(context.store(), context.snapshot()));
  ScanOptions scan = choice.Scan(kColumns.Flags());
  if (!choice.keys) {
    ARROW_ASSIGN_OR_RAISE(scan.slots, SlotsOfPart(part));
  }
  std::string bytes;
  int64_t rows = 0;
  return ForEachRow<UrlRow>(urls, scan, [&](const UrlRow& row) -> Status {
    if (++rows % 4096 == 0) ARROW_RETURN_NOT_OK(context.CheckStop());
    if (!choice.Takes(row)) return Status::OK();
    EncodeRow(row, &bytes);
    const uint64_t partition = StretchOf(row) % static_cast<uint64_t>(sink.partitions());
    return sink.EmitTo(static_cast<int>(partition), ReadingKey(row) + row.key, bytes);
  });
}

// Reads the pages of one partition, which come by the place of their bodies.
class PagesAgain {
 public:
  PagesAgain(TaskContext* context, BodyReader* reader)
      : context_(*context), reader_(*reader), stored_(context->store()), past_(context->store()) {}

  Status Add(const UrlRow& row) {
    ARROW_ASSIGN_OR_RAISE(const bool has_body, ReadBody(row));
    if (!has_body) {
      ++context_.counters()["bodies_gone"];
      return Status::OK();
    }
    // As the crawl knows the page today, so that its links are as deep as they would be by a fetch of today.
    body_.depth = row.depth;
    body_.score = row.score;
    body_.first_parse = row.parser == 0;
    ARROW_RETURN_NOT_OK(ReadPast(row));
    return reader_.Read(body_, [this](ParsedPage* page) {
      CountInlinks(page);
      return Status::OK();
    });
  }

 private:
  Result<bool> ReadBody(const UrlRow& row) {
    ARROW_ASSIGN_OR_RAISE(const bool is_stored, stored_.Has(row.body_segment, row.body_file));
    if (!is_stored) return false;
    if (segment_ != row.body_segment) {
      ARROW_ASSIGN_OR_RAISE(const auto fetched, ReadStep(context_.store(), row.body_segment, kFetchStep));
      if (!fetched) return false;
      segment_ = row.body_segment;
      bodies_ = std::make_unique<DatasetRows<ContentRow>>(context_.store(), segment_, ContentRow::kTable,
                                                          fetched->FilesOf(ContentRow::kTable), ContentRow::kBatchRows);
    }
    const Status read = bodies_->Read(row.body_file, row.body_row, &body_);
    if (read.IsIndexError()) return false;
    ARROW_RETURN_NOT_OK(read);
    if (!IsBodyOf(row, body_)) return false;
    TakeFactsOf(row, &body_);
    return true;
  }

  // The links that the page had when it was read last.
  Status ReadPast(const UrlRow& row) {
    had_.clear();
    was_read_ = row.parser != 0;
    has_past_ = false;
    if (!was_read_) return Status::OK();
    ARROW_ASSIGN_OR_RAISE(has_past_, past_.Find(row, &past_row_));
    if (!has_past_) return Status::OK();
    ARROW_ASSIGN_OR_RAISE(const std::vector<LinkRow> links, past_.Links(past_row_));
    for (const LinkRow& link : links) {
      if (link.enters) had_.insert(link.to);
    }
    return Status::OK();
  }

  // A link counts as an inlink once: here only where the last reading did not let it enter. Where that reading is lost
  // nothing counts.
  void CountInlinks(ParsedPage* page) const {
    if (!was_read_) return;
    for (LinkRow& link : page->links) {
      // An entry of a sitemap, which has depth 0, is no inlink.
      link.counts = link.enters && link.depth > 0 && has_past_ && !had_.contains(link.to);
    }
  }

  TaskContext& context_;
  BodyReader& reader_;
  StoredBodies stored_;
  std::string segment_;
  std::unique_ptr<DatasetRows<ContentRow>> bodies_;
  ContentRow body_;
  NewestPages past_;
  ParseRow past_row_;
  bool was_read_ = false;
  bool has_past_ = false;
  std::unordered_set<std::string> had_;
};

Status ReducePages(HugeBodies& huge_bodies, TaskContext& context, GroupStream& groups) {
  ARROW_ASSIGN_OR_RAISE(const auto reader, BodyReader::Open(&context, &huge_bodies));
  PagesAgain pages(&context, reader.get());
  UrlRow row;
  std::string_view value;
  while (true) {
    ARROW_ASSIGN_OR_RAISE(const bool more, groups.NextGroup());
    if (!more) break;
    while (true) {
      ARROW_ASSIGN_OR_RAISE(const bool has_value, groups.NextValue(&value));
      if (!has_value) break;
      ARROW_RETURN_NOT_OK(DecodeRow(value, &row));
      ARROW_RETURN_NOT_OK(pages.Add(row));
    }
  }
  reader->Finish();
  return Status::OK();
}

// The id of a segment that follows from what is read: the same command makes the same one.
std::string SegmentIdOf(const ReadingRequest& request, int64_t snapshot, const ReadPolicy& policy) {
  if (!request.segment.empty() && !request.is_trial) return request.segment;
  const std::string what =
      policy.Text() + (request.all ? " all " : " ") + std::to_string(request.most) + " " + request.prefix;
  const std::string hash = ToHex(Hash64(what));
  return (request.is_trial ? "trial-" : "reparse-") + std::to_string(snapshot) + "-" + hash.substr(0, 8);
}

Result<ReadChoice> ChoiceOf(const ReadingRequest& request, const Manifest& present, const ReadPolicy& policy) {
  ReadChoice choice = {.policy = policy, .all = request.all, .keys = {}, .until = ""};
  if (request.prefix.empty()) return choice;
  ARROW_ASSIGN_OR_RAISE(const NormalForm form, NormalFormOf(present.normal_form));
  ARROW_ASSIGN_OR_RAISE(choice.keys, KeysOfPrefix(request.prefix, form));
  return choice;
}

int64_t RowsOf(const Manifest& manifest) {
  int64_t rows = 0;
  const auto urls = manifest.tables.find(UrlRow::kTable);
  if (urls == manifest.tables.end()) return 0;
  for (const RunReference& run : urls->second) rows += run.rows;
  return rows;
}

Status PlanReading(const JobEnvironment& environment, const ReadingRequest& request, const Manifest& present,
                   ReadingPlan* planned, Plan* plan) {
  Store* const store = environment.store;
  *planned = {};
  ARROW_ASSIGN_OR_RAISE(const ReadPolicy policy, ReadPolicyOfOptions(plan->options));
  ARROW_ASSIGN_OR_RAISE(ReadChoice choice, ChoiceOf(request, present, policy));
  const bool is_whole = request.prefix.empty() && !request.all;
  ARROW_ASSIGN_OR_RAISE(const ReadingStanding standing, ReadReadingStanding(store, present));
  const bool is_current = standing.to_read && (standing.policy.empty() || standing.policy == policy.Text());
  if (request.asks_documents && is_whole && is_current && *standing.to_read == 0) return Status::OK();
  // Where the number of all is known, the scan may end with the last one that is read now.
  ARROW_ASSIGN_OR_RAISE(const ToRead found, FindToRead(store, present, choice, request.most,
                                                       /*counts_left=*/!is_current, environment.stop));
  planned->gone = found.gone;
  if (request.prefix.empty()) {
    planned->left = found.is_all ? found.left : std::max<int64_t>(is_current ? *standing.to_read - found.pages : 0, 1);
  }
  planned->has_pages = found.pages > 0;
  const bool is_noted = is_current && *standing.to_read == 0;
  // What is left to do without a page: to note that all is read under the present rules.
  if (!planned->has_pages && (!is_whole || is_noted)) return Status::OK();
  planned->segment = SegmentIdOf(request, present.number, policy);
  plan->facts["segment"] = planned->segment;
  if (!planned->has_pages) return Status::OK();
  ARROW_ASSIGN_OR_RAISE(const auto parsed, ReadStep(store, planned->segment, kParseStep));
  planned->was_parsed = parsed.has_value();
  if (planned->was_parsed) return Status::OK();
  choice.until = found.last;
  plan->facts[kChoice] = ToJson(choice);
  ARROW_RETURN_NOT_OK(PlanScope(store, plan));
  ARROW_RETURN_NOT_OK(PlanLearnedRules(store, present, plan));
  ARROW_ASSIGN_OR_RAISE(const JobOptions job, JobOptionGroup().Read(plan->options));
  constexpr int kMostMaps = 1024;
  constexpr int64_t kRowsAMap = 500'000;
  constexpr int64_t kPageBytes = 64 << 10;
  const auto maps = static_cast<int>(std::clamp<int64_t>(RowsOf(present) / kRowsAMap, 1, kMostMaps));
  plan->parts = EvenSlotParts(choice.keys ? 1 : maps);
  plan->partitions = PartitionsFor(job, found.pages * kPageBytes);
  plan->work.bytes = found.pages * kPageBytes + BytesOfTables(present, {UrlRow::kTable});
  return Status::OK();
}

}  // namespace

JobSpec ReparseSpec() {
  // Shared by the tasks that run in this process.
  const auto huge_bodies = std::make_shared<HugeBodies>();
  const auto reduce = [huge_bodies](TaskContext& context, GroupStream& groups) {
    return ReducePages(*huge_bodies, context, groups);
  };
  return {.name = "reparse", .map = MapUrls, .reduce = reduce};
}

JobRequest ReparseRequest(const ReadingRequest& request, ReadingPlan* planned) {
  JobRequest job;
  job.spec = ReparseSpec();
  job.commit = Commit::kStepRecord;
  job.step = kParseStep;
  job.plan = [request, planned](const JobEnvironment& environment, const Snapshot& base, Plan* plan) {
    return PlanReading(environment, request, base.manifest, planned, plan);
  };
  return job;
}

OptionTexts ReparseOptionTexts() {
  OptionTexts texts = ParseOptionGroup().Print({});
  texts.merge(ScopeOptionGroup().Print({}));
  texts.merge(FetchOptionGroup().Print({}));
  texts.merge(SettleOptionGroup().Print({}));
  texts.merge(JobOptionGroup().Print({}));
  return texts;
}

Result<Reading> ReadAgain(Store* store, const OptionTexts& options, const ReadingRequest& request,
                          const StopToken& stop, const RunJobHere& run) {
  ARROW_RETURN_NOT_OK(stop.Check());
  Reading reading;
  if (!request.segment.empty()) {
    ARROW_ASSIGN_OR_RAISE(const Snapshot present, ReadPresent(store));
    const std::optional<Segment> there = FindSegment(present.manifest, request.segment);
    if (there && !there->is_reading()) {
      return UsageError("segment ", request.segment, " is one of trawl generate; give another --segment ID");
    }
    if (there) {
      reading.segment = request.segment;
      reading.snapshot = present.manifest.number;
      return reading;
    }
  }
  ReadingPlan planned;
  ARROW_ASSIGN_OR_RAISE(const JobResult parsed, run(ReparseRequest(request, &planned)));
  reading.snapshot = parsed.snapshot;
  reading.left = planned.left;
  reading.gone = planned.gone;
  if (planned.segment.empty()) return reading;
  if (planned.has_pages) reading.segment = planned.segment;
  ARROW_ASSIGN_OR_RAISE(const JobOptions job, JobOptionGroup().Read(options));
  const ReadingAgain again = {
      .segment = planned.segment, .has_parse = planned.has_pages, .left = planned.left, .gone = planned.gone};
  ARROW_ASSIGN_OR_RAISE(const JobResult applied, run(ApplyReadingRequest(store, again, job)));
  reading.changed = applied.changed;
  reading.snapshot = applied.snapshot;
  if (planned.has_pages) {
    ARROW_ASSIGN_OR_RAISE(const auto record, ReadStep(store, planned.segment, kParseStep));
    if (!record) return Status::IOError("segment ", planned.segment, " was read and its record is not there");
    ARROW_ASSIGN_OR_RAISE(reading.counters, CountersFromJson(record->counters));
  }
  reading.pages = reading.counters.Get("pages");
  reading.failed = reading.counters.Get("failed");
  reading.links = reading.counters.Get("links");
  reading.gone += reading.counters.Get("bodies_gone");
  reading.counters.Merge(applied.output.counters);
  reading.urls_new = applied.output.counters.Get("urls_new");
  reading.late = applied.output.counters.Get("late");
  ARROW_ASSIGN_OR_RAISE(const Snapshot present, ReadPresent(store));
  ARROW_ASSIGN_OR_RAISE(const ReadingStanding standing, ReadReadingStanding(store, present.manifest));
  reading.left = standing.to_read;
  return reading;
}

}  // namespace trawl
