// The job of trawl host.
//
//   reads        the rows of hosts that change; keys of urls, where the hosts table does not tell of a host; keys of the
//                patterns that it forgets
//   shuffles by  nothing
//   writes       hosts: the rows that have changed; patterns: a tombstone for each that is forgotten
//   counters     matched, of which rows_changed: hosts and registrable domains; unknown: those of them that the crawl has
//                not met; a sample names each
#include "jobs/operate/host_job.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "formats/rows/host_row.h"
#include "formats/rows/settle_rows.h"
#include "formats/rows/some_columns.h"
#include "formats/rows/url_row.h"
#include "formats/scope/ignored_parameters.h"
#include "formats/url/key.h"
#include "jobs/verb/job_options.h"
#include "runtime/job/slot_parts.h"
#include "runtime/tables/row_walk.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

JobSpec HostSpec();

namespace {

RowPlace PlaceOf(const HostTarget& target) { return {SlotOfKey(target.key), target.key}; }

Json ToJson(const HostPolicy& policy) {
  return {{"key", policy.target.key}, {"is_domain", policy.target.is_domain}, {"change", ToJson(policy.change)}};
}

Result<HostPolicy> HostPolicyFromJson(const Json& json) {
  HostPolicy policy;
  ARROW_ASSIGN_OR_RAISE(policy.target.key, GetString(json, "key"));
  ARROW_ASSIGN_OR_RAISE(policy.target.is_domain, GetBool(json, "is_domain"));
  ARROW_ASSIGN_OR_RAISE(const Json* change, GetObject(json, "change"));
  ARROW_ASSIGN_OR_RAISE(policy.change, HostChangeFromJson(*change));
  return policy;
}

// Whether the row has anything beside what an operator decided.
bool IsMet(HostRow host) {
  host.blocked = host.trap_cleared = false;
  host.cleared_discovered = host.cleared_fetched = 0;
  host.operator_delay_ms = host.operator_pages_a_day = 0;
  host.operator_pages = 0;
  host.operator_reason.clear();
  return TellsOfHost(host);
}

// One task goes through the changes in the order of the table.
class HostChanger {
 public:
  static Result<HostChanger> Open(TaskContext& context) {
    ARROW_ASSIGN_OR_RAISE(const JobOptions job, context.Read(JobOptionGroup()));
    ARROW_ASSIGN_OR_RAISE(auto table, Table::Open<HostRow>(context.store(), context.snapshot()));
    ARROW_ASSIGN_OR_RAISE(auto urls, Table::Open<UrlRow>(context.store(), context.snapshot()));
    ARROW_ASSIGN_OR_RAISE(RowWalk walk, RowWalk::Open(std::move(table), {}));
    ARROW_ASSIGN_OR_RAISE(RowWalk url_walk,
                          RowWalk::Open(std::move(urls), {.wanted = Columns<UrlRow>({"key"}).Flags()}));
    ARROW_ASSIGN_OR_RAISE(auto patterns, Table::Open<PatternRow>(context.store(), context.snapshot()));
    ARROW_ASSIGN_OR_RAISE(RowWalk pattern_walk,
                          RowWalk::Open(std::move(patterns), {.wanted = Columns<PatternRow>({"key"}).Flags()}));
    return HostChanger(context, std::move(walk), std::move(url_walk), std::move(pattern_walk), FileOptions(job));
  }

  Status Take(const HostPolicy& policy) {
    if (policy.target.key != row_.key) {
      ARROW_RETURN_NOT_OK(Finish());
      ARROW_RETURN_NOT_OK(walk_.SeekTo(PlaceOf(policy.target)));
      if (!walk_.at_end() && walk_.key() == policy.target.key) walk_.Read(&row_);
      row_.key = policy.target.key;
      before_ = row_;
    }
    const bool to_domain = policy.target.is_domain;
    Apply(policy.change, to_domain, &row_);
    touched_.insert(to_domain);
    forgets_patterns_ = forgets_patterns_ || (!to_domain && ClearsPatterns(policy.change));
    return Status::OK();
  }

  Status Finish() {
    if (touched_.contains(true)) Count({row_.key, true}, row_.domain != before_.domain, before_.domain.pages > 0);
    int64_t forgotten = 0;
    if (forgets_patterns_) {
      ARROW_ASSIGN_OR_RAISE(forgotten, ForgetPatterns());
    }
    if (touched_.contains(false)) {
      ARROW_ASSIGN_OR_RAISE(const bool is_known, IsKnown());
      Count({row_.key, false}, forgotten > 0 || !(HostPartOf(row_) == HostPartOf(before_)), is_known);
    }
    if (!(row_ == before_)) ARROW_RETURN_NOT_OK(run_->Append(row_));
    row_ = before_ = HostRow();
    touched_.clear();
    forgets_patterns_ = false;
    return Status::OK();
  }

 private:
  HostChanger(TaskContext& context, RowWalk walk, RowWalk urls, RowWalk patterns, const RowFileOptions& files)
      : context_(context),
        walk_(std::move(walk)),
        urls_(std::move(urls)),
        patterns_(std::move(patterns)),
        run_(context.OpenRun<HostRow>(files)),
        pattern_run_(context.OpenRun<PatternRow>(files)) {}

  static HostRow HostPartOf(HostRow row) {
    row.domain = {};
    return row;
  }
  // A host of which only URLs are known has no row yet.
  Result<bool> IsKnown() {
    if (IsMet(before_)) return true;
    const std::string first = before_.key + ")";
    ARROW_RETURN_NOT_OK(urls_.SeekTo({SlotOfKey(first), first}));
    return !urls_.at_end() && urls_.key().starts_with(first);
  }
  // What its pages yield from now on decides, as if nothing had been counted.
  Result<int64_t> ForgetPatterns() {
    const std::string first = row_.key + ")";
    ARROW_RETURN_NOT_OK(patterns_.SeekTo({SlotOfKey(first), first}));
    int64_t forgotten = 0;
    for (; !patterns_.at_end() && patterns_.key().starts_with(first); ++forgotten) {
      PatternRow none;
      none.key.assign(patterns_.key());
      // A rule that is taken back is not learned again.
      none.removed = !IsLearnedRule(none.key);
      ARROW_RETURN_NOT_OK(pattern_run_->Append(none));
      ARROW_RETURN_NOT_OK(patterns_.Next());
    }
    context_.counters()["patterns_forgotten"] += forgotten;
    return forgotten;
  }
  void Count(const HostTarget& target, bool has_changed, bool is_known) {
    Counters& counters = context_.counters();
    ++counters["matched"];
    counters["rows_changed"] += has_changed ? 1 : 0;
    if (is_known) return;
    ++counters["unknown"];
    context_.samples().Add({target.Name(), 0,
                            target.is_domain ? "no page of it has been asked for yet"
                                             : "not known; trawl readdb hosts lists the hosts that are known",
                            ""});
  }

  TaskContext& context_;
  RowWalk walk_;
  RowWalk urls_;
  RowWalk patterns_;
  RunWriter<HostRow>* const run_;
  RunWriter<PatternRow>* const pattern_run_;
  HostRow row_, before_;
  std::set<bool> touched_;  // true: the domain of that row, false: the host
  bool forgets_patterns_ = false;
};

Status MapHosts(TaskContext& context, const Json&, RowSink&) {
  ARROW_ASSIGN_OR_RAISE(const Json* changes, GetArray(context.plan().facts, "changes"));
  ARROW_ASSIGN_OR_RAISE(HostChanger changer, HostChanger::Open(context));
  for (const Json& json : *changes) {
    ARROW_RETURN_NOT_OK(context.CheckStop());
    ARROW_ASSIGN_OR_RAISE(const HostPolicy policy, HostPolicyFromJson(json));
    ARROW_RETURN_NOT_OK(changer.Take(policy));
  }
  return changer.Finish();
}

}  // namespace

JobSpec HostSpec() { return {.name = "host", .map = MapHosts}; }

JobRequest HostRequest(std::vector<HostPolicy> changes) {
  std::stable_sort(changes.begin(), changes.end(),
                   [](const HostPolicy& a, const HostPolicy& b) { return PlaceOf(a.target) < PlaceOf(b.target); });
  JobRequest request;
  request.spec = HostSpec();
  request.plan = [changes = std::move(changes)](const JobEnvironment&, const Snapshot&, Plan* plan) {
    Json& facts = plan->facts["changes"] = Json::array();
    for (const HostPolicy& change : changes) facts.push_back(ToJson(change));
    plan->parts = EvenSlotParts(1);
    return Status::OK();
  };
  request.apply = AppendRuns;
  return request;
}

}  // namespace trawl
