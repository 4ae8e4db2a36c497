#include "jobs/urls/set_urls.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "formats/url/key.h"
#include "jobs/inject/seed_lines.h"
#include "jobs/verb/url_arguments.h"
#include "runtime/job/slot_parts.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr char kOrderFact[] = "order";

// Calls `take` with the key of each URL of a part.
template <typename Take>
Status ForEachNamedKey(Store* store, const Plan& plan, const Json& part, NormalForm form, Counters* counters,
                       Samples* samples, const StopToken& stop, Take&& take) {
  int64_t lines = 0;
  return ForEachSeedLine(store, plan, part,
                         [&](const std::string& source, int64_t number, std::string_view line) -> Status {
                           if (++lines % 1024 == 0) ARROW_RETURN_NOT_OK(stop.Check());
                           const std::string url(UrlOfSeedLine(line));
                           if (url.empty()) return Status::OK();
                           const Result<std::string> key = KeyOfArgument(url, form);
                           if (key.ok()) return take(*key);
                           ++(*counters)["bad"];
                           samples->Add({source, number, key.status().message(), ""});
                           return Status::OK();
                         });
}

Result<std::unique_ptr<UrlSetter>> OpenSetter(TaskContext& context) {
  ARROW_ASSIGN_OR_RAISE(const JobOptions job, context.Read(JobOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const Json* facts, GetObject(context.plan().facts, kOrderFact));
  ARROW_ASSIGN_OR_RAISE(UrlOrder order, UrlOrderFromJson(*facts));
  const UrlRuns runs = {.urls = context.OpenRun<UrlRow>(FileOptions(job)),
                        .robots = context.OpenRun<RobotsRow>(FileOptions(job))};
  ARROW_ASSIGN_OR_RAISE(const ScoringOptions scoring, ReadScoringOptions(context));
  return UrlSetter::Open(context.store(), context.snapshot(), std::move(order), scoring, context.plan().now_ms, runs,
                         &context.counters(), &context.samples());
}

// A part names URLs, which are sent to the reducers, or has a range of slots, whose rows it changes itself.
Status MapUrls(TaskContext& context, const Json& part, RowSink& sink) {
  if (HasMember(part, "slots")) {
    ARROW_ASSIGN_OR_RAISE(const auto setter, OpenSetter(context));
    ARROW_RETURN_NOT_OK(setter->TakeAll(context.slots(), context.stop()));
    setter->tally().Report(&context.facts());
    return Status::OK();
  }
  ARROW_ASSIGN_OR_RAISE(const NormalForm form, NormalFormOf(context.snapshot().normal_form));
  return ForEachNamedKey(context.store(), context.plan(), part, form, &context.counters(), &context.samples(),
                         context.stop(), [&sink](const std::string& key) { return sink.Emit(key, ""); });
}

Status ReduceUrls(TaskContext& context, GroupStream& groups) {
  ARROW_ASSIGN_OR_RAISE(const auto setter, OpenSetter(context));
  for (int64_t urls = 1;; ++urls) {
    ARROW_ASSIGN_OR_RAISE(const bool more, groups.NextGroup());
    if (!more) {
      setter->tally().Report(&context.facts());
      return Status::OK();
    }
    if (urls % 1024 == 0) ARROW_RETURN_NOT_OK(context.CheckStop());
    ARROW_RETURN_NOT_OK(setter->Take(PlaceOfShuffleKey(groups.key())));
  }
}

int64_t RowsOf(const Manifest& manifest, const std::string& table) {
  const auto found = manifest.tables.find(table);
  int64_t rows = 0;
  if (found == manifest.tables.end()) return rows;
  for (const RunReference& run : found->second) rows += run.rows;
  return rows;
}

}  // namespace

JobSpec SetUrlsSpec() { return {.name = "urls", .map = MapUrls, .reduce = ReduceUrls}; }

JobRequest SetUrlsRequest(const SetUrlsParts& parts) {
  JobRequest request;
  request.spec = SetUrlsSpec();
  request.plan = [parts](const JobEnvironment& environment, const Snapshot& base, Plan* plan) -> Status {
    ARROW_RETURN_NOT_OK(PlanTotals(environment, base, plan));
    plan->facts[kOrderFact] = ToJson(parts.order);
    if (parts.named.IsAny()) {
      plan->parts = parts.named.parts.parts;
      plan->partitions = PartitionsFor(parts.job, parts.named.parts.bytes);
      return parts.inputs == nullptr ? Status::OK() : StoreSeeds(parts.inputs, plan);
    }
    // Prefixes are few slots.
    const int64_t rows = parts.order.selection.prefixes.empty() ? RowsOf(base.manifest, UrlRow::kTable) : 1;
    plan->parts = SlotParts(rows, parts.threads);
    return Status::OK();
  };
  request.apply = AppendRunsAndTotals;
  return request;
}

Result<JobOutput> CountSetUrls(Store* store, const Manifest& snapshot, const NamedUrls& named, const UrlOrder& order,
                               const ScoringOptions& scoring, TimeMs now_ms, const StopToken& stop) {
  JobOutput output;
  ARROW_ASSIGN_OR_RAISE(const auto setter, UrlSetter::Open(store, snapshot, order, scoring, now_ms, {},
                                                           &output.counters, &output.samples));
  if (!named.IsAny()) {
    ARROW_RETURN_NOT_OK(setter->TakeAll(SlotRange(), stop));
    return output;
  }
  ARROW_ASSIGN_OR_RAISE(const NormalForm form, NormalFormOf(snapshot.normal_form));
  std::vector<std::pair<uint32_t, std::string>> keys;  // by slot
  for (const Json& part : named.parts.parts) {
    ARROW_RETURN_NOT_OK(ForEachNamedKey(store, Plan(), part, form, &output.counters, &output.samples, stop,
                                        [&keys](const std::string& key) {
                                          keys.emplace_back(SlotOfKey(key), key);
                                          return Status::OK();
                                        }));
  }
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  for (const auto& [slot, key] : keys) ARROW_RETURN_NOT_OK(setter->Take({slot, key}));
  return output;
}

}  // namespace trawl
