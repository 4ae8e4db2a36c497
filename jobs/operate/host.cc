// trawl host: what is known of a host, and the operator's word on it.
//
//   reads        the hosts table
//   shuffles by  nothing
//   writes       hosts: the host's row, changed
#include <optional>

#include "formats/rows/host_row.h"
#include "formats/rows/times.h"
#include "formats/url/key.h"
#include "formats/url/normal.h"
#include "jobs/verb/crawl.h"
#include "jobs/verb/job_options.h"
#include "jobs/verb/row_json.h"
#include "runtime/job/slot_parts.h"
#include "runtime/process/status_detail.h"
#include "runtime/tables/key_lookup.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

struct HostOptions {
  bool block = false;
  bool unblock = false;
  int32_t delay_ms = 0;
  int32_t per_day = 0;
  bool usual = false;
  bool clear = false;
};

const OptionGroup<HostOptions>& HostOptionGroup() {
  static const auto group =
      OptionGroup<HostOptions>("host", "The operator's word")
          .Bool("block", &HostOptions::block, "ask it nothing from the next round on")
          .Bool("unblock", &HostOptions::unblock, "ask it again")
          .Duration("delay_ms", &HostOptions::delay_ms,
                    "between two requests, whatever its robots.txt says; 0 is no delay", Between(0, kDayMs))
          .Int("per_day", &HostOptions::per_day, "pages a day; 0 is as for all hosts", AtLeast(0))
          .Bool("usual", &HostOptions::usual, "take back delay_ms and per_day")
          .Bool("clear", &HostOptions::clear,
                "forget what is held against it: a suspected trap, an open breaker, throttling, its place among the "
                "slow hosts")
          .Must([](const HostOptions& options) {
            if (options.block && options.unblock) return UsageError("--block and --unblock contradict each other");
            return Status::OK();
          });
  return group;
}

// What is to be changed: the options that were given. A 0 counts where it was given.
struct HostChange {
  HostOptions options;
  bool sets_delay = false;
  bool sets_pages = false;
  bool IsAny() const {
    return options.block || options.unblock || sets_delay || sets_pages || options.usual || options.clear;
  }
};

void Apply(const HostChange& change, HostRow* row) {
  const HostOptions& options = change.options;
  if (options.block) row->blocked = true;
  if (options.unblock) row->blocked = false;
  if (options.usual) row->operator_delay_ms = row->operator_pages_a_day = 0;
  if (change.sets_delay) row->operator_delay_ms = options.delay_ms == 0 ? -1 : options.delay_ms;
  if (change.sets_pages) row->operator_pages_a_day = options.per_day;
  if (!options.clear) return;
  row->trap_cleared = true;
  row->delay_ms = 0;
  row->suspected_trap = false;
  row->breaker = BreakerState::kClosed;
  row->breaker_until_ms = 0;
  row->breaker_openings = row->failures_in_a_row = 0;
  row->not_before_ms = 0;
  row->throttle_factor = row->good_answers = row->surcharge_ms = 0;
  row->window_start_ms = 0;
  row->window_requests = row->window_failures = 0;
  row->slow_until_ms = 0;
}

Result<std::string> HostKeyOf(const std::string& argument, NormalForm form) {
  const bool is_url = argument.find("://") != std::string::npos;
  const Result<std::string> url = NormalizeUrl(is_url ? argument : "https://" + argument + "/", form);
  if (!url.ok()) return UsageError("'", argument, "' is no host and no URL: ", url.status().message());
  ARROW_ASSIGN_OR_RAISE(const std::string key, KeyOfUrl(*url));
  return std::string(HostPartOfKey(key));
}

Result<HostRow> FindHost(Store* store, const Manifest& snapshot, const std::string& key) {
  ARROW_ASSIGN_OR_RAISE(const auto table, Table::Open<HostRow>(store, snapshot));
  ARROW_ASSIGN_OR_RAISE(std::optional<HostRow> row, FindRow<HostRow>(*table, key));
  if (row && !row->removed) return *std::move(row);
  HostRow fresh;
  fresh.key = key;
  return fresh;
}

// One task, which writes the row as it is to be. The plan's facts say which host, and which options
// were given at all.
Status MapHost(TaskContext& context, const Json&, RowSink&) {
  const Json& facts = context.plan().facts;
  ARROW_ASSIGN_OR_RAISE(const JobOptions job, context.Read(JobOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const std::string key, GetString(facts, "host"));
  HostChange change;
  ARROW_ASSIGN_OR_RAISE(change.options, context.Read(HostOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(change.sets_delay, GetBool(facts, "sets_delay"));
  ARROW_ASSIGN_OR_RAISE(change.sets_pages, GetBool(facts, "sets_pages"));
  ARROW_ASSIGN_OR_RAISE(HostRow row, FindHost(context.store(), context.snapshot(), key));
  const HostRow before = row;
  Apply(change, &row);
  if (row == before) return Status::OK();
  return context.OpenRun<HostRow>(FileOptions(job))->Append(row);
}

}  // namespace

JobSpec HostSpec() { return {.name = "host", .map = MapHost}; }

namespace {

JobRequest HostRequest(const HostChange& change, const std::string& key) {
  JobRequest request;
  request.spec = HostSpec();
  request.plan = [change, key](const JobEnvironment&, const Snapshot&, Plan* plan) {
    plan->facts = {{"host", key}, {"sets_delay", change.sets_delay}, {"sets_pages", change.sets_pages}};
    plan->parts = EvenSlotParts(1);
    return Status::OK();
  };
  request.apply = AppendRuns;
  return request;
}

Result<int> RunHost(VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(const auto crawl, Crawl::Open(context));
  HostChange change;
  ARROW_ASSIGN_OR_RAISE(change.options, context.Read(HostOptionGroup()));
  change.sets_delay = context.options.SourceOf("host.delay_ms") != OptionSource::kDefault;
  change.sets_pages = context.options.SourceOf("host.per_day") != OptionSource::kDefault;
  ARROW_ASSIGN_OR_RAISE(const std::string key, HostKeyOf(context.arguments.front(), crawl->normal_form()));
  if (!change.IsAny()) {
    ARROW_ASSIGN_OR_RAISE(const HostRow row, FindHost(crawl->store(), crawl->manifest(), key));
    const Json json = HostJson(row);
    ARROW_RETURN_NOT_OK(context.Answer(json, MembersText(json, 22)));
    return kExitDone;
  }
  ARROW_ASSIGN_OR_RAISE(const JobResult result, crawl->Run(context, HostRequest(change, key)));
  Json json = SummaryOf(result);
  json["host"] = HostOfKey(key);
  ARROW_RETURN_NOT_OK(context.Summarize(json, HostOfKey(key) + (result.changed ? ": changed\n" : ": was so before\n")));
  return kExitDone;
}

}  // namespace

Verb HostVerb() {
  return {.name = "host",
          .summary = "show a host, block it, or set its delay",
          .arguments = "HOST",
          .least_arguments = 1,
          .most_arguments = 1,
          .description =
              "HOST is a name or a URL of it. Without options: what is known of it. What is set here stays until it is "
              "taken back, over all rounds; it counts from the next generate on.",
          .examples = {{"What is known", "trawl host www.example.com"},
                       {"Ask it nothing any more", "trawl host www.example.com --block"},
                       {"Five seconds between requests", "trawl host www.example.com --delay_ms 5000"}},
          .groups = {&HostOptionGroup(), &JobOptionGroup()},
          .run = RunHost};
}

}  // namespace trawl
