// The third job of trawl settle.
//
//   reads        the verdicts of the first two jobs; urls: the rows that changed since the last settle, and those that it
//                rewrites; where near ones are duplicates, digests
//   shuffles by  slot and key of a page
//   writes       urls: a row for each page whose state, pointers or place of its body changed; patterns
//   counters     urls, the rows written; of these exact and near, pages with another pointer than before; cleared, pages
//                that stand for themselves again; shared, bodies that are pointed to instead, and bytes_saved by it
#include "jobs/settle/verdicts_job.h"

#include <cstring>
#include <memory>
#include <optional>
#include <string>

#include "formats/rows/settle_rows.h"
#include "jobs/policy/settle_options.h"
#include "jobs/segment/stored_bodies.h"
#include "jobs/settle/changed_urls.h"
#include "jobs/settle/content_rows.h"
#include "jobs/settle/representative.h"
#include "jobs/settle/settled_row.h"
#include "jobs/stats/totals.h"
#include "jobs/yields/bare_urls.h"
#include "jobs/yields/pattern_updates.h"
#include "runtime/job/run_facts.h"
#include "runtime/job/slot_parts.h"
#include "runtime/tables/known_rows.h"
#include "runtime/tables/merge_scan.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr char kAll[] = "all";
constexpr char kExact[] = "exact_verdicts";
constexpr char kNear[] = "near_verdicts";
constexpr char kDigests[] = "digests";
// What a part reads.
constexpr char kPart[] = "of";
constexpr char kNews[] = "news";      // urls that changed
constexpr char kRows[] = "pointers";  // all urls

// The first byte of a value.
enum class SettleTag : char { kVerdict = 'V', kClear = 'C', kYield = 'Y', kLinks = 'L', kMissing = 'M' };

std::string Tagged(SettleTag tag, std::string_view bytes) {
  return std::string(1, static_cast<char>(tag)).append(bytes);
}

// -- map --------------------------------------------------------------------------------------------------------------

Status SendVerdict(const VerdictRow& verdict, RowSink& sink) {
  std::string bytes;
  EncodeRow(verdict, &bytes);
  return sink.Emit(ContentPlaceOf(verdict.key).page, Tagged(SettleTag::kVerdict, bytes));
}

// Where near ones are duplicates, what is near holds for all pages of a content. One thread.
class NearPages {
 public:
  static Result<std::unique_ptr<NearPages>> Open(const TaskContext& context, const SlotRange& slots) {
    std::vector<RunReference> runs;
    const auto digests = context.snapshot().tables.find(DigestRow::kTable);
    if (!HasMember(context.plan().facts, kAll) && digests != context.snapshot().tables.end()) runs = digests->second;
    ARROW_ASSIGN_OR_RAISE(const auto made, RunsFromFact(context.plan().facts, kDigests));
    runs.insert(runs.end(), made.begin(), made.end());
    ARROW_ASSIGN_OR_RAISE(const auto table, Table::OpenRuns<DigestRow>(context.store(), runs));
    auto pages = std::make_unique<NearPages>();
    ARROW_ASSIGN_OR_RAISE(pages->rows_,
                          ContentRows::Open(table, slots, Columns<DigestRow>({"key", "representative"}).Flags()));
    return pages;
  }

  // REQUIRES: contents come in the order of their keys.
  Status Send(const VerdictRow& verdict, RowSink& sink) {
    const std::string content(ContentPlaceOf(verdict.key).content);
    ARROW_RETURN_NOT_OK(rows_->GoTo(content));
    std::string representative;
    while (true) {
      ARROW_ASSIGN_OR_RAISE(const bool more, rows_->Next(&row_));
      if (!more) return Status::OK();
      const bool is_head = ContentPlaceOf(row_.key).page.empty();
      if (is_head) representative = row_.representative;
      VerdictRow one = {.key = is_head ? row_.key + representative : row_.key,
                        .is_exact = true,
                        .is_near = true,
                        .near_duplicate_of = verdict.near_duplicate_of,
                        .distance = verdict.distance};
      if (verdict.near_duplicate_of.empty() && !is_head) one.duplicate_of = representative;
      ARROW_RETURN_NOT_OK(SendVerdict(one, sink));
    }
  }

 private:
  std::unique_ptr<ContentRows> rows_;
  DigestRow row_;
};

Status MapVerdicts(TaskContext& context, const char* fact, const SlotRange& slots, RowSink& sink) {
  ARROW_ASSIGN_OR_RAISE(const SettleOptions settle, context.Read(SettleOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const auto table, OpenRunsOfFact<VerdictRow>(context, fact));
  std::unique_ptr<NearPages> all_pages;
  if (fact == kNear && settle.near_policy == NearPolicy::kDuplicate) {
    ARROW_ASSIGN_OR_RAISE(all_pages, NearPages::Open(context, slots));
  }
  int64_t rows = 0;
  return ForEachRow<VerdictRow>(table, {.slots = slots}, [&](const VerdictRow& verdict) -> Status {
    if (++rows % 4096 == 0) ARROW_RETURN_NOT_OK(context.CheckStop());
    return all_pages ? all_pages->Send(verdict, sink) : SendVerdict(verdict, sink);
  });
}

// A page that was fetched since the last settle, and what is news of it.
Status SendYield(const ChangedUrl& url, RowSink& sink) {
  const bool was_fetched =
      url.now.fetched_ms > 0 && (url.before == nullptr || url.before->fetched_ms < url.now.fetched_ms);
  if (!was_fetched || !TakesPart(url.now) || url.now.state == UrlState::kFailing) return Status::OK();
  const bool is_fresh = url.before == nullptr || url.before->content_digest != url.now.content_digest;
  const bool is_first = url.before == nullptr || url.before->content_digest.empty();
  UrlRow yield = {.is_seed = is_fresh, .fetched_ms = url.now.fetched_ms, .fixed_score = is_first};
  yield.content_digest = url.now.content_digest;
  yield.simhash = url.now.simhash;
  yield.duplicate_of = url.now.duplicate_of;
  yield.near_duplicate_of = url.now.near_duplicate_of;
  std::string bytes;
  EncodeRow(yield, &bytes);
  return sink.Emit(url.now.key, Tagged(SettleTag::kYield, bytes));
}

// Sums up the URLs that came by links of one page while they follow each other.
class NewLinks {
 public:
  explicit NewLinks(RowSink* sink) : sink_(*sink) {}
  Status Add(const std::string& via) {
    if (via != via_) {
      ARROW_RETURN_NOT_OK(Finish());
      via_ = via;
    }
    ++links_;
    return Status::OK();
  }
  Status Finish() {
    if (links_ == 0) return Status::OK();
    const std::string_view number(reinterpret_cast<const char*>(&links_), sizeof links_);
    ARROW_RETURN_NOT_OK(sink_.Emit(via_, Tagged(SettleTag::kLinks, number)));
    links_ = 0;
    return Status::OK();
  }

 private:
  RowSink& sink_;
  std::string via_;
  int64_t links_ = 0;
};

bool IsPointed(const UrlRow& row) { return !row.duplicate_of.empty() || !row.near_duplicate_of.empty(); }
bool IsSettled(const UrlRow& row) { return IsPointed(row) || row.state == UrlState::kDuplicate; }

Status MapNews(TaskContext& context, const SlotRange& slots, RowSink& sink) {
  NewLinks links(&sink);
  const bool learns = HasMember(context.plan().facts, kLearnsParameters);
  const auto send = [&](const ChangedUrl& url) -> Status {
    if (url.now.removed) return Status::OK();
    if (IsSettled(url.now) && !TakesPart(url.now)) {
      ARROW_RETURN_NOT_OK(sink.Emit(url.now.key, Tagged(SettleTag::kClear, "")));
    }
    ARROW_RETURN_NOT_OK(SendYield(url, sink));
    const bool is_missing = learns && url.now.kind == UrlKind::kPage && IsMissing(url.now);
    if (is_missing) ARROW_RETURN_NOT_OK(sink.Emit(url.now.key, Tagged(SettleTag::kMissing, "")));
    const bool came_by_link = !url.was_known && !url.now.via.empty() && url.now.kind == UrlKind::kPage;
    return came_by_link ? links.Add(url.now.via) : Status::OK();
  };
  ARROW_RETURN_NOT_OK(ForEachChangedUrl(context, SettledRunsOf(context.snapshot()), slots, send));
  return links.Finish();
}

// Every page that was settled, where all is decided anew: what no verdict confirms goes.
Status MapPointers(TaskContext& context, const SlotRange& slots, RowSink& sink) {
  ARROW_ASSIGN_OR_RAISE(const auto urls, Table::Open<UrlRow>(context.store(), context.snapshot()));
  const auto columns = Columns<UrlRow>({"key", "state", "duplicate_of", "near_duplicate_of"});
  int64_t rows = 0;
  return ForEachRow<UrlRow>(urls, {.slots = slots, .wanted = columns.Flags()}, [&](const UrlRow& row) -> Status {
    if (++rows % 4096 == 0) ARROW_RETURN_NOT_OK(context.CheckStop());
    if (!IsSettled(row)) return Status::OK();
    return sink.Emit(row.key, Tagged(SettleTag::kClear, ""));
  });
}

Status MapPart(TaskContext& context, const Json& part, RowSink& sink) {
  ARROW_ASSIGN_OR_RAISE(const SlotRange slots, SlotsOfPart(part));
  ARROW_ASSIGN_OR_RAISE(const std::string of, GetString(part, kPart));
  if (of == kNews) return MapNews(context, slots, sink);
  if (of == kRows) return MapPointers(context, slots, sink);
  return MapVerdicts(context, of == kExact ? kExact : kNear, slots, sink);
}

// -- reduce -----------------------------------------------------------------------------------------------------------

class PageVerdicts {
 public:
  PageVerdicts(TaskContext* context, const JobOptions& job, const SettleOptions& settle,
               const std::shared_ptr<const Table>& urls, std::unique_ptr<PatternUpdates> patterns)
      : counters_(context->counters()),
        settle_(settle),
        urls_(urls),
        bodies_(context->store()),
        run_(context->OpenRun<UrlRow>(FileOptions(job))),
        patterns_(std::move(patterns)) {}

  Status Reduce(RowPlace place, GroupStream& groups) {
    ARROW_RETURN_NOT_OK(patterns_->GoTo(place));
    ARROW_RETURN_NOT_OK(ReadGroup(groups));
    if (has_verdict_ || settlement_.clears) ARROW_RETURN_NOT_OK(Settle(place));
    if (yield_) {
      const bool is_pointed = IsPointed(*yield_);
      ARROW_RETURN_NOT_OK(patterns_->AddPage({.key = place.key,
                                              .fetched_ms = yield_->fetched_ms,
                                              .is_fresh = yield_->is_seed && !is_pointed,
                                              .is_duplicate = !yield_->duplicate_of.empty(),
                                              .is_near = !yield_->near_duplicate_of.empty(),
                                              .is_first = yield_->fixed_score,
                                              .simhash = yield_->simhash,
                                              .content_digest = yield_->content_digest}));
    }
    if (is_missing_) ARROW_RETURN_NOT_OK(patterns_->AddMissing(place.key));
    return links_ > 0 ? patterns_->AddLinks(place.key, links_) : Status::OK();
  }

  Status Finish(Json* facts) {
    tally_.Report(facts);
    return patterns_->Finish();
  }

 private:
  Status ReadGroup(GroupStream& groups) {
    settlement_.Clear();
    verdicts_.clear();
    has_verdict_ = false;
    yield_.reset();
    is_missing_ = false;
    links_ = 0;
    std::string_view value;
    while (true) {
      ARROW_ASSIGN_OR_RAISE(const bool more, groups.NextValue(&value));
      if (!more) return Status::OK();
      if (value.empty()) return Status::Invalid("a value of a page without bytes");
      const std::string_view bytes = value.substr(1);
      switch (static_cast<SettleTag>(value[0])) {
        case SettleTag::kVerdict:
          has_verdict_ = true;
          ARROW_RETURN_NOT_OK(DecodeRow(bytes, &verdicts_.emplace_back()));
          break;
        case SettleTag::kClear:
          settlement_.clears = true;
          break;
        case SettleTag::kYield:
          ARROW_RETURN_NOT_OK(DecodeRow(bytes, &yield_.emplace()));
          break;
        case SettleTag::kMissing:
          is_missing_ = true;
          break;
        case SettleTag::kLinks: {
          int64_t links = 0;
          if (bytes.size() != sizeof links) return Status::Invalid("a number of links of ", bytes.size(), " bytes");
          std::memcpy(&links, bytes.data(), sizeof links);
          links_ += links;
          break;
        }
        default:
          return Status::Invalid("a value of no kind that settle has");
      }
    }
  }

  Status Settle(RowPlace place) {
    ARROW_ASSIGN_OR_RAISE(const bool found, urls_.Find(place, &row_));
    if (!found) return Status::OK();
    const std::string content = TakesPart(row_) ? ContentOfPage(row_) : "";
    for (const VerdictRow& verdict : verdicts_) {
      if (ContentPlaceOf(verdict.key).content == content) settlement_.Add(verdict);
    }
    before_ = row_;
    ApplySettlement(settlement_, settle_.near_policy, &row_);
    ARROW_RETURN_NOT_OK(TakeBody());
    if (yield_) {
      yield_->duplicate_of = row_.duplicate_of;
      yield_->near_duplicate_of = row_.near_duplicate_of;
    }
    if (row_ == before_) return Status::OK();
    Count();
    tally_.Replace(before_, row_);
    return run_->Append(row_);
  }

  // Not where gc has removed that body since.
  Status TakeBody() {
    const Settlement& taken = settlement_;
    const bool is_there =
        row_.body_segment == taken.body_segment && row_.body_file == taken.body_file && row_.body_row == taken.body_row;
    if (taken.body_file.empty() || is_there) return Status::OK();
    ARROW_ASSIGN_OR_RAISE(const bool has_body, bodies_.Has(taken.body_segment, taken.body_file));
    if (!has_body) return Status::OK();
    if (!row_.shares_body) {
      ++counters_["shared"];
      counters_["bytes_saved"] += row_.bytes;
    }
    row_.body_segment = taken.body_segment;
    row_.body_file = taken.body_file;
    row_.body_row = taken.body_row;
    row_.shares_body = true;
    return Status::OK();
  }

  void Count() {
    ++counters_["urls"];
    if (!row_.duplicate_of.empty() && row_.duplicate_of != before_.duplicate_of) ++counters_["exact"];
    if (!row_.near_duplicate_of.empty() && row_.near_duplicate_of != before_.near_duplicate_of) ++counters_["near"];
    if (IsPointed(before_) && !IsPointed(row_)) ++counters_["cleared"];
  }

  Counters& counters_;
  const SettleOptions settle_;
  KnownRows<UrlRow> urls_;
  StoredBodies bodies_;
  RunWriter<UrlRow>* const run_;
  const std::unique_ptr<PatternUpdates> patterns_;
  UrlTally tally_;
  Settlement settlement_;
  std::vector<VerdictRow> verdicts_;  // a few of each page
  bool has_verdict_ = false;
  std::optional<UrlRow> yield_;
  bool is_missing_ = false;
  int64_t links_ = 0;
  UrlRow row_, before_;
};

Status ReducePages(TaskContext& context, GroupStream& groups) {
  ARROW_ASSIGN_OR_RAISE(const JobOptions job, context.Read(JobOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const SettleOptions settle, context.Read(SettleOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const auto urls, Table::Open<UrlRow>(context.store(), context.snapshot()));
  ARROW_ASSIGN_OR_RAISE(auto patterns, PatternUpdates::Open(context));
  PageVerdicts pages(&context, job, settle, urls, std::move(patterns));
  for (int64_t keys = 1;; ++keys) {
    ARROW_ASSIGN_OR_RAISE(const bool more, groups.NextGroup());
    if (!more) return pages.Finish(&context.facts());
    if (keys % 1024 == 0) ARROW_RETURN_NOT_OK(context.CheckStop());
    ARROW_RETURN_NOT_OK(pages.Reduce(PlaceOfShuffleKey(groups.key()), groups));
  }
}

int64_t RowsOf(const std::vector<RunReference>& runs) {
  int64_t rows = 0;
  for (const RunReference& run : runs) rows += run.rows;
  return rows;
}

}  // namespace

JobSpec SettleVerdictsSpec() { return {.name = kSettleJob, .map = MapPart, .reduce = ReducePages}; }

Status PlanVerdicts(const Manifest& snapshot, const SettleRuns& runs, const JobOptions& job, int threads, Plan* plan) {
  if (runs.all) plan->facts[kAll] = true;
  plan->facts[kExact] = RunsToFact(runs.exact_verdicts);
  plan->facts[kNear] = RunsToFact(runs.near_verdicts);
  plan->facts[kDigests] = RunsToFact(runs.digests);
  const auto add = [threads, plan](const char* of, int64_t rows) {
    for (Json& part : SlotParts(rows, threads)) {
      part[kPart] = of;
      plan->parts.push_back(std::move(part));
    }
  };
  const SettledRuns urls = SettledRunsOf(snapshot);
  const int64_t exact = RowsOf(runs.exact_verdicts), near = RowsOf(runs.near_verdicts), news = RowsOf(urls.news);
  add(kNews, news);
  if (exact > 0) add(kExact, exact);
  if (near > 0) add(kNear, near);
  if (runs.all) add(kRows, news + RowsOf(urls.settled));
  constexpr int64_t kRecordBytes = 300;
  plan->partitions = PartitionsFor(job, (exact + near + news) * kRecordBytes);
  return Status::OK();
}

}  // namespace trawl
