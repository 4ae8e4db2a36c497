// The first job of trawl settle.
//
//   reads        urls: the rows that changed since the last settle, by ranges of slots, and the rows before them; digests
//   shuffles by  slot and key of a content and its page
//   writes       digests; settle_contents, contents that came, went or changed their page; settle_verdicts (contents.h)
//   counters     pages: that came, went or changed; contents of these; contents_changed, the rows of settle_contents;
//                groups_read, of which all pages were read
#include "jobs/settle/exact_job.h"

#include <filesystem>
#include <system_error>

#include "jobs/policy/settle_options.h"
#include "jobs/settle/changed_urls.h"
#include "jobs/settle/contents.h"
#include "runtime/job/slot_parts.h"
#include "runtime/options/global.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr char kAll[] = "all";

SettledRuns RunsToRead(const TaskContext& context) {
  SettledRuns runs = SettledRunsOf(context.snapshot());
  if (!HasMember(context.plan().facts, kAll)) return runs;
  runs.settled.insert(runs.settled.end(), runs.news.begin(), runs.news.end());
  return {.settled = {}, .news = std::move(runs.settled)};
}

// Sends what changed: a page comes to a content, or it leaves one.
class PageSender {
 public:
  PageSender(TaskContext* context, NearPolicy near_policy, RowSink* sink)
      : pages_(context->counters()["pages"]), near_policy_(near_policy), sink_(*sink) {}

  Status Send(const ChangedUrl& url) {
    const bool takes_part = TakesPart(url.now);
    const bool took_part = url.before != nullptr && TakesPart(*url.before);
    if (!takes_part && !took_part) return Status::OK();
    const bool stays = takes_part && took_part && url.now.content_digest == url.before->content_digest;
    if (stays && IsSame(*url.before, url.now)) return Status::OK();
    ++pages_;
    if (took_part && !stays) ARROW_RETURN_NOT_OK(SendLeave(*url.before));
    return takes_part ? SendCome(url, stays) : Status::OK();
  }

 private:
  static DigestRow RowOf(const UrlRow& url) {
    return {.key = ContentOfPage(url) + ")" + url.key,
            .order = OrderOfPage(url),
            .canonical_to = url.canonical_to,
            .simhash = url.simhash,
            .body_digest = url.body_digest,
            .body_segment = url.body_segment,
            .body_file = url.body_file,
            .body_row = url.body_row,
            .bytes = url.bytes,
            .text_sketch = url.text_sketch};
  }

  static bool IsPointed(const UrlRow& url) { return !url.duplicate_of.empty() || !url.near_duplicate_of.empty(); }

  // Whether the state says what the pointers say.
  bool IsSound(const UrlRow& url) const {
    const bool is_duplicate =
        !url.duplicate_of.empty() || (near_policy_ == NearPolicy::kDuplicate && !url.near_duplicate_of.empty());
    return url.state == UrlState::kFailing || is_duplicate == (url.state == UrlState::kDuplicate);
  }

  bool IsSame(const UrlRow& before, const UrlRow& now) const {
    return RowOf(before) == RowOf(now) && before.duplicate_of == now.duplicate_of &&
           before.near_duplicate_of == now.near_duplicate_of && before.shares_body == now.shares_body && IsSound(now);
  }

  Status SendLeave(const UrlRow& before) {
    Member member = {.leaves = true, .drops_vote = VoteOfPage(before.key, before.canonical_to).has_value()};
    member.row.key = ContentOfPage(before) + ")" + before.key;
    return Emit(member);
  }

  Status SendCome(const ChangedUrl& url, bool stays) {
    Member member = {.row = RowOf(url.now), .was_member = stays};
    member.has_verdict = IsPointed(url.now) || url.now.state == UrlState::kDuplicate;
    member.lost_near = stays && !url.before->near_duplicate_of.empty() && url.now.near_duplicate_of.empty();
    if (stays && url.before->canonical_to != url.now.canonical_to) {
      member.drops_vote = VoteOfPage(url.before->key, url.before->canonical_to).has_value();
    }
    // Where the row does not name its parse row, that one is found by the place of the body, which has to stay.
    if (url.now.parse_segment.empty()) member.row.body_digest.clear();
    return Emit(member);
  }

  Status Emit(const Member& member) {
    EncodeMember(member, &bytes_);
    return sink_.Emit(member.row.key, bytes_);
  }

  int64_t& pages_;
  const NearPolicy near_policy_;
  RowSink& sink_;
  std::string bytes_;
};

Status MapUrls(TaskContext& context, const Json& part, RowSink& sink) {
  ARROW_ASSIGN_OR_RAISE(const SlotRange slots, SlotsOfPart(part));
  ARROW_ASSIGN_OR_RAISE(const SettleOptions settle, context.Read(SettleOptionGroup()));
  PageSender sender(&context, settle.near_policy, &sink);
  return ForEachChangedUrl(context, RunsToRead(context), slots,
                           [&sender](const ChangedUrl& url) { return sender.Send(url); });
}

// Where a large group lies: the driver's folder, which another machine may lack.
std::string TempFolder(const GlobalOptions& global) {
  std::error_code ignored;
  if (std::filesystem::is_directory(global.temp_dir, ignored)) return global.temp_dir;
  const auto usual = std::filesystem::temp_directory_path(ignored);
  return usual.empty() ? "/tmp" : usual.string();
}

Result<std::shared_ptr<const Table>> DigestsBefore(const TaskContext& context) {
  return HasMember(context.plan().facts, kAll) ? Table::OpenRuns<DigestRow>(context.store(), {})
                                               : Table::Open<DigestRow>(context.store(), context.snapshot());
}

Status ReduceContents(TaskContext& context, GroupStream& groups) {
  ARROW_ASSIGN_OR_RAISE(const SettleOptions settle, context.Read(SettleOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const GlobalOptions global, context.Read(GlobalOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const JobOptions job, context.Read(JobOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const auto digests, DigestsBefore(context));
  Contents contents(&context, digests,
                    {.files = FileOptions(job),
                     .temp_folder = TempFolder(global),
                     .tells_all = settle.near_policy == NearPolicy::kDuplicate,
                     .shares_content = settle.store == StoreOnce::kContent});
  Member member;
  std::string_view value;
  for (int64_t pages = 1;; ++pages) {
    ARROW_ASSIGN_OR_RAISE(const bool more, groups.NextGroup());
    if (!more) return contents.Finish();
    if (pages % 1024 == 0) ARROW_RETURN_NOT_OK(context.CheckStop());
    ARROW_ASSIGN_OR_RAISE(const bool has_value, groups.NextValue(&value));
    if (!has_value) continue;
    ARROW_RETURN_NOT_OK(DecodeMember(value, &member));
    ARROW_RETURN_NOT_OK(contents.Add(member));
  }
}

}  // namespace

JobSpec SettleExactSpec() { return {.name = "settle_exact", .map = MapUrls, .reduce = ReduceContents}; }

JobRequest ExactJobRequest(int64_t snapshot, bool all, const JobOptions& job, int threads) {
  JobRequest request;
  request.spec = SettleExactSpec();
  request.base_snapshot = snapshot;
  request.plan = [all, job, threads](const JobEnvironment&, const Snapshot& base, Plan* plan) {
    if (all) plan->facts[kAll] = true;
    const SettledRuns runs = SettledRunsOf(base.manifest);
    int64_t rows = 0;
    for (const RunReference& run : runs.news) rows += run.rows;
    for (const RunReference& run : runs.settled) rows += all ? run.rows : 0;
    constexpr int64_t kRecordBytes = 400;
    plan->parts = SlotParts(rows, threads);
    plan->partitions = PartitionsFor(job, rows * kRecordBytes);
    return Status::OK();
  };
  request.apply = [](const Plan&, const JobOutput&, Manifest*) -> Result<bool> { return false; };
  return request;
}

}  // namespace trawl
