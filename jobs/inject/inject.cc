// trawl inject: puts seeds into the crawldb.
//
//   reads        lists of seeds; the sidecars of the urls and seeds tables
//   shuffles by  slot and key
//   writes       urls: a row for each URL that the crawl does not know
//                seeds: a row for each host that had no seed yet
//   counters     lines, bad, seeds, new, known
#include "jobs/inject/inject.h"

#include <optional>
#include <utility>

#include "formats/rows/seed_host_row.h"
#include "formats/url/key.h"
#include "jobs/inject/seed_line.h"
#include "jobs/inject/seed_lines.h"
#include "jobs/verb/crawl.h"
#include "runtime/tables/key_lookup.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

const OptionGroup<InjectOptions>& InjectOptionGroup() {
  static const auto group =
      OptionGroup<InjectOptions>("inject", "Seeds")
          .Fixed("score", &InjectOptions::score, "score of seeds that have none of their own, from 0 to 1", 6,
                 Between(0, kScoreOne))
          .AllMain();
  return group;
}

namespace {

// Emits the row of an unfetched page for each line that has a seed, by its key.
Status MapSeeds(TaskContext& context, const Json& part, RowSink& sink) {
  ARROW_ASSIGN_OR_RAISE(const InjectOptions options, context.Read(InjectOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const NormalForm form, NormalFormOf(context.snapshot().normal_form));
  SeedReader reader(form, {.score = options.score, .now_ms = context.plan().now_ms});
  int64_t& lines = context.counters()["lines"];
  int64_t& bad = context.counters()["bad"];
  UrlRow row;
  std::string bytes;
  return ForEachSeedLine(
      context.store(), context.plan(), part,
      [&](const std::string& source, int64_t number, std::string_view line) -> Status {
        if (++lines % 1024 == 0) ARROW_RETURN_NOT_OK(context.CheckStop());
        const Result<bool> seed = reader.Read(line, &row);
        if (!seed.ok()) {
          ++bad;
          context.samples().Add({source, number, seed.status().message(), std::string(line.substr(0, 1024))});
          return Status::OK();
        }
        if (!*seed) return Status::OK();
        EncodeRow(row, &bytes);
        return sink.Emit(row.key, bytes);
      });
}

// Merge rules:
//  1. A URL that the crawl knows, and that is not removed, stays as it is: a seed resets nothing.
//  2. Of several seeds of one URL the one with the shortest spelling stays, then the smallest spelling, then the smallest
//     bytes, so that the result does not depend on their order.
//  3. A host that has no seed yet becomes a seed host.

// Rule 2.
class BestSeed {
 public:
  // Reads the values of a group.
  Status Read(GroupStream& groups) {
    best_bytes_.clear();
    std::string_view value;
    while (true) {
      ARROW_ASSIGN_OR_RAISE(const bool more, groups.NextValue(&value));
      if (!more) return Status::OK();
      bytes_.assign(value);
      ARROW_RETURN_NOT_OK(DecodeRow(bytes_, &row_));
      if (!best_bytes_.empty() && !IsBetter()) continue;
      std::swap(best_, row_);
      std::swap(best_bytes_, bytes_);
    }
  }
  const UrlRow& row() const { return best_; }

 private:
  bool IsBetter() const {
    // An empty spelling is the normalised URL, which has the same length for both.
    if (row_.spelling.size() != best_.spelling.size()) return row_.spelling.size() < best_.spelling.size();
    return row_.spelling != best_.spelling ? row_.spelling < best_.spelling : bytes_ < best_bytes_;
  }

  UrlRow best_, row_;
  std::string best_bytes_, bytes_;
};

// Rule 3. REQUIRES: seeds come in the order of their keys, so that those of a host follow each other.
class SeedHosts {
 public:
  SeedHosts(TaskContext& context, RunWriter<SeedHostRow>* run, std::shared_ptr<const Table> table)
      : run_(run), known_(std::move(table)) {
    row_.added_ms = context.plan().now_ms;
  }

  Status Note(RowPlace seed) {
    const std::string_view host = HostPartOfKey(seed.key);
    if (host == row_.key) return Status::OK();
    row_.key.assign(host);
    ARROW_ASSIGN_OR_RAISE(const std::optional<SidecarEntry> entry, known_.Find({seed.slot, row_.key}));
    return entry && entry->state != 0 ? Status::OK() : run_->Append(row_);
  }

 private:
  RunWriter<SeedHostRow>* const run_;
  KnownKeys known_;
  SeedHostRow row_;
};

Status ReduceSeeds(TaskContext& context, GroupStream& groups) {
  ARROW_ASSIGN_OR_RAISE(const JobOptions job, context.Read(JobOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(auto url_table, Table::Open<UrlRow>(context.store(), context.snapshot()));
  ARROW_ASSIGN_OR_RAISE(auto host_table, Table::Open<SeedHostRow>(context.store(), context.snapshot()));
  KnownKeys known_urls(std::move(url_table));
  RunWriter<UrlRow>* const urls = context.OpenRun<UrlRow>(FileOptions(job));
  SeedHosts hosts(context, context.OpenRun<SeedHostRow>(FileOptions(job)), std::move(host_table));
  int64_t& seeds = context.counters()["seeds"];
  int64_t& known = context.counters()["known"];
  int64_t& fresh = context.counters()["new"];
  BestSeed best;
  while (true) {
    ARROW_ASSIGN_OR_RAISE(const bool more, groups.NextGroup());
    if (!more) return Status::OK();
    if (++seeds % 1024 == 0) ARROW_RETURN_NOT_OK(context.CheckStop());
    const RowPlace place = PlaceOfShuffleKey(groups.key());
    ARROW_RETURN_NOT_OK(hosts.Note(place));
    ARROW_ASSIGN_OR_RAISE(const std::optional<SidecarEntry> entry, known_urls.Find(place));
    if (entry && entry->state != 0) {  // rule 1
      ++known;
      continue;
    }
    ++fresh;
    ARROW_RETURN_NOT_OK(best.Read(groups));
    ARROW_RETURN_NOT_OK(urls->Append(best.row()));
  }
}

std::string Readable(const JobResult& result) {
  const Counters& counters = result.output.counters;
  std::string text = ReadableCount(counters.Get("new")) + " new, " + ReadableCount(counters.Get("known")) + " known";
  if (counters.Get("bad") > 0) text += ", " + ReadableCount(counters.Get("bad"), "bad line");
  text += result.changed ? "; snapshot " + std::to_string(result.snapshot) + "\n" : "; no change\n";
  for (const Sample& sample : result.output.samples.samples()) text += "  " + sample.Readable() + "\n";
  const int64_t unseen = counters.Get("bad") - static_cast<int64_t>(result.output.samples.samples().size());
  if (unseen > 0) text += "  and " + ReadableCount(unseen) + " more\n";
  return text;
}

Result<int> RunInject(VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(const OpenSeeds seeds, OpenSeeds::Open(context));
  ARROW_ASSIGN_OR_RAISE(const auto crawl, Crawl::OpenOrCreate(context));
  ARROW_ASSIGN_OR_RAISE(const JobResult result, InjectSeeds(context, *crawl, seeds));
  Json json = SummaryOf(result);
  // Without a line nobody has counted.
  for (const char* name : {"lines", "bad", "seeds", "new", "known"}) json.emplace(name, 0);
  json["samples"] = ToJson(result.output.samples);
  ARROW_RETURN_NOT_OK(context.Summarize(json, Readable(result)));
  return HasOnlyBadSeeds(result) ? kExitFailed : kExitDone;
}

}  // namespace

JobSpec InjectSpec() { return {.name = "inject", .map = MapSeeds, .reduce = ReduceSeeds}; }

JobRequest InjectRequest(const SeedParts& seeds, const JobOptions& job, Store* inputs) {
  JobRequest request;
  request.spec = InjectSpec();
  request.plan = [&seeds, &job, inputs](const JobEnvironment&, const Snapshot&, Plan* plan) {
    plan->parts = seeds.parts;
    plan->partitions = PartitionsFor(job, seeds.bytes);
    return inputs == nullptr ? Status::OK() : StoreSeeds(inputs, plan);
  };
  request.apply = AppendRuns;
  return request;
}

Result<JobResult> InjectSeeds(VerbContext& context, Crawl& crawl, const OpenSeeds& seeds) {
  ARROW_ASSIGN_OR_RAISE(const JobOptions job, context.Read(JobOptionGroup()));
  Store* const inputs = job.runner == RunnerKind::kStreaming ? crawl.store() : nullptr;
  return crawl.Run(context, InjectRequest(seeds.parts(), job, inputs));
}

bool HasOnlyBadSeeds(const JobResult& result) {
  const Counters& counters = result.output.counters;
  return counters.Get("bad") > 0 && counters.Get("seeds") == 0;
}

OptionTexts InjectOptionTexts() {
  OptionTexts texts = InjectOptionGroup().Print({});
  texts.merge(JobOptionGroup().Print({}));
  return texts;
}

Verb InjectVerb() {
  return {.name = "inject",
          .summary = "add seeds to the crawl, or start one with them",
          .purpose = VerbPurpose::kStep,
          .arguments = "SEED…",
          .least_arguments = 1,
          .most_arguments = kAnyNumber,
          .description =
              "A SEED is a URL, a file with one URL per line, or - for standard input. In a file, tabs may separate "
              "the URL from key=value pairs: score (0 to 1, higher is better), interval (such as 1d), kind (page, "
              "sitemap or feed); other pairs are kept. A URL that the crawl knows already stays as it is. Bad lines "
              "are counted and shown; if all lines are bad, the exit code is 3.",
          .examples = {{"Start a crawl in ./crawl", "trawl inject https://www.example.com/"},
                       {"Add a list to a crawl elsewhere", "trawl inject --root /data/crawl seeds.txt"}},
          .groups = {&InjectOptionGroup(), &NewCrawlOptionGroup(), &JobOptionGroup()},
          .run = RunInject};
}

}  // namespace trawl
