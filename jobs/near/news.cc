// The first of the two jobs that settle near texts.
//
//   reads        settle_contents and fingerprints, by ranges of slots
//   shuffles by  slot and key of a content
//   writes       settle_contents, fingerprints, settle_verdicts: for the second job alone
//   counters     none
#include "jobs/near/news.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "formats/rows/settle_rows.h"
#include "formats/rows/some_columns.h"
#include "formats/url/key.h"
#include "jobs/near/rows.h"
#include "jobs/policy/settle_options.h"
#include "runtime/job/run_facts.h"
#include "runtime/job/slot_parts.h"
#include "runtime/tables/known_rows.h"
#include "runtime/tables/merge_scan.h"
#include "runtime/tables/row_walk.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// The first byte of a value that is sent to a content. After kNews comes a SettledContentRow, after the others a
// FingerprintRow.
enum class NewsTag : char {
  kNews = 'X',      // of the content itself
  kStanding = 'O',  // as the table has it
  kLost = 'L',      // the same, of a content whose other left
  kMoved = 'M',     // the same, of a content whose other has another page: kPage follows
  kPage = 'P',      // the page of its other now
  kOldPage = 'p',   // the page of its other as the table has it
};

// Whether the text is compared as before.
bool HaveSamePrints(const SettledContentRow& now, const FingerprintRow& old) {
  return now.simhash == old.simhash && now.text_sketch == old.text_sketch;
}

// Sends what the news of contents means, content by content in the order of the table.
class News {
 public:
  News(std::shared_ptr<const Table> fingerprints, SlotRange slots, RowSink* sink)
      : table_(std::move(fingerprints)), slots_(slots), sink_(sink), standings_(table_) {}

  Status Add(const SettledContentRow& row) {
    const RowPlace place = {SlotOfKey(row.key), row.key};
    ARROW_RETURN_NOT_OK(Send(row.key, NewsTag::kNews, row));
    ARROW_ASSIGN_OR_RAISE(const bool is_known, standings_.Find(place, &old_));
    if (!is_known) return Status::OK();
    ARROW_RETURN_NOT_OK(Send(row.key, NewsTag::kStanding, old_));
    const bool leaves = row.is_gone || !HaveSamePrints(row, old_);
    if (Stands(old_)) return leaves || row.page != old_.page ? TellNear(place, leaves, row.page) : Status::OK();
    if (leaves) return Status::OK();
    asking_.emplace_back(StandingKey(old_.content), row.key);
    return asking_.size() < kMostAsking ? Status::OK() : AnswerAsking();
  }
  Status Finish() { return AnswerAsking(); }

 private:
  static constexpr size_t kMostAsking = 50'000;

  template <typename Row>
  Status Send(std::string_view key, NewsTag tag, const Row& row) {
    EncodeRow(row, &bytes_);
    value_.assign(1, static_cast<char>(tag)).append(bytes_);
    return sink_->Emit(key, value_);
  }

  // Tells the contents that are near one that leaves, or has another page now.
  Status TellNear(RowPlace place, bool leaves, const std::string& page) {
    if (!walk_) {
      ARROW_ASSIGN_OR_RAISE(walk_, RowWalk::Open(table_, {.slots = {place.slot, slots_.end}}));
    }
    ARROW_RETURN_NOT_OK(walk_->SeekTo(place));
    for (; !walk_->at_end() && walk_->key().starts_with(place.key);) {
      if (walk_->key().size() > place.key.size()) {
        walk_->Read(&near_);
        const FingerprintRow standing = StandingOfNear(near_);
        ARROW_RETURN_NOT_OK(Send(standing.key, leaves ? NewsTag::kLost : NewsTag::kMoved, standing));
        if (!leaves) ARROW_RETURN_NOT_OK(Send(standing.key, NewsTag::kPage, FingerprintRow{.page = page}));
      }
      ARROW_RETURN_NOT_OK(walk_->Next());
    }
    return Status::OK();
  }

  // Tells contents that stay near another the page of that one.
  Status AnswerAsking() {
    const auto place = [](const std::string& key) { return RowPlace{SlotOfKey(key), key}; };
    std::sort(asking_.begin(), asking_.end(),
              [&place](const auto& a, const auto& b) { return place(a.first) < place(b.first); });
    KnownRows<FingerprintRow> others(table_, Columns<FingerprintRow>({"key", "page"}).Flags());
    for (const auto& [other, content] : std::exchange(asking_, {})) {
      ARROW_ASSIGN_OR_RAISE(const bool is_there, others.Find(place(other), &near_));
      if (is_there) ARROW_RETURN_NOT_OK(Send(content, NewsTag::kOldPage, FingerprintRow{.page = near_.page}));
    }
    return Status::OK();
  }

  const std::shared_ptr<const Table> table_;
  const SlotRange slots_;
  RowSink* const sink_;
  KnownRows<FingerprintRow> standings_;
  std::optional<RowWalk> walk_;
  std::vector<std::pair<std::string, std::string>> asking_;  // keys: of the other, of the content
  FingerprintRow old_, near_;
  std::string bytes_, value_;
};

Status MapContents(TaskContext& context, const Json& part, RowSink& sink) {
  ARROW_ASSIGN_OR_RAISE(const SlotRange slots, SlotsOfPart(part));
  ARROW_ASSIGN_OR_RAISE(const auto contents, OpenRunsOfFact<SettledContentRow>(context, "contents"));
  ARROW_ASSIGN_OR_RAISE(auto fingerprints, Table::Open<FingerprintRow>(context.store(), context.snapshot()));
  News news(std::move(fingerprints), slots, &sink);
  int64_t rows = 0;
  ARROW_RETURN_NOT_OK(ForEachRow<SettledContentRow>(contents, {.slots = slots}, [&](const SettledContentRow& row) {
    if (++rows % 1024 == 0) ARROW_RETURN_NOT_OK(context.CheckStop());
    return news.Add(row);
  }));
  return news.Finish();
}

// All that was sent to one content.
struct ContentNews {
  std::optional<SettledContentRow> now;
  std::optional<FingerprintRow> old;
  std::optional<std::string> page_of_other;
  bool is_lost = false;

  Status Add(std::string_view value) {
    const auto tag = static_cast<NewsTag>(value.empty() ? '\0' : value.front());
    if (tag == NewsTag::kNews) return DecodeRow(value.substr(1), &now.emplace());
    FingerprintRow row;
    ARROW_RETURN_NOT_OK(DecodeRow(value.substr(std::min<size_t>(value.size(), 1)), &row));
    if (tag == NewsTag::kPage || (tag == NewsTag::kOldPage && !page_of_other)) {
      page_of_other = row.page;
    } else if (tag != NewsTag::kOldPage) {
      is_lost = is_lost || tag == NewsTag::kLost;
      old = std::move(row);
    }
    return Status::OK();
  }
};

// Merge rules:
//  1. A content that is gone leaves.
//  2. One that is new, has another fingerprint or sketch, or whose other left (or cannot be found) is decided anew.
//  3. Any other keeps its standing. Where its own page or that of its other changed, pointers follow.
//  4. A page that no longer represents its content points nowhere. (With settle.near=duplicate the verdict on a content
//     holds for all of its pages.)
class NewsWriter {
 public:
  NewsWriter(TaskContext& context, const JobOptions& job, bool is_for_all_pages)
      : is_for_all_pages_(is_for_all_pages),
        contents_(context.OpenRun<SettledContentRow>(FileOptions(job))),
        standings_(context.OpenRun<FingerprintRow>(FileOptions(job))),
        verdicts_(context.OpenRun<VerdictRow>(FileOptions(job))) {}

  Status Write(std::string_view key, const ContentNews& news) {
    const bool is_gone = news.now && news.now->is_gone;
    if (!news.old) return is_gone || !news.now ? Status::OK() : contents_->Append(*news.now);
    SettledContentRow now = {.key = std::string(key),
                             .page = news.old->page,
                             .order = news.old->order,
                             .simhash = news.old->simhash,
                             .text_sketch = news.old->text_sketch};
    if (news.now) now = *news.now;
    const bool is_anew =
        is_gone || !HaveSamePrints(now, *news.old) || news.is_lost || (!Stands(*news.old) && !news.page_of_other);
    if (!is_gone && now.page != news.old->page) ARROW_RETURN_NOT_OK(FreeOldPage(*news.old, now, is_anew, news));
    return is_anew ? DecideAnew(*news.old, now) : Keep(*news.old, now, news);
  }

 private:
  Status DecideAnew(const FingerprintRow& old, const SettledContentRow& now) {
    FingerprintRow left = old;
    left.removed = true;
    ARROW_RETURN_NOT_OK(standings_->Append(left));
    return contents_->Append(now);
  }

  Status Keep(const FingerprintRow& old, const SettledContentRow& now, const ContentNews& news) {
    if (now.page == old.page) ARROW_RETURN_NOT_OK(verdicts_->Append(VerdictOf(old, now.page, news)));
    if (now.page == old.page && now.order == old.order) return Status::OK();
    FingerprintRow moved = old;
    moved.page = now.page;
    moved.order = now.order;
    return standings_->Append(moved);
  }

  VerdictRow VerdictOf(const FingerprintRow& standing, const std::string& page, const ContentNews& news) const {
    VerdictRow verdict = {.key = standing.key + page, .is_near = true};
    if (Stands(standing)) return verdict;
    verdict.near_duplicate_of = *news.page_of_other;
    verdict.distance = standing.distance;
    return verdict;
  }

  // Writes the verdicts on the old page and, unless the content is decided anew, on the new one, in order.
  Status FreeOldPage(const FingerprintRow& old, const SettledContentRow& now, bool is_anew, const ContentNews& news) {
    std::vector<VerdictRow> rows;
    if (!is_for_all_pages_) rows.push_back({.key = old.key + old.page, .is_near = true});
    if (!is_anew) rows.push_back(VerdictOf(old, now.page, news));
    std::sort(rows.begin(), rows.end(), [](const VerdictRow& a, const VerdictRow& b) { return a.key < b.key; });
    for (const VerdictRow& row : rows) ARROW_RETURN_NOT_OK(verdicts_->Append(row));
    return Status::OK();
  }

  const bool is_for_all_pages_;
  RunWriter<SettledContentRow>* const contents_;
  RunWriter<FingerprintRow>* const standings_;
  RunWriter<VerdictRow>* const verdicts_;
};

Status ReduceNews(TaskContext& context, GroupStream& groups) {
  ARROW_ASSIGN_OR_RAISE(const JobOptions job, context.Read(JobOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const SettleOptions settle, context.Read(SettleOptionGroup()));
  NewsWriter writer(context, job, settle.near_policy == NearPolicy::kDuplicate);
  std::string_view value;
  for (int64_t keys = 1;; ++keys) {
    ARROW_ASSIGN_OR_RAISE(const bool more, groups.NextGroup());
    if (!more) return Status::OK();
    if (keys % 1024 == 0) ARROW_RETURN_NOT_OK(context.CheckStop());
    ContentNews news;
    while (true) {
      ARROW_ASSIGN_OR_RAISE(const bool has_value, groups.NextValue(&value));
      if (!has_value) break;
      ARROW_RETURN_NOT_OK(news.Add(value));
    }
    ARROW_RETURN_NOT_OK(writer.Write(PlaceOfShuffleKey(groups.key()).key, news));
  }
}

}  // namespace

JobSpec NearNewsSpec() { return {.name = "settle_near_news", .map = MapContents, .reduce = ReduceNews}; }

JobRequest NearNewsRequest(int64_t snapshot, const RunReference& contents, const JobOptions& job, int threads) {
  JobRequest request;
  request.spec = NearNewsSpec();
  request.base_snapshot = snapshot;
  request.plan = [contents, job, threads](const JobEnvironment&, const Snapshot&, Plan* plan) {
    constexpr int64_t kRecordBytes = 600;  // of a content: its news, and its standing
    plan->facts["contents"] = RunsToFact({contents});
    plan->parts = job.partitions > 0 ? EvenSlotParts(job.partitions) : SlotParts(contents.rows, threads);
    plan->partitions = PartitionsFor(job, contents.rows * kRecordBytes);
    return Status::OK();
  };
  request.apply = [](const Plan&, const JobOutput&, Manifest*) -> Result<bool> { return false; };
  return request;
}

}  // namespace trawl
